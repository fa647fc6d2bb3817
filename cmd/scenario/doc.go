// Command scenario tests workflows against deterministic faults and recorded
// answers. `scenario help` lists what it can do.
//
// Each command is a value in the list of root.go. Those about files are here, in a
// file of their name; the others are in packages below internal/:
//
//   - harness runs scenarios, for test, run, exec, serve, record and bench;
//   - programs, recordings, search and benches hold commands;
//   - dial reaches services for those that run live, and otlp exports what they
//     measure;
//   - cli is what every command stands on, above pool, notify and inert.
package main

//go:generate env UPDATE_PAGES=1 go test -run ^TestCommandLinePage$ -count=1 .
