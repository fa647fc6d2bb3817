package drive

import (
	"context"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// turn waits until a request may take its entry: those before it in the lane
// have, and it overlaps none, or the order makes no difference. It is false for
// a request that overlaps another whose client does not leave: one that is answered
// meanwhile has overlapped it all the same. What strikes the request is asked when it
// is its turn: which one a fault strikes is a matter of order, too.
func (r *Run) turn(ctx context.Context, l *lane, script *plan.Script, w exchange.Wanted, asked *exchange.Asked) (bool, error) {
	mine := l.queue(r.Now())
	defer func() {
		l.waiting = slices.DeleteFunc(l.waiting, func(t *ticket) bool { return t == mine })
		l.wake()
	}()
	until, waits := ctx, patience(r.options.Patience)
	for {
		if l.waiting[0] == mine {
			r.pose(asked)
			l.settle()
			if !slices.ContainsFunc(l.taken, func(t *taken) bool { return mine.overlaps(t.Exchange) }) {
				return true, nil // mostly nobody is in its way
			}
			harmless := func(inTheWay func(*Exchange) bool) bool {
				in := asked.Injection
				return (in == nil || in.FromOutage() && !in.Looks()) && l.harmless(r.cursor(l, script), w, inTheWay)
			}
			if harmless(mine.overlaps) {
				l.mixed = true
				return true, nil
			}
			answered := func(x *Exchange) bool { return mine.overlaps(x) && x.isOver() }
			if until.Err() != nil && len(waits) == 0 || r.options.Patience <= 0 || !harmless(answered) {
				return false, ctx.Err()
			}
		}
		if (until == ctx || until.Err() != nil) && len(waits) > 0 {
			patient, cancel := r.options.Clock.WithTimeout(ctx, waits[0])
			defer cancel()
			until, waits = patient, waits[1:]
		}
		if l.changed == nil {
			l.changed = make(chan struct{})
		}
		changed, end := l.changed, ctx.Done()
		if l.waiting[0] == mine {
			end = until.Done()
		}
		r.mu.Unlock()
		select {
		case <-changed:
		case <-end:
		}
		r.mu.Lock()
		if ctx.Err() != nil {
			return false, ctx.Err()
		}
		r.farewell(nil)
	}
}

// patience is how long to wait for a client to be seen leaving, in two parts. On a machine
// that has let nothing of this process run for a while, the first ends at the moment at
// which it runs again, before anybody has looked at the sockets; the second is time in which
// somebody does.
func patience(d time.Duration) []time.Duration { return []time.Duration{d - d/5, d / 5} }

// pose asks what strikes a request, once.
func (r *Run) pose(asked *exchange.Asked) {
	if !asked.Posed {
		asked.Injection, asked.Posed = r.sources.Pose(asked), true
	}
}
