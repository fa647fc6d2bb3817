package collect

import (
	"testing"
	"time"

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
