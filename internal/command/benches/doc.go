// Package benches is `scenario bench`: one run of a program under test after the
// other, with a log that a later call goes on from.
package benches
