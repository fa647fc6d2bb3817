package failure

import (
	"math"
	"net/http"
	"testing"
	"time"
)

// Retry-After is read as §3 says; what cannot be read is absent.
func TestRetryAfter(t *testing.T) {
	now := time.Date(2000, 1, 1, 0, 0, 10, 0, time.UTC)
	const absent = -1
	for _, tc := range []struct {
		after, ms string
		want      time.Duration
	}{
		{"30", "", 30 * time.Second},
		{"0", "", 0},
		{" 1 ", "", time.Second},
		{"0.3", "", 300 * time.Millisecond},
		{"1.5", "", 1500 * time.Millisecond},
		{"Sat, 01 Jan 2000 00:00:12 GMT", "", 2 * time.Second},
		{"Sat, 01 Jan 2000 00:00:10 GMT", "", 0},
		{"Sat, 01 Jan 2000 00:00:09 GMT", "", absent},
		{"-5", "", absent},
		{"soon", "", absent},
		{"", "", absent},
		{"NaN", "", absent},
		{"Inf", "", absent},
		{"0x10", "", absent},
		{"1e3", "", absent},
		{"1.2.3", "", absent},
		{".", "", absent},
		{"9999999999999999999999", "", math.MaxInt64},
		{"7", "200", 200 * time.Millisecond},
		{"7", "0.5", 500 * time.Microsecond},
		{"7", "-1", 7 * time.Second},
		{"7", "junk", 7 * time.Second},
		{"", "200", 200 * time.Millisecond},
	} {
		h := http.Header{}
		h.Set("Retry-After", tc.after)
		if tc.ms != "" {
			h.Set("retry-after-ms", tc.ms)
		}
		got, ok := RetryAfter(h, now)
		if !ok {
			got = absent
		}
		if got != tc.want {
			t.Errorf("Retry-After %q, ms %q: %v, want %v", tc.after, tc.ms, got, tc.want)
		}
	}
	if _, ok := RetryAfter(nil, now); ok {
		t.Error("no header gave a wait")
	}
}

// Any header is read without panic, and never as a negative wait.
func FuzzRetryAfter(f *testing.F) {
	f.Add("30", "200")
	f.Add("Sat, 01 Jan 2000 00:00:12 GMT", "")
	f.Fuzz(func(t *testing.T, after, ms string) {
		h := http.Header{"Retry-After": {after}, "Retry-After-Ms": {ms}}
		if d, _ := RetryAfter(h, time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)); d < 0 {
			t.Errorf("%q %q: %v", after, ms, d)
		}
	})
}
