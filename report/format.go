package report

import "io"

// A Reporter writes the results of one invocation. It is used from one
// goroutine at a time, and its errors are those of the writer.
type Reporter interface {
	// Add reports one scenario. Entries of one file follow each other.
	Add(Entry) error
	// Close ends the report; nothing is added afterwards.
	Close(Summary) error
}

// Options are what the person at the command line asked for.
type Options struct {
	// Verbose shows what passed as well, and what happened when.
	Verbose bool
	// Quiet shows only what did not pass, and the summary.
	Quiet bool
	// Color marks verdicts by colours of the terminal.
	Color bool
}

// A Format is one way of writing results.
type Format struct {
	Name, Summary string
	New           func(io.Writer, Options) Reporter
}

// Formats lists every format that there is.
func Formats() []Format {
	return []Format{
		{"text", "for people", Text},
		{"json", "one event a line, for programs", JSON},
	}
}
