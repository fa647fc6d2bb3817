// Package inert is the one writer that all output of the command passes: texts of
// files, answers and programs are shown by it, and obeyed by nobody. A terminal
// gets no control characters and no marks that turn the direction of text, and the
// log of a CI job no line that its runner takes for a command.
//
//	out := inert.New(os.Stdout)
//	fmt.Fprintln(out, "::error::\x1b[2J") // prints \u003a:error::\u001b[2J
//	err := out.Flush()
//
// What is escaped is written as in a string of JSON and of the language, so that a
// line of JSON is one of the same value afterwards.
package inert
