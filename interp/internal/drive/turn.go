package drive

import (
	"context"
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// turn waits until a request may take its entry: those before it in the lane
// have, and it overlaps none, or the order makes no difference. It is false for
// a request that overlaps another whose client does not leave. What strikes the
// request is asked when it is its turn: which one a fault strikes is a matter of
// order, too.
func (r *Run) turn(ctx context.Context, l *lane, script *plan.Script, w exchange.Wanted, asked *exchange.Asked) (bool, error) {
	mine := &ticket{}
	l.waiting = append(l.waiting, mine)
	defer func() {
		l.waiting = slices.DeleteFunc(l.waiting, func(t *ticket) bool { return t == mine })
		l.wake()
	}()
	if l.waiting[0] == mine { // mostly nobody is in its way
		if r.pose(asked); !l.settle() {
			return true, nil
		}
	}
	until, cancel := r.options.Clock.WithTimeout(ctx, r.options.Patience)
	defer cancel()
	for {
		if l.waiting[0] == mine {
			if r.pose(asked); !l.settle() {
				return true, nil
			}
			if in := asked.Injection; (in == nil || in.FromOutage() && !in.Looks()) && l.harmless(r.cursor(l, script), w) {
				l.mixed = true
				return true, nil
			}
			if r.options.Patience <= 0 || until.Err() != nil {
				return false, ctx.Err()
			}
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

// pose asks what strikes a request, once.
func (r *Run) pose(asked *exchange.Asked) {
	if !asked.Posed {
		asked.Injection, asked.Posed = r.sources.Pose(asked), true
	}
}
