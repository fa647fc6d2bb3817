package work

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/money"
)

// wait returns when a trial of a bench with a rate may begin. The server forgets a
// beginning after its time, and only one worker can note one in its place, so the
// clocks of workers do not matter.
func (w *Worker) wait(ctx context.Context, r *job.Run, bench int) error {
	b := r.Benches[bench-1]
	if b.Rate <= 0 {
		return nil
	}
	var kv jetstream.KeyValue
	if err := w.queue.Ask(ctx, func(ctx context.Context) (err error) {
		kv, err = w.queue.JS.KeyValue(ctx, job.RateBucket(r.ID, bench))
		return err
	}); err != nil {
		return err
	}
	trials, within := queue.Beat(b.Rate)
	for {
		for i := range trials {
			err := w.queue.Ask(ctx, func(ctx context.Context) error {
				_, err := kv.Create(ctx, "beat"+strconv.Itoa(i), nil)
				return err
			})
			if !errors.Is(err, jetstream.ErrKeyExists) {
				return err
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(within / 10):
		}
	}
}

// A spending follows what the trials of a run cost, whoever ran them.
type spending struct {
	mu    sync.Mutex
	moved *sync.Cond
	// seen is the last result that was counted, and counted are the results by
	// position: a server that was restarted may show one twice.
	seen    uint64
	counted map[int]bool
	usd     map[int]money.USD
	// there was the last result when this began to count.
	there uint64
	stop  func()
}

// follow begins to count the costs of a run.
func (w *Worker) follow(ctx context.Context, run string) (*spending, error) {
	s := &spending{counted: map[int]bool{}, usd: map[int]money.USD{}}
	s.moved = sync.NewCond(&s.mu)
	if err := w.queue.Ask(ctx, func(ctx context.Context) error {
		results, err := w.queue.JS.Stream(ctx, job.ResultStream(run))
		if err != nil {
			return err
		}
		if state := results.CachedInfo().State; state.Msgs > 0 {
			s.there = state.LastSeq
		}
		return nil
	}); err != nil {
		return nil, err
	}
	follow, err := w.queue.Follow(ctx, job.ResultStream(run), true, s.count)
	if err != nil {
		return nil, err
	}
	s.stop = follow.Stop
	return s, nil
}

func (s *spending) count(m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen = max(s.seen, meta.Sequence.Stream)
	if at := job.PositionOf(m.Subject()); !s.counted[at] {
		s.counted[at] = true
		bench, _ := strconv.Atoi(m.Headers().Get(job.BenchHeader))
		if usd, err := strconv.ParseFloat(m.Headers().Get(job.CostHeader), 64); err == nil {
			s.usd[bench] = s.usd[bench].Plus(money.Of(usd))
		}
	}
	s.moved.Broadcast()
}

// over reports whether more was spent on a bench than may be, counted up to a result, and
// up to the last that was there when this began to count: a worker may begin late.
func (s *spending) over(ctx context.Context, upTo uint64, bench int, limit float64) bool {
	done := context.AfterFunc(ctx, s.moved.Broadcast)
	defer done()
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.seen < max(upTo, s.there) && ctx.Err() == nil {
		s.moved.Wait()
	}
	return s.usd[bench].Cmp(money.Of(limit)) > 0
}

// begin notes that a unit begins that must not run twice, and reports whether it has
// begun before.
func (w *Worker) begin(ctx context.Context, u *job.Unit) (before bool, err error) {
	const what = "a trial that must not run twice"
	var kv jetstream.KeyValue
	if err := w.whenRoom(ctx, what, func(ctx context.Context) (err error) {
		kv, err = w.queue.Begun(ctx)
		return err
	}); err != nil {
		return false, err
	}
	mine := fmt.Sprintf("%s %d", w.name, time.Now().UnixNano()) // told apart from what a try before stored whose answer was lost
	err = w.whenRoom(ctx, what, func(ctx context.Context) error {
		_, err := kv.Create(ctx, fmt.Sprintf("%s.%d", u.Run, u.Position), []byte(mine))
		return err
	})
	if !errors.Is(err, jetstream.ErrKeyExists) {
		return false, err
	}
	err = w.queue.Ask(ctx, func(ctx context.Context) error {
		e, err := kv.Get(ctx, fmt.Sprintf("%s.%d", u.Run, u.Position))
		before = err == nil && string(e.Value()) != mine
		return err
	})
	return before, err
}
