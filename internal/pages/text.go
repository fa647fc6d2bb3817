package pages

import "strings"

// Unindent removes the white space before and after every line, and empty
// lines, so that a text can be found wherever it stands.
func Unindent(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line + "\n")
		}
	}
	return b.String()
}

// Elided reports whether what was printed is what a page says, where a line
// of the page that is "…" stands for any number of lines.
func Elided(page, printed string) bool {
	rest, open := printed, false
	for i, piece := range strings.Split(page, "…\n") {
		at := strings.Index(rest, piece)
		if at < 0 || i == 0 && at != 0 {
			return false
		}
		rest, open = rest[at+len(piece):], true
	}
	return open && (rest == "" || strings.HasSuffix(page, "…\n"))
}

// Stands reports whether a block stands word for word in a text. A line of
// three dots in the block stands for any lines of the text.
func Stands(text, block string) bool {
	for _, piece := range strings.Split(block, "…\n") {
		_, rest, found := strings.Cut(text, piece)
		if !found {
			return false
		}
		text = rest
	}
	return true
}
