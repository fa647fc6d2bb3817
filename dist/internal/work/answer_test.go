package work

import (
	"context"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// A bed is a queue inside of the test with one run, and a worker that knows it.
type bed struct {
	*testing.T
	q *queue.Queue
	r *job.Run
	w *Worker
}

func lay(t *testing.T, r *job.Run) *bed {
	t.Helper()
	q, err := queue.Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(q.Close)
	r.ID, r.Sealed = "r", true
	b := &bed{t, q, r, New(q, 1, Options{Parallel: 1, Dir: t.TempDir(), Env: func(string) (string, bool) { return "", false }, Log: io.Discard})}
	b.w.runs[r.ID] = r
	b.ok(q.Prepare(t.Context(), r))
	b.ok(q.Announce(t.Context(), r))
	return b
}

func (b *bed) ok(err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}

// queued puts a message where a unit of the run belongs.
func (b *bed) queued(position int, text string) {
	b.Helper()
	_, err := b.q.JS.Publish(b.Context(), job.WorkSubject(b.r.ID, job.Lane(0), position), []byte(text))
	b.ok(err)
}

func (b *bed) unit(u job.Unit) {
	b.Helper()
	text, err := json.Marshal(u)
	b.ok(err)
	b.queued(u.Position, string(text))
}

// handed is the next message that the queue hands out.
func (b *bed) handed() *nats.Msg {
	b.Helper()
	l, err := b.q.Lane(job.WorkStream(b.r.ID), job.Lane(0))
	b.ok(err)
	m, err := l.Next(b.Context(), 10*time.Second)
	if err != nil || m == nil {
		b.Fatalf("nothing is handed out: %v", err)
	}
	return m
}

// left is what the queue has of the run: units that wait, and those that are with a
// worker, once what was said of them has arrived.
func (b *bed) left() (waiting, held int) {
	b.Helper()
	b.ok(b.q.Conn.Flush())
	c, err := b.q.JS.Consumer(b.Context(), job.WorkStream(b.r.ID), job.Lane(0))
	b.ok(err)
	return int(c.CachedInfo().NumPending), c.CachedInfo().NumAckPending
}

// becomes waits until the queue has so many units of the run.
func (b *bed) becomes(waiting, held int) {
	b.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		w, h := b.left()
		if w == waiting && h == held {
			return
		}
		if time.Now().After(end) {
			b.Fatalf("%d units wait and %d are held, want %d and %d", w, h, waiting, held)
		}
	}
}

// result waits for the result of a unit.
func (b *bed) result(position int) *jetstream.RawStreamMsg {
	b.Helper()
	s, err := b.q.JS.Stream(b.Context(), job.ResultStream(b.r.ID))
	b.ok(err)
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if m, err := s.GetLastMsgForSubject(b.Context(), job.ResultSubject(b.r.ID, position)); err == nil {
			return m
		}
	}
	b.Fatal("there is no result")
	return nil
}

// Shows that a unit of a run that nobody knows any more ends, and that one of a run that
// only this worker does not know goes back as if it had not been handed out. The server
// would wait for an hour before it handed either out again.
func TestStrayUnit(t *testing.T) {
	t.Run("forgotten", func(t *testing.T) {
		b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 3})
		b.unit(job.Unit{Run: "r", Position: 1})
		m := b.handed()
		runs, err := b.q.Runs(t.Context())
		b.ok(err)
		b.ok(runs.Purge(t.Context(), "r"))
		b.w.forget("r")
		if h, err := b.w.hold(t.Context(), m, "r"); h != nil || err != nil {
			t.Fatal(h, err)
		}
		b.becomes(0, 0)
	})
	t.Run("known to others", func(t *testing.T) {
		b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 3})
		b.unit(job.Unit{Run: "r", Position: 1})
		m := b.handed()
		b.w.forget("r")
		ended, end := context.WithCancel(t.Context())
		end() // also of a worker that was told to end
		if h, err := b.w.hold(ended, m, "r"); h != nil || err != nil {
			t.Fatal(h, err)
		}
		b.becomes(1, 0)
		meta, err := b.handed().Metadata()
		b.ok(err)
		if meta.NumDelivered != 1 {
			t.Errorf("it was handed out %d times", meta.NumDelivered)
		}
	})
}

