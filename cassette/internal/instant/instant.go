package instant

import (
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// dated are the header fields that say an instant of the exchange: when it was,
// when to come back, when something ends. Those whose name has "reset" in it say
// when a quota is whole again. Last-Modified is none, as clients send it back.
var dated = []string{"Date", "Expires", "Retry-After"}

// In reports whether a field of that name says an instant.
func In(name string) bool {
	return slices.ContainsFunc(dated, func(d string) bool { return strings.EqualFold(d, name) }) ||
		strings.Contains(strings.ToLower(name), "reset")
}

// Shift returns the value of a field by that much later, in its own form: a date
// of HTTP, one of RFC 3339, or seconds or milliseconds of Unix. ok is false for a
// value that says no instant, such as a number of seconds to wait.
//
// Servers cut the fractions of a second off, so that a date is reached too early;
// a moved one is rounded up.
func Shift(value string, by time.Duration) (moved string, ok bool) {
	text := strings.TrimSpace(value)
	if t, err := http.ParseTime(text); err == nil {
		return roundUp(t.Add(by)).UTC().Format(http.TimeFormat), true
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		if t.Nanosecond() != 0 {
			return t.Add(by).Format(time.RFC3339Nano), true
		}
		return roundUp(t.Add(by)).Format(time.RFC3339), true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return value, false
	}
	switch { // from 2001 on, which no number of seconds to wait comes near
	case n >= 1e9 && n < 1e11:
		return strconv.FormatInt(n+int64(math.Ceil(by.Seconds())), 10), true
	case n >= 1e12 && n < 1e14:
		return strconv.FormatInt(n+by.Milliseconds(), 10), true
	}
	return value, false
}

func roundUp(t time.Time) time.Time {
	if whole := t.Truncate(time.Second); whole.Before(t) {
		return whole.Add(time.Second)
	}
	return t
}
