// Command scenario tests workflows against deterministic faults and recorded
// answers. `scenario help` lists what it can do; each command is a value in
// the list of root.go and has a file of its own.
package main

//go:generate env UPDATE_PAGES=1 go test -run ^TestCommandLinePage$ -count=1 .
