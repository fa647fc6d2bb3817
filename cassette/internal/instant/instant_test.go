package instant

import (
	"testing"
	"time"
)

// A date keeps its form, and what says no instant is left alone.
func TestShift(t *testing.T) {
	for _, c := range []struct {
		value string
		by    time.Duration
		want  string
		ok    bool
	}{
		{"Sun, 06 Nov 1994 08:49:37 GMT", time.Hour, "Sun, 06 Nov 1994 09:49:37 GMT", true},
		{"Sunday, 06-Nov-94 08:49:37 GMT", time.Second, "Sun, 06 Nov 1994 08:49:38 GMT", true}, // the old form of RFC 850
		{" Sun, 06 Nov 1994 08:49:37 GMT", -time.Hour, "Sun, 06 Nov 1994 07:49:37 GMT", true},
		{"Sun, 06 Nov 1994 08:49:37 GMT", time.Millisecond, "Sun, 06 Nov 1994 08:49:38 GMT", true},
		{"Sun, 06 Nov 1994 08:49:37 GMT", -time.Millisecond, "Sun, 06 Nov 1994 08:49:37 GMT", true},
		{"2026-01-27T18:00:00Z", -24 * time.Hour, "2026-01-26T18:00:00Z", true},
		{"2026-01-27T18:00:00+02:00", time.Minute, "2026-01-27T18:01:00+02:00", true},
		{"2026-01-27T18:00:00.25Z", 250 * time.Millisecond, "2026-01-27T18:00:00.5Z", true},
		{"1741305600", -5 * time.Second, "1741305595", true},
		{"1741305600000", -5 * time.Second, "1741305595000", true},
		{"30", time.Hour, "30", false},
		{"6m0s", time.Hour, "6m0s", false},
		{"999999999", time.Hour, "999999999", false},
		{"soon", time.Hour, "soon", false},
		{"", time.Hour, "", false},
	} {
		if got, ok := Shift(c.value, c.by); got != c.want || ok != c.ok {
			t.Errorf("%q moved by %s is %q, %v; want %q, %v", c.value, c.by, got, ok, c.want, c.ok)
		}
	}
}

// Fields that say an instant are those of HTTP and the resets of quotas.
func TestIn(t *testing.T) {
	for name, want := range map[string]bool{
		"date": true, "Retry-After": true, "Expires": true, "X-Ratelimit-Reset": true, "anthropic-ratelimit-tokens-reset": true,
		"X-Ratelimit-Remaining": false, "Last-Modified": false, "Content-Length": false,
	} {
		if In(name) != want {
			t.Errorf("%s says an instant: %v, want %v", name, !want, want)
		}
	}
}
