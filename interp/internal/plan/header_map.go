package plan

import (
	"net/http"
	"strings"
	"unicode/utf8"
)

// HeaderMap flattens header fields: names in lower case, several values joined
// by a comma, credentials hidden, as [HeaderText].
func HeaderMap(h http.Header) map[string]string {
	m := make(map[string]string, len(h))
	for name, values := range h {
		m[strings.ToLower(name)] = ByName.Header(name, HeaderText(strings.Join(values, ", ")))
	}
	return m
}

// HeaderText is the value of a header field as text. What is not UTF-8 is ISO 8859-1, in
// which HTTP had field values before (RFC 9110 §5.5), and in which Python writes them.
func HeaderText(v string) string {
	if utf8.ValidString(v) {
		return v
	}
	text := make([]rune, len(v))
	for i := range len(v) {
		text[i] = rune(v[i])
	}
	return string(text)
}
