// Command scenario tests workflows against deterministic faults and recorded
// answers. `scenario help` lists what it can do.
//
// Each command is a value in the list of root.go and has a file of its name.
// What belongs to one file alone is in others that begin like it: bench_log.go,
// cassette_gc.go, record_check.go. A command that runs scenarios goes this way:
//
//   - invocation.go begins a call: flags, selection (selection.go), variables
//     (variables.go), reports (reports.go), signals and --timeout (halt.go);
//   - load.go has package suite find the files and compile them, on several
//     cores (pool.go), diagnostics.go says what is wrong with them; what does
//     not stay compiled is run at once (early.go);
//   - runner.go runs what is left, in an order that shuffle.go may change, and
//     hands results to reports in the order of the files; traceout.go writes
//     traces beside them, internal/otlp exports them;
//   - exit.go says what the command ends with.
//
// live.go is the way of run and record, whose runs reach services through
// internal/dial; package recording keeps what they meet. wall.go is the only
// file that reads the clock of the machine.
package main

//go:generate env UPDATE_PAGES=1 go test -run ^TestCommandLinePage$ -count=1 .
