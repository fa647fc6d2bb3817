// Package bench scores a system over many cases.
//
// A system under test answers each case, a rubric scores the answer, and what
// goes wrong with either is one of a few typed failures that never end the run.
// A [Runner] spreads cases over workers on a scheduler; what it finds out goes
// to its observer alone, and [Summarise] makes the report of that:
//
//	runner := bench.Runner{Spec: spec, Cases: cases, SUT: sut, Rubric: rubric, Clock: clock, Ended: note}
//	err := runner.Run(ctx) // in a task of clock
//	report := bench.Summarise(spec, cases, trials, err)
package bench
