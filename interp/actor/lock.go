package actor

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/sched"
)

// lock admits a number of holders, first come, first served.
type lock struct {
	w     *World
	spec  *LockSpec
	actor string // whose it is, "" for a shared one
	// place is how messages and scripts call it.
	place string
	slots *sched.Semaphore
	// holders are who holds it and since when, in the order of taking it, for
	// messages and for how long it was held.
	holders []holding
	claims  claims
}

type holding struct {
	o     Origin
	since time.Duration
}

func (w *World) newLock(spec *LockSpec, actor string) *lock {
	l := &lock{w: w, spec: spec, actor: actor, place: "lock." + spec.Name, slots: w.clock.NewSemaphore(spec.Capacity)}
	if actor != "" {
		l.place = "actor." + actor + "." + l.place
	}
	l.claims = claims{place: l.place, units: spec.Capacity}
	return l
}

func (l *lock) busy() bool { return l.slots.InUse() >= l.spec.Capacity }

// names lists who holds it.
func (l *lock) names() string {
	list := make([]string, len(l.holders))
	for i, h := range l.holders {
		list[i] = h.o.Name()
	}
	return strings.Join(list, ", ")
}

// wait takes a place of the lock, and waits for one, which may close a circle of waits.
// The error is ctx's cause.
func (l *lock) wait(ctx context.Context, o Origin, circle []string) error {
	began := l.w.clock.Elapsed()
	if l.busy() {
		l.w.env.Emit(o.event(l.actor, &event.LockWait{Lock: l.spec.Name, Queue: l.slots.Waiting() + 1, Holder: l.names(), Circle: circle}))
	}
	if l.slots.Acquire(ctx, l.place) != nil {
		return context.Cause(ctx)
	}
	l.holders = append(l.holders, holding{o, l.w.clock.Elapsed()})
	l.w.env.Emit(o.event(l.actor, &event.Lock{Lock: l.spec.Name, Waited: l.w.clock.Elapsed() - began}))
	return nil
}

// waitFor takes a place of the lock for a call, as wait does.
func (l *lock) waitFor(ctx context.Context, v *visit) error {
	var circle []string
	if l.busy() {
		defer l.claims.await(v)()
		circle = v.circle()
	}
	err := l.wait(ctx, v.call.Origin, circle)
	if err == nil {
		l.claims.took(v)
	}
	return err
}

// free gives a place back.
func (l *lock) free(o Origin) {
	i := slices.IndexFunc(l.holders, func(h holding) bool { return h.o == o })
	held := l.w.clock.Elapsed() - l.holders[i].since
	l.holders = slices.Delete(l.holders, i, i+1)
	l.w.env.Emit(o.event(l.actor, &event.Unlock{Lock: l.spec.Name, Held: held}))
	l.slots.Release()
}

// acquire takes the locks of a handler in their order.
func (s *session) acquire(ctx context.Context, h *HandlerSpec) *failure.Failure {
	for _, l := range s.actor.locksOf(h) {
		if f := s.take(ctx, l); f != nil {
			return f
		}
		s.held = append(s.held, l)
	}
	return nil
}

// take waits for one lock, within its bounds.
func (s *session) take(ctx context.Context, l *lock) *failure.Failure {
	v := s.visit
	if l.busy() && l.spec.MaxQueue >= 0 && l.slots.Waiting() >= l.spec.MaxQueue {
		l.claims.blocked(v)
		return &failure.Failure{Kind: failure.QueueFull, Message: fmt.Sprintf("%s: queue is full (max_queue=%d)", l.place, l.spec.MaxQueue)}
	}
	own, cancel := v.limited(ctx, l.spec.AcquireTimeout, l.place)
	defer cancel()
	f := v.w.strikePart(own, l.place, v.call.Origin)
	if f == nil && own.Err() == nil && l.waitFor(own, v) == nil {
		return nil
	}
	switch {
	case ctx.Err() != nil:
		return v.ended(ctx)
	case errors.Is(own.Err(), context.DeadlineExceeded):
		v.w.env.Emit(v.call.Origin.event(v.actor.spec.Name, &event.Timeout{Layer: "lock", After: l.spec.AcquireTimeout}))
		return &failure.Failure{Kind: failure.LockTimeout, Message: fmt.Sprintf("%s was not free within %s; it is held by %s", l.place, l.spec.AcquireTimeout, l.names())}
	case f.Kind == failure.Timeout:
		f.Kind = failure.LockTimeout
	}
	return f
}

// release gives everything back, in reverse.
func (s *session) release() {
	for _, l := range slices.Backward(s.held) {
		l.claims.left(s.visit)
		l.free(s.visit.call.Origin)
	}
	s.held = nil
}

// strikePart lets what is done with a part of an actor meet the part's script.
func (w *World) strikePart(ctx context.Context, address string, o Origin) *failure.Failure {
	s, err := w.env.Next([]string{address}, o)
	if errors.Is(err, errPass) {
		return nil
	}
	if err != nil {
		return unanswered(err)
	}
	_, f := w.listen(ctx, "part", address, s)
	return f
}
