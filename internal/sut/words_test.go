package sut

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
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

// Shows that a limit which the file gives is divided by the scale, that the default and
// the limit of a search are real time, and that a message has the time of the file, and
// the real one beside it where that is another.
func TestLimitsOfScaledRuns(t *testing.T) {
	for _, c := range []struct {
		written bool // in a file with a scale
		timeout time.Duration
		scale   float64
		search  time.Duration
		want    time.Duration
		says    string
	}{
		{false, time.Minute, 1, 0, time.Minute, "after 1m0s"},
		{false, 20 * time.Second, 1, 0, 20 * time.Second, "after 20s"},
		{true, 20 * time.Second, 10, 0, 2 * time.Second, "after 20s (2s of real time, with time_scale = 10)"},
		{true, 20 * time.Second, 0.5, 0, 40 * time.Second, "after 20s (40s of real time, with time_scale = 0.5)"},
		{false, time.Minute, 60, 0, time.Minute, "after 1m0s"},
		{true, 20 * time.Second, 1, 0, 20 * time.Second, "after 20s"}, // real services are asked
		{true, 100 * time.Second, 10, 5 * time.Second, 5 * time.Second, "after 5s"},
		{true, 20 * time.Second, 10, 5 * time.Second, 2 * time.Second, "after 20s (2s of real time, with time_scale = 10)"},
	} {
		r := &run{options: Options{Timeout: c.search}, sut: &interp.Sut{Timeout: c.timeout, TimeoutScaled: c.written}, scale: c.scale}
		if got := r.timeout(); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
		if got := r.after(); got != c.says {
			t.Errorf("%+v: %q", c, got)
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
