// Package plan says what a compiled scenario is: data without behaviour of its
// own, its canonical JSON and hash, what it hides, and the result of its run.
//
// A [Plan] is what the packages below interp work with. Users of interp hold a
// [Handle], which says what is declared and nothing of how it is run.
package plan
