// Package read builds values only as far as expressions read them. [Needs] says
// what an expression reads, a [Field] is one readable attribute, and [Object]
// makes the value of those that are read.
package read
