package collect

import (
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows of whom people are told: a worker that was lost with units is named as long as the
// queue has its run, and one that has left nothing behind for an hour.
func TestWorkersThatMatter(t *testing.T) {
	for _, c := range []struct {
		name   string
		worker WorkerStatus
		want   bool
	}{
		{"lives", WorkerStatus{Silent: time.Second}, true},
		{"has ended", WorkerStatus{Silent: time.Minute, Presence: job.Presence{Left: true}}, true},
		{"has ended long ago", WorkerStatus{Silent: 2 * time.Hour, Presence: job.Presence{Left: true, Open: []string{"r"}}}, false},
		{"was lost long ago", WorkerStatus{Silent: 2 * time.Hour}, false},
		{"was lost with units long ago", WorkerStatus{Silent: 40 * time.Hour, Presence: job.Presence{Open: []string{"r"}}}, true},
	} {
		if got := c.worker.matters(); got != c.want {
			t.Errorf("one that %s matters: %v", c.name, got)
		}
	}
}

// Shows that results are counted once each, also where a server that has lost some shows
// others twice, and that a count does not wait for results that are not there any more.
func TestCountOfResults(t *testing.T) {
	failed := nats.Header{job.FailedHeader: {"1"}}
	counted := func(c *count) bool {
		select {
		case <-c.over:
			return true
		default:
			return false
		}
	}
	c := &count{most: 3, seen: map[string]bool{}, over: make(chan struct{})}
	for _, d := range []delivered{{subject: "1", header: failed}, {subject: "2"}, {subject: "1", header: failed}} {
		c.add(d)
	}
	if c.atMost(3); counted(c) {
		t.Error("it has counted two of three")
	}
	if c.atMost(2); !counted(c) || c.failed != 1 {
		t.Errorf("two are left, and it has counted: %v, %d of them failed", counted(c), c.failed)
	}
	c.add(delivered{subject: "3", header: failed}) // too late
	c = &count{most: 2, seen: map[string]bool{}, over: make(chan struct{})}
	c.add(delivered{subject: "2", header: failed})
	c.add(delivered{subject: "1", header: failed})
	if !counted(c) || c.failed != 2 {
		t.Errorf("it has counted: %v, %d failed", counted(c), c.failed)
	}
}
