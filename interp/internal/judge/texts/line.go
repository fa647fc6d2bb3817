package texts

import (
	"regexp"
	"strings"
)

// OfLine says why that a pattern does not match shows nothing of the lines of a text.
const OfLine = "it holds because ^ and $ are the beginning and the end of the whole text, and no line but that was looked at; another one does match, so it shows nothing here.\nhint: begin the pattern with (?m), which makes them those of each line"

// IsOneLine reports whether a pattern that a function looks for, and that matches no text, matches a
// line of it.
func IsOneLine(name, pattern, text string) bool {
	if name != "regexmatch" || !strings.ContainsAny(pattern, "^$") || !strings.Contains(text, "\n") {
		return false
	}
	re, err := regexp.Compile("(?m)" + pattern)
	return err == nil && re.MatchString(text)
}
