package httptext

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Reason is the reason phrase of a recorded status such as "200 OK", "" where
// it is the standard one, which the wire adds.
func Reason(code int, status string) string {
	text := strings.TrimSpace(strings.TrimPrefix(status, strconv.Itoa(code)))
	if text == http.StatusText(code) {
		return ""
	}
	return text
}

// StatusCode is the code that is sent for the given one; 0 stands for 200.
func StatusCode(code int) int {
	if code == 0 {
		return http.StatusOK
	}
	return code
}

// StatusLine is the status as go-vcr writes it.
func StatusLine(code int, reason string) string {
	if reason == "" {
		reason = http.StatusText(code)
	}
	return strings.TrimSpace(strconv.Itoa(code) + " " + reason)
}

// CanonicalHeader returns the header with canonical names, so that it can be read
// with Get; recordings of HTTP/2 have lower-case ones.
func CanonicalHeader(h http.Header) http.Header {
	c := make(http.Header, len(h))
	for _, name := range slices.Sorted(maps.Keys(h)) {
		key := http.CanonicalHeaderKey(name)
		c[key] = append(c[key], h[name]...)
	}
	return c
}
