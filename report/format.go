package report

import (
	"io"
	"time"
)

// A Reporter writes the results of one invocation. It is used from one
// goroutine at a time, and its errors are those of the writer.
type Reporter interface {
	// Add reports one scenario. Entries of one file follow each other.
	Add(Entry) error
	// Invalid reports an error in a file that could not be compiled.
	// Diagnostics come in the order in which people read them.
	Invalid(Diagnostic) error
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
	// Plain shows ASCII in the place of signs that a terminal may not have.
	Plain bool
	// Width is how many columns a line has; 0 means 80.
	Width int
	// Wall shows what the wall clock gave. A report without it is equal from
	// run to run.
	Wall bool
	// Base is put before every file, for readers that begin at another
	// directory than the one the paths count from. It ends in a slash or is "".
	Base string
	// Scores shows what benches came to beside what did not pass.
	Scores bool
	// Live says that the runs took real time and not a virtual clock's.
	Live bool
	// Spool gives a place for what has to wait for the end of the suite. The
	// report closes none of them. Nil keeps it in memory.
	Spool func() Spool
	// Pages takes what a page has no room for. Nil keeps everything in one.
	Pages *Pages
}

// clock names the clock that times in a report are of.
func (o Options) clock() string {
	if o.Live {
		return "real"
	}
	return "virtual"
}

// A Format is one way of writing results.
type Format struct {
	Name, Summary string
	// Start is how every report of the format begins, by which a file of
	// another kind is told from an older report. It is "" where a report may
	// begin with anything.
	Start string
	// Events says that it shows the events of every run, or the run's ids. The
	// others need them only where people ask for more.
	Events bool
	// Failing says that it shows the events of runs that did not pass.
	Failing bool
	New     func(io.Writer, Options) Reporter
}

// Formats lists every format that there is.
func Formats() []Format {
	return []Format{
		{"text", "for people", "", false, false, Text},
		{"json", "one event a line, for programs", `{"`, false, false, JSON},
		{"junit", "XML that Jenkins, GitLab and most other CI systems show", "<?xml", true, false, JUnit},
		{"html", "one page with a timeline of every scenario, for a browser", "<!doctype html>", true, false, HTML},
		{"svg", "the timeline of every scenario as one picture, for a page or a slide", "<svg", true, false, SVG},
		{"ctrf", "the Common Test Report Format, a JSON document", "{\n", true, false, CTRF},
		{"tap", "the Test Anything Protocol, version 14", "TAP version", false, false, TAP},
		{"github", "annotations of GitHub Actions", "", false, false, GitHub},
		{"merge", "all that the other kinds are made of, for scenario merge", MergeStart, true, false, Merge},
		{"markdown", "a summary for a page or a comment", "", false, true, Markdown},
	}
}

// Each is a reporter that gives everything to all of the reporters, in their
// order, and goes on where one of them fails. It returns the first error.
func Each(reporters ...Reporter) Reporter {
	if len(reporters) == 1 {
		return reporters[0]
	}
	return each(reporters)
}

type each []Reporter

func (all each) Add(e Entry) error {
	return all.tell(func(r Reporter) error { return r.Add(e) })
}

func (all each) Invalid(d Diagnostic) error {
	return all.tell(func(r Reporter) error { return r.Invalid(d) })
}

func (all each) Close(s Summary) error {
	return all.tell(func(r Reporter) error { return r.Close(s) })
}

func (all each) tell(what func(Reporter) error) error {
	var first error
	for _, r := range all {
		if err := what(r); err != nil && first == nil {
			first = err
		}
	}
	return first
}

// seconds is a virtual time as formats with decimal seconds write it.
func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
