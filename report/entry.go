package report

import (
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// An Entry is what became of one scenario.
type Entry struct {
	Result *interp.Result
	// Reason is why a scenario was skipped or not run, "" for all others.
	Reason string
	// Dropped says that the suite ended before this scenario. Its Reason then
	// begins with "not run", and is the same for all that one cause dropped.
	Dropped bool
	// Wall is how long it took on the wall clock. Only the JSON format shows
	// it, as it differs from run to run.
	Wall time.Duration
	// Cached says that an earlier run came to it, of which nothing has changed since.
	// Only reports that show the wall clock show it.
	Cached bool
	// Session is the one of a service that the result is of, "" for no such run.
	Session string
	// Source is the text of the file, for the lines that a failure points at.
	// Nil shows no lines.
	Source []byte
	// Merged is the line of [Merge], nil where it is not known.
	Merged []byte
}

// Hidden is the entry with each text of its own as hide shows it. The texts of the result
// were hidden when the scenario ran, and the source is a file.
func (e Entry) Hidden(hide func(text string) string) Entry {
	e.Session, e.Reason = hide(e.Session), hide(e.Reason)
	return e
}

// name is that of the scenario, and of the session where there are some.
func (e *Entry) name() string {
	if e.Session == "" {
		return e.Result.Plan.Name
	}
	return e.Result.Plan.Name + " (session " + e.Session + ")"
}

// place is where a problem is, the scenario itself where it has no place.
func place(r *interp.Result, p *interp.Problem) (file string, line int) {
	if p.Range.Filename == "" || ofLibrary(p) {
		return r.Plan.File, r.Plan.Line
	}
	return p.Range.Filename, p.Range.Start.Line
}
