package main

import (
	"testing"
	"time"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows which workers are named as those that left units behind: who has the run open and
// has missed more than a heartbeat, also a little before the time after which units are
// handed out again has passed.
func TestWhoLeftUnitsBehind(t *testing.T) {
	r := &job.Run{ID: "r", AckWait: 30 * time.Second}
	of := func(silent time.Duration, left bool, open ...string) *collect.WorkerStatus {
		return &collect.WorkerStatus{Presence: job.Presence{Open: open, Left: left}, Silent: silent}
	}
	for name, c := range map[string]struct {
		w    *collect.WorkerStatus
		want bool
	}{
		"silent for long":           {of(time.Hour, false, "q", "r"), true},
		"its units just handed out": {of(29*time.Second, false, "r"), true},
		"alive":                     {of(10*time.Second, false, "r"), false},
		"with another run":          {of(time.Hour, false, "q"), false},
		"ended in order":            {of(time.Hour, true, "r"), false},
	} {
		if got := leftBehind(c.w, r); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
