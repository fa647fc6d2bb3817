package queue

import (
	"context"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// How many streams are removed at a time at most, and how long that may take: who queues a
// run waits for it.
const (
	sweepMost = 100
	sweepMax  = 10 * time.Second
)

// Sweep removes what is left of runs that the queue has forgotten, for who has just queued a
// run. The index of runs, units and results expire by themselves; the empty streams that had
// them do not. It does what it can, and nothing depends on it: what fails, and what is too much
// at a time, is left to the next sweep.
func (q *Queue) Sweep(ctx context.Context, run string) { q.sweep(ctx, run, keep) }

// sweep is Sweep for streams that have an age at least.
func (q *Queue) sweep(ctx context.Context, run string, age time.Duration) {
	ctx, done := context.WithTimeout(ctx, sweepMax)
	defer done()
	defer q.spare(done, "$JS.API.STREAM.LIST", "$JS.API.STREAM.DELETE.")()
	var found []*jetstream.StreamInfo
	streams := q.JS.ListStreams(ctx)
	for s := range streams.Info() {
		if s.State.Msgs == 0 && job.RunOf(s.Config.Name, s.Config.Subjects) != "" {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return
	}
	// The index comes second: a run that was announced meanwhile is in it.
	known, now := q.index(ctx, run)
	removed := 0
	for _, s := range found {
		if known[job.RunOf(s.Config.Name, s.Config.Subjects)] || now.Sub(s.Created) < age {
			continue
		}
		if removed++; removed > sweepMost || ctx.Err() != nil {
			return
		}
		_ = q.JS.DeleteStream(ctx, s.Config.Name)
	}
}

// index are the runs that the queue knows of, and the present time by its own clock, as that of
// this machine may be wrong: the time at which it was told last of a run that was just queued.
// Where it does not know of that any more, nothing is old.
func (q *Queue) index(ctx context.Context, run string) (known map[string]bool, now time.Time) {
	runs, err := q.Runs(ctx)
	if err != nil {
		return nil, now
	}
	entries, err := q.Entries(ctx, runs)
	if err != nil {
		return nil, now
	}
	known = map[string]bool{}
	for _, e := range entries {
		known[e.Key()] = true // also one that this version cannot read
		if e.Key() == run {
			now = e.Created()
		}
	}
	return known, now
}
