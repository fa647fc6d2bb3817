package cassette

import (
	"net/http"
	"strconv"
	"strings"
)

// reason is the reason phrase of a recorded status such as "200 OK", "" where
// it is the standard one, which the wire adds.
func reason(code int, status string) string {
	text := strings.TrimSpace(strings.TrimPrefix(status, strconv.Itoa(code)))
	if text == http.StatusText(code) {
		return ""
	}
	return text
}

// statusCode is the code that is sent for the given one; 0 stands for 200.
func statusCode(code int) int {
	if code == 0 {
		return http.StatusOK
	}
	return code
}

// statusLine is the status as go-vcr writes it.
func statusLine(code int, reason string) string {
	if reason == "" {
		reason = http.StatusText(code)
	}
	return strings.TrimSpace(strconv.Itoa(code) + " " + reason)
}

// canonical returns the header with canonical names, so that it can be read
// with Get; recordings of HTTP/2 have lower-case ones.
func canonical(h http.Header) http.Header {
	c := make(http.Header, len(h))
	for _, name := range sortedKeys(h) {
		key := http.CanonicalHeaderKey(name)
		c[key] = append(c[key], h[name]...)
	}
	return c
}
