// Package harness loads, selects, runs and reports the scenarios of one call of a
// command:
//
//   - invocation.go begins a call: flags, selection (selection.go), variables
//     (variables.go), reports (reports.go);
//   - load.go has package suite find the files and compile them, on several
//     cores, diagnostics.go says what is wrong with them; what does not stay
//     compiled is run at once (early.go), and a large file when its turn has come
//     (flow.go);
//   - runner.go runs what is left, in an order that shuffle.go may change, and
//     hands results to reports in the order of the files; traceout.go writes
//     traces beside them, package otlp exports them.
//
// Commands that search rather than run, as explore does, take jobs from Choose and
// go on from there.
package harness
