package sut

import (
	"testing"
	"time"
)

// Shows that what is quiet is measured in the real time that settle is, whatever the
// scale: two seconds of a run that is ten times as fast are 200 ms.
func TestQuietIsRealTime(t *testing.T) {
	for scale, want := range map[float64]time.Duration{1: 2 * time.Second, 10: 200 * time.Millisecond, 0.5: 4 * time.Second} {
		if got := realTime(2*time.Second, scale); got != want {
			t.Errorf("time_scale = %v: %s, want %s", scale, got, want)
		}
	}
}

// Shows that one of something is told as one.
func TestOneAndSeveral(t *testing.T) {
	for got, want := range map[string]string{exchanges(1): "1 exchange was", exchanges(2): "2 exchanges were", times(1): "once", times(3): "3 times"} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
