package redact

import (
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"strings"
)

const (
	placeholderStart = "<REDACTED:sha256="
	placeholderLen   = len(placeholderStart) + 16 + 1
)

// Placeholder stands for a secret: `<REDACTED:sha256=`, the
// first 16 hex digits of the secret's sum, and `>`. The same secret always has
// the same one, so that two of them can be compared without knowing either.
func Placeholder(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return placeholderStart + hex.EncodeToString(sum[:8]) + ">"
}

// escapedStart begins a placeholder where a URL does not take it as it is.
var escapedStart = strings.TrimSuffix(url.QueryEscape(placeholderStart+">"), "%3E")

// placeholderAt returns how long the placeholder is that text begins with, 0
// where it begins with none.
func placeholderAt(text string) int {
	switch {
	case text == "" || text[0] != '<' && text[0] != '%':
		return 0
	case len(text) >= placeholderLen && strings.HasPrefix(text, placeholderStart) && text[placeholderLen-1] == '>' && isHex(text[len(placeholderStart):placeholderLen-1]):
		return placeholderLen
	}
	n := len(escapedStart) + 16
	if len(text) >= n+3 && strings.HasPrefix(text, escapedStart) && text[n:n+3] == "%3E" && isHex(text[n-16:n]) {
		return n + 3
	}
	return 0
}

// IsPlaceholder reports whether a text is a placeholder and nothing else.
func IsPlaceholder(text string) bool { return text != "" && placeholderAt(text) == len(text) }

func isHex(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// nextPlaceholder finds the first placeholder from a place on; both ends are
// len(text) where there is none.
func nextPlaceholder(text string, from int) (start, end int) {
	for i := from; i < len(text); i++ {
		next := strings.IndexAny(text[i:], "<%")
		if next < 0 {
			break
		}
		i += next
		if n := placeholderAt(text[i:]); n > 0 {
			return i, i + n
		}
	}
	return len(text), len(text)
}
