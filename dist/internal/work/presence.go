package work

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
)

// beat keeps what the worker has in hand its own, and says that it lives.
func (w *Worker) beat(ctx context.Context) {
	for {
		every := w.pulse()
		w.mu.Lock()
		changed := w.changed
		w.mu.Unlock()
		select {
		case <-ctx.Done():
			return
		case <-changed.Done(): // a new run may want to hear of it more often
		case <-time.After(every):
		}
		w.mu.Lock()
		held := slices.Collect(maps.Keys(w.hand))
		w.mu.Unlock()
		for _, h := range held {
			w.queue.Works(h.message)
		}
		w.present(ctx, false)
	}
}

// every is how often the worker has to be heard, the shortest of the runs that it works
// for.
func (w *Worker) every() time.Duration {
	w.mu.Lock()
	defer w.mu.Unlock()
	every := 10 * time.Second
	for id, r := range w.runs {
		if !r.Over && w.refused[id] == "" {
			every = min(every, r.Heartbeat())
		}
	}
	for h := range w.hand { // also of one that is over: its unit may be the second of two
		every = min(every, h.run.Heartbeat())
	}
	return every
}

// pulse is after how long the worker says that it lives: sooner where the queue was full, for
// others take it for one that may be lost as soon as there is room.
func (w *Worker) pulse() time.Duration {
	every := w.every()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unheard {
		return min(every, roomAgain)
	}
	return every
}

// present says what the worker is and does. Nothing of a run depends on its arrival. Only one
// does so at a time: what was true before would otherwise overtake what is true now.
func (w *Worker) present(ctx context.Context, left bool) {
	select {
	case w.presenting <- struct{}{}:
		defer func() { <-w.presenting }()
	case <-ctx.Done():
		return
	}
	host, _ := os.Hostname()
	now, every := time.Now(), w.every()
	w.mu.Lock()
	open := map[string]bool{}
	var running []job.Unit
	for h := range w.hand {
		open[h.run.ID] = true
		if now.Sub(h.since) > every/2 {
			running = append(running, h.unit)
		}
	}
	slices.SortFunc(running, func(a, b job.Unit) int { return cmp.Or(cmp.Compare(a.Run, b.Run), a.Position-b.Position) })
	p := job.Presence{Open: slices.Sorted(maps.Keys(open)), Name: w.name, Host: host, PID: os.Getpid(), Parallel: w.o.Parallel, Running: running, Refuses: maps.Clone(w.refused), Left: left}
	w.mu.Unlock()
	p.Every = every
	text, err := json.Marshal(p)
	if err != nil || w.workers == nil {
		return
	}
	most := p.Every
	if left {
		most = min(most, askAtEnd)
	}
	ctx, done := context.WithTimeout(ctx, most)
	defer done()
	err = w.queue.Ask(ctx, func(ctx context.Context) error {
		_, err := w.workers.Put(ctx, w.name, text)
		return err
	})
	full := errors.Is(err, queue.ErrFull)
	if full {
		w.note(fmt.Errorf("%w; nobody sees what this worker does", err))
	}
	w.mu.Lock()
	w.announced, w.unheard = open, full
	w.mu.Unlock()
}

// learn follows which runs there are.
func (w *Worker) learn(ctx context.Context) error {
	if _, err := w.queue.Runs(ctx); err != nil {
		return err
	}
	runs, err := w.queue.Follow(ctx, job.BucketStream(job.RunsBucket), false, w.heard)
	if err != nil {
		return err
	}
	context.AfterFunc(ctx, runs.Stop)
	return nil
}

// heard takes over what is said of a run.
func (w *Worker) heard(m jetstream.Msg) {
	id := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	r := &job.Run{}
	gone := m.Headers().Get(job.OperationHeader) != "" || json.Unmarshal(m.Data(), r) != nil
	w.mu.Lock()
	defer w.mu.Unlock()
	if gone || w.o.Run != "" && w.o.Run != r.ID {
		w.forget(id)
	} else {
		w.runs[r.ID] = r
	}
	w.tidy()
	w.change()
	w.changed, w.change = context.WithCancel(context.Background())
}

// errForgotten is why a unit is not run to its end whose run was given up.
var errForgotten = errors.New("the run is forgotten")

// forget drops a run and stops what runs of it. The lock is held, so nothing here waits for
// the server: a worker that does is not heard, and runs nothing.
func (w *Worker) forget(run string) {
	for h := range w.hand {
		if h.run.ID == run {
			h.stop(errForgotten)
		}
	}
	delete(w.runs, run)
	delete(w.refused, run)
	delete(w.ailing, run)
	if s := w.spent[run]; s != nil {
		go s.stop()
		delete(w.spent, run)
	}
	delete(w.looked, run)
}
