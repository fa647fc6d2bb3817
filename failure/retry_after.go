package failure

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// RetryAfter reads how long a server asks a client to wait: retry-after-ms
// before Retry-After, whose value is seconds (also fractional) or an HTTP-date
// (RFC 9110 §10.2.3), which counts from now. Negative and unreadable values
// are absent. A wait beyond what a Duration holds is the longest one.
func RetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	if d, ok := decimal(h.Get("Retry-After-Ms"), time.Millisecond); ok {
		return d, true
	}
	value := strings.TrimSpace(h.Get("Retry-After"))
	if value == "" {
		return 0, false
	}
	if d, ok := decimal(value, time.Second); ok {
		return d, true
	}
	date, err := http.ParseTime(value)
	if err != nil || date.Before(now) {
		return 0, false
	}
	return date.Sub(now), true
}

// decimal reads digits with at most one point, in the given unit.
func decimal(s string, unit time.Duration) (time.Duration, bool) {
	s = strings.TrimSpace(s)
	if s == "" || strings.Trim(s, "0123456789.") != "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil && !math.IsInf(f, 1) {
		return 0, false
	}
	f = math.Round(f * float64(unit))
	if f >= math.MaxInt64 {
		return math.MaxInt64, true
	}
	return time.Duration(f), true
}
