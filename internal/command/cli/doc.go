// Package cli is what every command stands on: its surroundings (app.go), the
// code that it ends with (exit.go), its output, which hides what has to be hidden
// (output.go) and suits the terminal (terminal.go, width.go), signals and
// --timeout (halt.go), mistakes of typing (mistyped.go) and completion
// (complete.go).
//
// wall.go is the only file of the command that reads the clock of the machine.
package cli
