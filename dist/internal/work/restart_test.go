package work

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// Shows that nothing of a run is only in the memory of the server, which forgets that when
// it restarts: without the bucket of its rate no trial of a bench could begin any more.
func TestNothingOfARunIsInMemory(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1, Exclusive: []string{"gpu"}, Benches: []job.Bench{{File: "f", Name: "b", Rate: 60}}})
	_, err := b.q.Begun(t.Context())
	b.ok(err)
	_, err = b.q.Workers(t.Context())
	b.ok(err)
	_, err = b.q.Bundles(t.Context())
	b.ok(err)
	found := 0
	streams := b.q.JS.ListStreams(t.Context())
	for s := range streams.Info() {
		found++
		if s.Config.Storage != jetstream.FileStorage {
			t.Errorf("%s is kept in %s", s.Config.Name, s.Config.Storage)
		}
	}
	if b.ok(streams.Err()); found < 7 { // units, results, runs, a rate, begun, workers, bundles
		t.Errorf("only %d streams", found)
	}
}

// Shows that a worker which begins late counts what was spent before: it does not begin
// a trial of a bench that has cost more than it may.
func TestLateWorkerKnowsWhatWasSpent(t *testing.T) {
	const results = 200
	b := lay(t, &job.Run{Units: results + 1, AckWait: time.Hour, Deliveries: 1, Benches: []job.Bench{{File: "f", Name: "b"}}})
	for n := 1; n <= results; n++ {
		b.ok(b.w.store(t.Context(), &held{unit: job.Unit{Run: "r", Position: n, Bench: 1}, run: b.r, deliveries: 1}, &made{line: []byte("{}"), usd: 1}))
	}
	late := New(b.q, 2, b.w.o)
	over, err := late.overspent(t.Context(), &held{unit: job.Unit{Run: "r", Position: results + 1, Bench: 1}, run: b.r}, results-1)
	if b.ok(err); !over {
		t.Error("it would begin another trial")
	}
}

// Shows that a slot runs what it has asked for before it asks elsewhere: a unit that the
// queue has handed out and nobody runs is one of which nobody says that its worker lives.
func TestSlotRunsWhatItAskedFor(t *testing.T) {
	b := lay(t, &job.Run{Units: 2, AckWait: time.Hour, Deliveries: 3})
	for n := 1; n <= 2; n++ {
		b.unit(job.Unit{Run: "r", Position: n})
	}
	s := &slot{Worker: b.w, lanes: map[lane]*queue.Lane{}}
	first, err := s.take(t.Context(), 0)
	if b.ok(err); first == nil || first.unit.Position != 1 {
		t.Fatalf("it takes %+v", first)
	}
	b.ok(s.only.Taken(first.message, takeLong)) // and asks for the next
	other := *b.r
	other.ID = "other"
	b.ok(b.q.Prepare(t.Context(), &other))
	text, err := json.Marshal(job.Unit{Run: "other", Position: 1})
	b.ok(err)
	_, err = b.q.JS.Publish(t.Context(), job.WorkSubject("other", job.Lane(0), 1), text)
	b.ok(err)
	b.w.mu.Lock()
	b.w.runs["other"] = &other
	b.w.mu.Unlock()
	for i, want := range []string{"r", "other"} { // both in the turn of the other run
		h, err := s.take(t.Context(), 2*i)
		if b.ok(err); h == nil || h.unit.Run != want {
			t.Fatalf("it takes %+v, want one of %s", h, want)
		}
	}
}
