// Package match compiles what a request of a program must have: match blocks,
// and what follows from the attributes of a step that describes a program.
package match
