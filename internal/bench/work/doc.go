// Command work does one piece of work of this module's packages, or what is
// its floor, and prints what a repetition of it cost: the processor time of the
// process and the wall time, in nanoseconds.
//
//	work clock/1000 3
//
// does it four times, the first of which only warms up. Command bench runs it,
// built from two trees where it compares them. It uses only exported names, so
// that it can be built with the packages of an older tree.
package main
