package schema

import (
	"testing"
	"time"
)

// Durations are those of Go and days; what is none, or is longer than virtual
// time may be, is refused.
func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want time.Duration
		ok   bool
	}{
		{"5s", 5 * time.Second, true},
		{"250ms", 250 * time.Millisecond, true},
		{"1h30m", 90 * time.Minute, true},
		{"2d", 48 * time.Hour, true},
		{"1d12h", 36 * time.Hour, true},
		{"0.5d", 12 * time.Hour, true},
		{"-1s", -time.Second, true},
		{"0s", 0, true},
		{"36500d", MaxDuration, true},
		{"36501d", 0, false},
		{"NaNd", 0, false},
		{"Infd", 0, false},
		{"5", 0, false},
		{"d", 0, false},
		{"5 s", 0, false},
		{"soon", 0, false},
		{"", 0, false},
	} {
		if got, ok := ParseDuration(c.text); got != c.want || ok != c.ok {
			t.Errorf("ParseDuration(%q) = %v, %v; want %v, %v", c.text, got, ok, c.want, c.ok)
		}
	}
}
