package main

import (
	"io"
	"os"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/report"
)

// The bounds of what is taken for the width of a terminal.
const (
	widthMin = 40
	widthMax = 240
)

// width is how many columns standard output has: COLUMNS, then what the
// terminal says, and 0 where it is no terminal.
func (a *app) width() int {
	if !isTerminal(a.stdout) {
		return 0
	}
	given, _ := a.env("COLUMNS")
	n, err := strconv.Atoi(given)
	if err != nil || n <= 0 {
		n = 0
		if f, ok := fileOf(a.stdout); ok {
			n = terminalWidth(f)
		}
	}
	if n == 0 {
		return 0
	}
	return min(max(n, widthMin), widthMax)
}

// plain reports whether people are shown ASCII alone: the locale says so (POSIX:
// the first of LC_ALL, LC_CTYPE and LANG that is set), or none is set and the
// terminal calls itself dumb. It holds for a pipe as well, as the other end is
// a program of the same locale. What is written to a file is for everybody.
func (a *app) plain() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := a.env(name); v != "" {
			v = strings.ToUpper(v)
			return !strings.Contains(v, "UTF-8") && !strings.Contains(v, "UTF8")
		}
	}
	term, _ := a.env("TERM")
	return term == "dumb"
}

// people is what is written for people to w, which shows them ASCII alone where
// they need that.
func (a *app) people(w io.Writer) io.Writer {
	if a.plain() {
		return report.ASCII(w)
	}
	return w
}

// fileOf is the file behind a writer.
func fileOf(w any) (*os.File, bool) {
	switch x := w.(type) {
	case *output:
		return fileOf(x.Writer)
	case interface{ Unwrap() io.Writer }: // *redact.Writer, *inert.Writer
		return fileOf(x.Unwrap())
	}
	f, ok := w.(*os.File)
	return f, ok
}
