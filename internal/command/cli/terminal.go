package cli

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/scenario-lang/scenario/dsl"
)

// ColorChoices are the values of --color.
var ColorChoices = []string{"auto", "always", "never"}

// ColorWanted decides about colour on w: --color, then NO_COLOR
// (no-color.org), CLICOLOR_FORCE and FORCE_COLOR, and else whether w is a
// terminal that can do it.
func (a *App) ColorWanted(when string, w io.Writer) (bool, error) {
	wanted, err := a.colorOn(when, w)
	if shown := shownOn(w); wanted && shown != nil {
		shown.Paint()
	}
	return wanted, err
}

func (a *App) colorOn(when string, w io.Writer) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, Usagef("--color takes auto, always or never", "unknown value %q for --color.%s", when, dsl.DidYouMean(when, ColorChoices))
	}
	switch {
	case a.IsSet("NO_COLOR"):
		return false, nil
	case a.IsSet("CLICOLOR_FORCE"), a.IsSet("FORCE_COLOR"):
		return true, nil
	}
	return a.Smart(w), nil
}

// IsSet reports whether a variable says yes: it is there, not empty and not 0.
func (a *App) IsSet(name string) bool {
	v, _ := a.Env(name)
	return v != "" && v != "0"
}

// Smart reports whether w is a terminal that understands escape sequences.
func (a *App) Smart(w io.Writer) bool {
	term, _ := a.Env("TERM")
	return term != "dumb" && IsTerminal(w)
}

// IsTerminal reports whether w is a character device other than the null
// device, which on every system that we know is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := FileOf(w)
	if !ok {
		return false
	}
	is, err := f.Stat()
	if err != nil || is.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(is, null)
}

// RedrawEvery bounds how often a progress line is drawn.
const RedrawEvery = 100 * time.Millisecond

// A Progress line shows on a terminal how far a suite is. Its zero value shows
// nothing.
type Progress struct {
	W     io.Writer
	total int
	what  string
	Watch Stopwatch
	Drawn bool
	Last  time.Duration
}

// ProgressOn returns a progress line for so many of what, where redrawing makes
// sense.
func (a *App) ProgressOn(w io.Writer, total int, what string) *Progress {
	if !a.Smart(w) || a.IsSet("CI") {
		return &Progress{}
	}
	if f, ok := FileOf(w); ok {
		w = f // a line that is drawn again has no end that could be waited for
	}
	return &Progress{W: w, total: total, what: what, Watch: StartWatch()}
}

// Show draws the line, unless it was drawn just before.
func (p *Progress) Show(done int) {
	if p.W == nil {
		return
	}
	if now := p.Watch.Elapsed(); now-p.Last >= RedrawEvery {
		fmt.Fprintf(p.W, "\r\x1b[K%d of %d %s", done, p.total, p.what)
		p.Drawn, p.Last = true, now
	}
}

// Clear takes the line away, so that results can be written in its place.
func (p *Progress) Clear() {
	if p.Drawn {
		fmt.Fprint(p.W, "\r\x1b[K")
		p.Drawn = false
	}
}