// Shows that what lies where a unit belongs and is none is left to others at once, and
// that status can say why: another version may be able to read it.
func TestUnitThatIsNone(t *testing.T) {
	for _, c := range []struct{ name, text, why string }{
		{"no JSON", `{"run":`, "unexpected end"},
		{"another type", `{"run":"r","position":"one"}`, "cannot unmarshal"},
		{"another run", `{"run":"x","position":1,"bench":1}`, `it is of the run "x"`},
		{"another position", `{"run":"r","position":2,"bench":1}`, "its position is 2 of 2"},
		{"no position", `{"run":"r","bench":1}`, "its position is 0 of 2"},
		{"no such bench", `{"run":"r","position":1,"bench":2}`, "its bench is 2 of 1"},
		{"a negative bench", `{"run":"r","position":1,"bench":-1}`, "its bench is -1 of 1"},
		{"a scenario among trials", `{"run":"r","position":1}`, "its bench is 0 of 1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 2, AckWait: time.Hour, Deliveries: 3, Version: "v9", Benches: []job.Bench{{File: "f", Name: "b"}}})
			b.queued(1, c.text)
			if h, err := b.w.hold(t.Context(), b.handed(), "r"); h != nil || err != nil {
				t.Fatal(h, err)
			}
			b.becomes(1, 0)
			why := b.w.refused["r"]
			if !strings.HasPrefix(why, "worker_version: ") || !strings.Contains(why, c.why) || !strings.Contains(why, "v9") {
				t.Errorf("it says %q", why)
			}
		})
	}
}

// Shows that a unit which no worker can begin, because its files are gone, is not handed
// out for ever: it is lost once as many workers had it as may, and says why.
func TestUnitThatNobodyCanBegin(t *testing.T) {
	for _, c := range []struct {
		name string
		run  job.Run
		unit job.Unit
	}{
		{"scenario", job.Run{}, job.Unit{File: "f.scenario.hcl", Name: "s"}},
		{"trial", job.Run{Benches: []job.Bench{{File: "f.scenario.hcl", Name: "b"}}}, job.Unit{File: "f.scenario.hcl", Name: "b", Bench: 1, Case: "c", Trial: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.run.Units, c.run.AckWait, c.run.Deliveries, c.run.Bundle = 1, 100*time.Millisecond, 2, strings.Repeat("0", 64)
			b := lay(t, &c.run)
			c.unit.Run, c.unit.Position = "r", 1
			b.unit(c.unit)
			ctx, done := context.WithCancel(t.Context())
			worked := make(chan error, 1)
			go func() { worked <- b.w.Work(ctx) }()
			m := b.result(1)
			b.becomes(0, 0)
			done()
			b.ok(<-worked)
			if kind := m.Header.Get(job.KindHeader); kind != job.KindLost || m.Header.Get(job.DeliveryHeader) != "3" {
				t.Errorf("the result is of the kind %q, at delivery %s", kind, m.Header.Get(job.DeliveryHeader))
			}
			for _, part := range []string{"it was handed out 3 times, and could not be begun the last time", "the queue no longer has the files of run r", "worker_lost"} {
				if !strings.Contains(string(m.Data), part) {
					t.Errorf("the result does not say %q: %s", part, m.Data)
				}
			}
		})
	}
}

// extras are what the queue has of the run besides its results: their kinds.
func (b *bed) extras() (kinds []string) {
	b.Helper()
	s, err := b.q.JS.Stream(b.Context(), job.ExtraStream(b.r.ID))
	b.ok(err)
	for n := uint64(1); n <= s.CachedInfo().State.LastSeq; n++ {
		m, err := s.GetMsg(b.Context(), n)
		b.ok(err)
		kinds = append(kinds, m.Header.Get(job.KindHeader))
	}
	return kinds
}

// Shows that what was paid is counted once, and each time: a result whose acknowledgement
// was lost is stored again and is the same one, a second run of a trial is another one that
// cost the same, and one whose place says that it was lost, or not run, has cost, too.
func TestWhatWasPaidIsCounted(t *testing.T) {
	paid := &made{line: []byte(`{"n":1}`), usd: 1}
	free := &made{line: []byte(`{"n":1}`)}
	other := []byte(`{"worker_lost":1}`)
	for _, c := range []struct {
		name          string
		first, second *made
		worker        string // of the second
		deliveries    int    // of the second
		want          []string
	}{
		{"stored again", paid, paid, "", 1, nil},
		{"another delivery to the same worker", paid, paid, "", 2, []string{job.KindRepeated}},
		{"another worker", paid, paid, "w2", 2, []string{job.KindRepeated}},
		{"another worker, free", free, free, "w2", 2, nil},
		{"lost, then paid", &made{line: other, kind: job.KindLost}, paid, "w2", 2, []string{job.KindRepeated}},
		{"not run, then paid", &made{line: other, kind: job.KindUnrun}, paid, "w2", 2, []string{job.KindRepeated}},
		{"lost, then free", &made{line: other, kind: job.KindLost}, free, "w2", 2, nil},
		{"paid, then lost", paid, &made{line: other, kind: job.KindLost}, "w2", 2, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 3, Benches: []job.Bench{{File: "f", Name: "b"}}})
			h := &held{unit: job.Unit{Run: "r", Position: 1, Bench: 1, Case: "c", Trial: 1}, run: b.r, deliveries: 1}
			b.ok(b.w.store(t.Context(), h, c.first))
			if h.deliveries = c.deliveries; c.worker != "" {
				b.w.name = c.worker
			}
			b.ok(b.w.store(t.Context(), h, c.second))
			if got := b.extras(); !slices.Equal(got, c.want) {
				t.Errorf("it is noted as %q, want %q", got, c.want)
			}
		})
	}
}
