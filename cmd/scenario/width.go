package main

import (
	"os"
	"strconv"
	"strings"
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

// plain reports whether standard output is a terminal whose locale says that it
// shows no UTF-8 (POSIX: the first of LC_ALL, LC_CTYPE and LANG that is set).
func (a *app) plain() bool {
	if !isTerminal(a.stdout) {
		return false
	}
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v, _ := a.env(name); v != "" {
			v = strings.ToUpper(v)
			return !strings.Contains(v, "UTF-8") && !strings.Contains(v, "UTF8")
		}
	}
	return false
}

// fileOf is the file behind a writer.
func fileOf(w any) (*os.File, bool) {
	if o, ok := w.(*output); ok {
		w = o.Writer
	}
	f, ok := w.(*os.File)
	return f, ok
}
