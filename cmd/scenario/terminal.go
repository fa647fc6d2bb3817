package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/scenario-lang/scenario/dsl"
)

// colorChoices are the values of --color.
var colorChoices = []string{"auto", "always", "never"}

// colorWanted decides about colour on w: --color, then NO_COLOR
// (no-color.org), CLICOLOR_FORCE and FORCE_COLOR, and else whether w is a
// terminal that can do it.
func (a *app) colorWanted(when string, w io.Writer) (bool, error) {
	wanted, err := a.colorOn(when, w)
	if shown := shownOn(w); wanted && shown != nil {
		shown.Paint()
	}
	return wanted, err
}

func (a *app) colorOn(when string, w io.Writer) (bool, error) {
	switch when {
	case "always":
		return true, nil
	case "never":
		return false, nil
	case "auto":
	default:
		return false, usagef("--color takes auto, always or never", "unknown value %q for --color.%s", when, dsl.DidYouMean(when, colorChoices))
	}
	switch {
	case a.isSet("NO_COLOR"):
		return false, nil
	case a.isSet("CLICOLOR_FORCE"), a.isSet("FORCE_COLOR"):
		return true, nil
	}
	return a.smart(w), nil
}

// isSet reports whether a variable says yes: it is there, not empty and not 0.
func (a *app) isSet(name string) bool {
	v, _ := a.env(name)
	return v != "" && v != "0"
}

// smart reports whether w is a terminal that understands escape sequences.
func (a *app) smart(w io.Writer) bool {
	term, _ := a.env("TERM")
	return term != "dumb" && isTerminal(w)
}

// isTerminal reports whether w is a character device other than the null
// device, which on every system that we know is a terminal.
func isTerminal(w io.Writer) bool {
	f, ok := fileOf(w)
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

// redrawEvery bounds how often a progress line is drawn.
const redrawEvery = 100 * time.Millisecond

// A progress line shows on a terminal how far a suite is. Its zero value shows
// nothing.
type progress struct {
	w     io.Writer
	total int
	what  string
	watch stopwatch
	drawn bool
	last  time.Duration
}

// progressOn returns a progress line for so many of what, where redrawing makes
// sense.
func (a *app) progressOn(w io.Writer, total int, what string) *progress {
	if !a.smart(w) || a.isSet("CI") {
		return &progress{}
	}
	if f, ok := fileOf(w); ok {
		w = f // a line that is drawn again has no end that could be waited for
	}
	return &progress{w: w, total: total, what: what, watch: startWatch()}
}

// show draws the line, unless it was drawn just before.
func (p *progress) show(done int) {
	if p.w == nil {
		return
	}
	if now := p.watch.elapsed(); now-p.last >= redrawEvery {
		fmt.Fprintf(p.w, "\r\x1b[K%d of %d %s", done, p.total, p.what)
		p.drawn, p.last = true, now
	}
}

// clear takes the line away, so that results can be written in its place.
func (p *progress) clear() {
	if p.drawn {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.drawn = false
	}
}
