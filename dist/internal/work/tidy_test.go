package work

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// An announced message is what a worker is told of a run.
type announced struct {
	jetstream.Msg
	run  job.Run
	gone bool
}

func (a announced) Subject() string { return "$KV." + job.RunsBucket + "." + a.run.ID }

func (a announced) Data() []byte {
	if a.gone {
		return nil
	}
	text, err := json.Marshal(a.run)
	if err != nil {
		return nil
	}
	return text
}

func (a announced) Headers() nats.Header {
	if a.gone {
		return nats.Header{job.OperationHeader: {"PURGE"}}
	}
	return nil
}

// Shows that the files of a run stay as long as a run that is not over needs them, or a unit
// of one is in hand; that they are removed then; and that a unit that comes later still has
// them, as they are fetched again.
func TestFilesOfRunsThatAreOver(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	u := b.runnable()
	there := func(when string, want bool) {
		t.Helper()
		if _, err := os.Stat(filepath.Join(b.w.o.Dir, b.r.Bundle)); (err == nil) != want {
			t.Errorf("%s: the files are there: %v", when, err == nil)
		}
	}
	there("before", true)
	other, over := *b.r, *b.r
	other.ID, over.Over = "other", true
	b.w.heard(announced{run: other})
	b.w.heard(announced{run: over})
	there("another run needs them", true)
	h := &held{unit: u, run: &other}
	b.w.hand[h] = struct{}{}
	h.stop = func(error) {}
	b.w.heard(announced{run: other, gone: true})
	there("a unit is in hand", true)
	delete(b.w.hand, h)
	b.w.mu.Lock()
	b.w.tidy()
	b.w.mu.Unlock()
	there("nobody needs them", false)
	if _, err := b.w.plans.Of(t.Context(), b.r, &u); err != nil {
		t.Errorf("a unit that comes later cannot be begun: %v", err)
	}
	there("a unit has come", true)
	b.w.refused["r"] = "for a reason"
	b.w.heard(announced{run: *b.r})
	there("the run is left to others", false)
}
