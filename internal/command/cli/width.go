package cli

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

// Width is how many columns standard output has: COLUMNS, then what the
// terminal says, and 0 where it is no terminal.
func (a *App) Width() int {
	if !IsTerminal(a.Stdout) {
		return 0
	}
	given, _ := a.Env("COLUMNS")
	n, err := strconv.Atoi(given)
	if err != nil || n <= 0 {
		n = 0
		if f, ok := FileOf(a.Stdout); ok {
			n = terminalWidth(f)
		}
	}
	if n == 0 {
		return 0
	}
	return min(max(n, widthMin), widthMax)
}

// Wrapped is how many columns sentences on a writer may take: COLUMNS, then what its
// terminal says, and 0 where nobody says it.
func (a *App) Wrapped(w io.Writer) int {
	given, _ := a.Env("COLUMNS")
	n, err := strconv.Atoi(given)
	if f, ok := FileOf(w); (err != nil || n <= 0) && ok && IsTerminal(w) {
		n = terminalWidth(f)
	}
	if n <= 0 {
		return 0
	}
	return min(max(n, widthMin), widthMax)
}

// Plain reports whether people are shown ASCII alone: the locale says so (POSIX:
// the first of LC_ALL, LC_CTYPE and LANG that is set), or none is set and the
// terminal calls itself dumb. It holds for a pipe as well, as the other end is
// a program of the same locale. What is written to a file is for everybody.
func (a *App) Plain() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := a.Env(name); v != "" {
			v = strings.ToUpper(v)
			return !strings.Contains(v, "UTF-8") && !strings.Contains(v, "UTF8")
		}
	}
	term, _ := a.Env("TERM")
	return term == "dumb"
}

// People is what is written for people to w, which shows them ASCII alone where
// they need that.
func (a *App) People(w io.Writer) io.Writer {
	if a.Plain() {
		return report.ASCII(w)
	}
	return w
}

// FileOf is the file behind a writer.
func FileOf(w any) (*os.File, bool) {
	switch x := w.(type) {
	case *Output:
		return FileOf(x.Writer)
	case interface{ Unwrap() io.Writer }: // *redact.Writer, *inert.Writer
		return FileOf(x.Unwrap())
	}
	f, ok := w.(*os.File)
	return f, ok
}
