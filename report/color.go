package report

import "github.com/scenario-lang/scenario/interp"

// The colours of a terminal (ECMA-48, SGR).
const (
	bold   = "1"
	dim    = "2"
	red    = "31"
	green  = "32"
	yellow = "33"
)

func (t *text) paint(sgr, s string) string {
	if !t.opts.Color || sgr == "" {
		return s
	}
	return "\x1b[" + sgr + "m" + s + "\x1b[0m"
}

// verdict is the word at the start of a line, padded to one width.
func (t *text) verdict(v interp.Verdict) string {
	word := (string(v) + "     ")[:5]
	switch v {
	case interp.Pass:
		return t.paint(green, word)
	case interp.Skip, interp.Done:
		return t.paint(yellow, word)
	}
	return t.paint(red, word)
}
