// Package mutate finds out what a suite would not notice: it weakens one
// declaration of a program at a time, a retry, a deadline, a fallback, and runs the
// scenarios that read it, untouched.
//
// A mutant is a text: the source of a file with one edit, compiled as any other
// file, so that it is something that somebody could have written. A scenario reads
// what is weakened where the hash of its plan is another one with it.
//
// operators.go lists what is weakened, expressions.go and shared.go what is changed of
// that which expressions say, roles.go where a value comes from that the program takes for
// a schema or a pattern, document.go and schemas.go what is changed there, edit.go how a text is
// changed, suite.go
// which scenarios are run and what becomes of a mutant. What no scenario notices
// because none of them meets it is held against the original under the faults of
// package explore: see explored.go.
//
//	report := mutate.Run(hosts, mutate.Options{Compile: compile, K: 2, Runs: 2000})
//	fmt.Println(report.Score())
package mutate
