package work

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// Shows that whenever a worker says something of itself it says what it runs, and of which
// runs it has something in hand, however short: who dies then is known to have had it.
func TestPresenceHasWhatIsInHand(t *testing.T) {
	b := lay(t, &job.Run{Units: 2, AckWait: 30 * time.Second, Deliveries: 1})
	kv, err := b.q.Workers(t.Context())
	b.ok(err)
	b.w.workers = kv
	for n, since := range map[int]time.Time{1: time.Now().Add(-time.Hour), 2: time.Now()} {
		b.w.hand[&held{unit: job.Unit{Run: "r", Position: n}, run: b.r, since: since}] = struct{}{}
	}
	for range 2 {
		b.w.present(t.Context(), false)
		e, err := kv.Get(t.Context(), b.w.name)
		b.ok(err)
		var p job.Presence
		b.ok(json.Unmarshal(e.Value(), &p))
		if !slices.Equal(p.Open, []string{"r"}) || len(p.Running) != 1 || p.Running[0].Position != 1 {
			t.Errorf("it says %s", e.Value())
		}
	}
}

// A slowBucket holds what is put into it until others have had time to do so, too.
type slowBucket struct {
	jetstream.KeyValue
	inside, most atomic.Int32
}

func (b *slowBucket) Put(ctx context.Context, key string, value []byte) (uint64, error) {
	b.most.Store(max(b.most.Load(), b.inside.Add(1)))
	defer b.inside.Add(-1)
	for range 1000 {
		runtime.Gosched()
	}
	return b.KeyValue.Put(ctx, key, value)
}

// Shows that what a worker says of itself is never overtaken by what it said before, which
// would be of a worker that has nothing in hand, and that a unit begins after it was said.
func TestPresencesKeepTheirOrder(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: 30 * time.Second, Deliveries: 1})
	b.unit(job.Unit{Run: "r", Position: 1})
	kv, err := b.q.Workers(t.Context())
	b.ok(err)
	bucket := &slowBucket{KeyValue: kv}
	b.w.workers = bucket
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() { b.w.present(t.Context(), false) })
	}
	h := &held{message: b.handed(), unit: job.Unit{Run: "r", Position: 1}, run: b.r}
	b.w.inHand(t.Context(), h)
	if !b.w.announced["r"] {
		t.Error("a unit begins before others know of it")
	}
	all.Wait()
	e, err := kv.Get(t.Context(), b.w.name)
	b.ok(err)
	var p job.Presence
	b.ok(json.Unmarshal(e.Value(), &p))
	if most := bucket.most.Load(); most != 1 || !slices.Equal(p.Open, []string{"r"}) {
		t.Errorf("%d at a time; the last says %s", most, e.Value())
	}
	ended, end := context.WithCancel(t.Context())
	end()
	b.w.presenting <- struct{}{}
	b.w.present(ended, false) // does not wait for the one that presents
}

// Shows that a worker whose server does not answer when it ends to follow the costs of a run
// is heard meanwhile, and takes other runs: neither waits for that end.
func TestEndsOfCountingHoldNothing(t *testing.T) {
	for name, ends := range map[string]func(*bed){
		"a run is forgotten": func(b *bed) { b.w.heard(announced{run: *b.r, gone: true}) },
		"the worker ends":    func(b *bed) { b.w.stopCounting() },
	} {
		t.Run(name, func(t *testing.T) {
			b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
			asked, release := make(chan struct{}, 2), make(chan struct{})
			for _, run := range []string{"r", "r2"} {
				b.w.spent[run] = &spending{stop: func() { asked <- struct{}{}; <-release }}
			}
			ended := make(chan struct{})
			go func() { ends(b); close(ended) }()
			heard := make(chan struct{})
			go func() { <-asked; b.w.every(); close(heard) }()
			select {
			case <-heard:
			case <-time.After(time.Minute):
				t.Error("its lock is held until the server answers")
			}
			close(release)
			<-ended
		})
	}
}

// Shows that how often a worker has to be heard is decided by the runs that it works for.
func TestHowOftenAWorkerIsHeard(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: 6 * time.Second, Deliveries: 1})
	b.w.runs["over"] = &job.Run{ID: "over", Over: true, AckWait: 300 * time.Millisecond}
	b.w.runs["refused"] = &job.Run{ID: "refused", AckWait: 300 * time.Millisecond}
	b.w.refused["refused"] = "worker_version"
	if got := b.w.every(); got != 2*time.Second {
		t.Errorf("every %s, want the third of 6s", got)
	}
	b.w.hand[&held{run: b.w.runs["over"]}] = struct{}{}
	if got := b.w.every(); got != 100*time.Millisecond {
		t.Errorf("every %s with a unit of a run that is over, want the third of 300ms", got)
	}
}

// Shows that a worker which could not say that it lives, because the queue was full, tries
// again within a second, so that it is not taken for lost once there is room.
func TestHowSoonAWorkerIsHeardAgain(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	room, err := b.q.Workers(t.Context())
	b.ok(err)
	for _, c := range []struct {
		bucket jetstream.KeyValue
		want   time.Duration
	}{{room, 10 * time.Second}, {fullBucket{}, time.Second}, {room, 10 * time.Second}} {
		b.w.workers = c.bucket
		b.w.present(t.Context(), false)
		if got := b.w.pulse(); got != c.want {
			t.Errorf("it says so again after %s, want %s", got, c.want)
		}
	}
}

// Shows that two workers are never one to others, though in containers their machines and
// processes are called alike.
func TestNamesOfWorkers(t *testing.T) {
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	if other := New(b.q, 1, b.w.o); other.name == b.w.name {
		t.Errorf("both are %s", other.name)
	}
}

// A fullBucket has no room.
type fullBucket struct{ jetstream.KeyValue }

func (fullBucket) Put(context.Context, string, []byte) (uint64, error) {
	return 0, &jetstream.APIError{Code: 503, ErrorCode: 10047, Description: "insufficient storage resources available"}
}

// Shows that a worker says that nobody sees it where the queue is full, and which of what it
// misses is worth a word: not the streams of a run that is over, nor a server that is away,
// but the files of a run.
func TestWhatAWorkerSays(t *testing.T) {
	var log bytes.Buffer
	b := lay(t, &job.Run{Units: 1, AckWait: time.Hour, Deliveries: 1})
	b.w.o.Log, b.w.workers = &log, fullBucket{}
	b.w.present(t.Context(), false)
	if !strings.Contains(log.String(), "insufficient storage resources available; nobody sees what this worker does\n") {
		t.Errorf("it says %q", log.String())
	}
	log.Reset()
	b.w.note(jetstream.ErrStreamNotFound)
	b.w.note(nats.ErrNoResponders) // the queue says so itself
	b.w.note(nats.ErrConnectionClosed)
	if b.w.note(queue.Expired("the files of run r", jetstream.ErrObjectNotFound)); log.String() != "note: the queue no longer has the files of run r: it keeps files for seven days\n" {
		t.Errorf("it says %q", log.String())
	}
}
