package work

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/bundle"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/money"
)

// Shows that a unit which a lane had asked for, and which comes when the lane is closed,
// goes back as one that was never handed out, also where the worker does not know its run any
// more. The server would keep it for an hour.
func TestUnitThatComesTooLate(t *testing.T) {
	for name, known := range map[string]bool{"of a run": true, "of a run that others know": false} {
		t.Run(name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
			l, from := b.asking()
			ended, end := context.WithCancel(t.Context())
			end()
			b.unit(job.Unit{Run: "r", Position: 1})
			b.becomes(0, 1)
			if !known {
				b.w.forget("r")
			}
			(&slot{Worker: b.w, lanes: map[lane]*queue.Lane{l: from}}).leave(ended, l)
			b.becomes(1, 0)
			meta, err := b.handed().Metadata()
			b.ok(err)
			if meta.NumDelivered != 1 {
				t.Errorf("it was handed out %d times", meta.NumDelivered)
			}
		})
	}
}

// Shows that nobody waits for what a lane has asked for where all units of its run have
// results: a command that is over would end later by as long as the server may take.
func TestLaneOfARunWithAllResults(t *testing.T) {
	for _, c := range []struct {
		name string
		has  func(*bed)
	}{
		{"the worker knows", func(b *bed) { b.r.Over = true }},
		{"the queue knows", func(b *bed) {
			_, err := b.q.JS.Publish(t.Context(), job.ResultSubject("r", 1), []byte("{}"))
			b.ok(err)
		}},
		{"the run is forgotten", func(b *bed) {
			b.w.forget("r")
			b.ok(b.q.Forget(t.Context(), b.r))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
			l, from := b.asking()
			c.has(b)
			left := make(chan struct{})
			go func() {
				defer close(left)
				(&slot{Worker: b.w, lanes: map[lane]*queue.Lane{l: from}}).leave(t.Context(), l)
			}()
			select {
			case <-left:
			case <-time.After(30 * time.Second):
				t.Error("the lane is still open")
			}
		})
	}
}

// asking is a lane of the run that has asked for a unit, which it would wait for a minute for.
func (b *bed) asking() (lane, *queue.Lane) {
	b.Helper()
	l := lane{"r", job.Lane(0)}
	from, err := b.q.Lane(job.WorkStream(l.run), l.name)
	b.ok(err)
	ended, end := context.WithCancel(b.Context())
	end()
	if m, err := from.Next(ended, time.Minute); m != nil || err != nil { // it has asked by then
		b.Fatal(m, err)
	}
	b.ok(b.q.Conn.Flush())
	return l, from
}

// Shows that a unit whose return is said twice, as where the answer to the first was lost,
// is in the queue once.
func TestUnitGivenBackTwice(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	b.unit(job.Unit{Run: "r", Position: 1})
	h, err := b.w.hold(t.Context(), b.handed(), "r")
	b.ok(err)
	b.ok(b.w.giveBack(t.Context(), h))
	b.ok(b.w.giveBack(t.Context(), h))
	b.becomes(1, 0)
}

// Shows that a run is over once all of its units are queued and have results, and not
// before: a submitter that still queues units would be contradicted.
func TestWhenARunIsOver(t *testing.T) {
	for _, c := range []struct {
		name    string
		sealed  bool
		results int
		over    bool
	}{
		{"all of them", true, 2, true},
		{"one has none", true, 1, false},
		{"not all are queued", false, 2, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 2, AckWait: time.Hour, Deliveries: 1})
			b.r.Sealed = c.sealed
			for n := range c.results {
				_, err := b.q.JS.Publish(t.Context(), job.ResultSubject("r", n+1), []byte("{}"))
				b.ok(err)
			}
			b.ok(b.w.idle(t.Context(), "r", nil))
			said, err := b.q.Run(t.Context(), "r")
			b.ok(err)
			if b.w.runs["r"].Over != c.over || said.Over != c.over {
				t.Errorf("to the worker it is over: %v, to others: %v", b.w.runs["r"].Over, said.Over)
			}
		})
	}
}

// Shows that a worker creates anew what hands out the units of a run, where the server has
// lost that and has the units: nobody would get them otherwise.
func TestLaneThatTheServerHasLost(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	b.unit(job.Unit{Run: "r", Position: 1})
	b.ok(b.q.JS.DeleteConsumer(t.Context(), job.WorkStream("r"), job.Lane(0)))
	s := &slot{Worker: b.w, lanes: map[lane]*queue.Lane{}}
	for range 100 {
		h, err := s.take(t.Context(), 0)
		if b.ok(err); h != nil {
			return
		}
	}
	t.Error("the unit is not handed out")
}

