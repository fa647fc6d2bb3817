// Command scenario tests workflows against deterministic faults and recorded
// answers. `scenario help` lists what it can do.
//
// Each command is a value in the list of root.go and has a file of its name.
// What belongs to one file alone stands in others that begin like it:
// bench_log.go, cassette_gc.go, load_imports.go. A command that runs scenarios
// goes this way:
//
//   - suite.go opens a suite: flags, selection (selection.go), variables
//     (variables.go), reports (reports.go), signals and --timeout (halt.go);
//   - discover.go finds the files, load.go compiles them on several cores
//     (pool.go) with what they import, play and are compared with
//     (load_imports.go, load_cassettes.go, snapshots.go), diagnostics.go says
//     what is wrong with them; what does not stay compiled is run at once
//     (early.go);
//   - runner.go runs what is left, in an order that shuffle.go may change, and
//     hands results to reports in the order of the files; traceout.go writes
//     traces beside them, internal/otlp exports them;
//   - exit.go says what the command ends with.
//
// live.go is the way of run and record, whose runs reach services through
// internal/dial; tapes.go keeps what is recorded. wall.go is the only file that
// reads the clock of the machine.
package main

//go:generate env UPDATE_PAGES=1 go test -run ^TestCommandLinePage$ -count=1 .