// Shows that a worker which has stored a result counts what it cost before it begins
// another trial, however late it is told of it, and that each result it stores is one that
// it waits for.
func TestOwnCostIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &spending{counted: map[int]bool{}, usd: map[int]money.USD{}}
		s.moved = sync.NewCond(&s.mu)
		w := &Worker{spent: map[string]*spending{"r": s}, stored: map[string]uint64{"r": 12}}
		h := &held{unit: job.Unit{Run: "r", Position: 13, Bench: 1}, run: &job.Run{ID: "r"}}
		var over, said bool
		go func() {
			over, _ = w.overspent(t.Context(), h, 4)
			said = true
		}()
		s.count(stored{position: 11, sequence: 11, bench: 1, usd: "1"})
		synctest.Wait()
		if said {
			t.Error("it does not wait for its own result")
		}
		s.count(stored{position: 12, sequence: 12, bench: 1, usd: "5"})
		synctest.Wait()
		if !said || !over {
			t.Errorf("it has said so: %v, that it is over: %v", said, over)
		}
	})
	b := lay(t, &job.Run{Units: 2, AckWait: time.Hour, Deliveries: 1, Benches: []job.Bench{{File: "f", Name: "b"}}})
	for n := 1; n <= 2; n++ {
		b.ok(b.w.store(t.Context(), &held{unit: job.Unit{Run: "r", Position: n, Bench: 1}, run: b.r, deliveries: 1}, &made{line: []byte("{}"), usd: 1}))
		if got := b.w.stored["r"]; got != uint64(n) {
			t.Errorf("after %d results it waits for the %d.", n, got)
		}
	}
}

// runnable stores the files of a suite with one scenario and is a unit of it.
func (b *bed) runnable() job.Unit {
	b.Helper()
	dir := b.TempDir()
	path := filepath.Join(dir, "f.scenario.hcl")
	b.ok(os.WriteFile(path, []byte(`
provider "openai" "llm" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.llm
  step "llm" "answer" { prompt = "Why?" }
}
scenario "s" {
  run = workflow.w
  on "answer" {
    reply { content = "So." }
  }
  expect "answer" { content = "So." }
}
`), 0o600))
	made := bundle.NewBuilder()
	b.ok(made.Add(path))
	data, digest, err := made.Bytes()
	b.ok(err)
	store, err := b.q.Bundles(b.Context())
	b.ok(err)
	_, err = store.PutBytes(b.Context(), digest, data)
	b.ok(err)
	b.r.Bundle, b.r.Cwd = digest, dir
	b.ok(b.q.Announce(b.Context(), b.r))
	plan, err := b.w.plans.Named(b.Context(), b.r, "f.scenario.hcl", "s")
	b.ok(err)
	b.w.o.Play = interp.Run
	return job.Unit{Run: "r", Position: 1, File: "f.scenario.hcl", Name: "s", PlanHash: plan.Hash()}
}

// Shows that a unit stays with its worker, to be handed out again, where its result could
// not be stored, whatever the result is: taken from the queue, it would be lost.
func TestUnitWhoseResultIsNotStored(t *testing.T) {
	for _, c := range []struct {
		name  string
		spoil func(*bed, *job.Unit)
	}{
		{"a result", func(*bed, *job.Unit) {}},
		{"that nobody can begin it", func(b *bed, _ *job.Unit) { b.r.Bundle, b.r.Deliveries = strings.Repeat("0", 64), 0 }},
		{"that it was lost", func(b *bed, _ *job.Unit) { b.r.Deliveries = 0 }},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
			u := b.runnable()
			if c.spoil(b, &u); b.r.Deliveries == 0 {
				b.w.plans = NewPlans(b.q, t.TempDir(), b.w.o.Env)
				b.ok(b.q.Announce(t.Context(), b.r))
			}
			s, err := b.q.JS.Stream(t.Context(), job.ResultStream("r"))
			b.ok(err)
			narrow := s.CachedInfo().Config
			narrow.MaxMsgSize = 10
			_, err = b.q.JS.UpdateStream(t.Context(), narrow)
			b.ok(err)
			b.unit(u)
			h, err := b.w.hold(t.Context(), b.handed(), "r")
			b.ok(err)
			done, err := b.w.unit(t.Context(), h)
			if done || err == nil || !strings.Contains(err.Error(), "message size exceeds") {
				t.Errorf("it is done with: %v, %v", done, err)
			}
			b.becomes(0, 1)
		})
	}
}

// Shows that a worker keeps a result as long as the queue is full, says so now and then,
// and does not run its unit again; and that one which is told to end gives up.
func TestResultThatWaitsForRoom(t *testing.T) {
	var log bytes.Buffer
	now := time.Unix(1_000_000, 0)
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	b.w.o.Log, b.w.now = &log, func() time.Time { return now }
	b.w.after = func(d time.Duration) <-chan time.Time {
		now = now.Add(d)
		c := make(chan time.Time, 1)
		c <- now
		return c
	}
	full := error(&jetstream.APIError{Code: 503, ErrorCode: 10023, Description: "insufficient resources"})
	tries := 0
	b.ok(b.w.whenRoom(t.Context(), "a result", func(context.Context) error {
		if tries++; tries <= 25 {
			return full
		}
		return nil
	}))
	const note = "note: the queue at this process is full: insufficient resources; a result waits for room\n"
	if tries != 26 || log.String() != strings.Repeat(note, 3) {
		t.Errorf("it has tried %d times and said\n%s", tries, &log)
	}
	b.w.after = func(time.Duration) <-chan time.Time { return nil }
	ended, end := context.WithCancel(t.Context())
	end()
	if err := b.w.whenRoom(ended, "a result", func(context.Context) error { return full }); err == nil {
		t.Error("who is told to end says that it was stored")
	}
	if !strings.HasSuffix(log.String(), "a result is not stored, as this worker ends: its unit is handed out again\n") {
		t.Errorf("who is told to end says\n%s", &log)
	}
}
