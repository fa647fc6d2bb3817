package actor

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/sched"
)

// pool hands connections out, first come, first served.
type pool struct {
	w     *World
	spec  *PoolSpec
	actor string
	// place is how messages and scripts call it.
	place  string
	slots  *sched.Semaphore
	claims claims
}

func (w *World) newPool(spec *PoolSpec, actor string) *pool {
	place := "actor." + actor + ".pool." + spec.Name
	return &pool{w: w, spec: spec, actor: actor, place: place, slots: w.clock.NewSemaphore(spec.Size), claims: claims{place: place, units: spec.Size}}
}

func (p *pool) emit(o Origin, action string, waiting int, waited *time.Duration) {
	p.tell(o, &event.Pool{Action: action, Waiting: waiting, Waited: waited})
}

func (p *pool) tell(o Origin, e *event.Pool) {
	e.Pool, e.InUse = p.spec.Name, p.slots.InUse()
	p.w.env.Emit(o.event(p.actor, e))
}

func (p *pool) busy() bool { return p.slots.InUse() >= p.spec.Size }

// wait takes a connection, and waits for one, which may close a circle of waits. The
// error is ctx's cause.
func (p *pool) wait(ctx context.Context, o Origin, circle []string) error {
	began := p.w.clock.Elapsed()
	if p.busy() {
		p.tell(o, &event.Pool{Action: poolWait, Waiting: p.slots.Waiting() + 1, Circle: circle})
	}
	if p.slots.Acquire(ctx, p.place) != nil {
		return context.Cause(ctx)
	}
	waited := p.w.clock.Elapsed() - began
	p.emit(o, poolAcquire, p.slots.Waiting(), &waited)
	return nil
}

// release gives a connection back.
func (p *pool) release(o Origin) {
	p.slots.Release()
	p.emit(o, poolRelease, p.slots.Waiting(), nil)
}

// giveBack is release by a call that acquired the connection.
func (p *pool) giveBack(v *visit) {
	p.claims.left(v)
	p.release(v.call.Origin)
}

// acquire takes a connection for a call, within the pool's bound.
func (p *pool) acquire(ctx context.Context, v *visit) *failure.Failure {
	own, cancel := v.limited(ctx, p.spec.AcquireTimeout, p.place)
	defer cancel()
	var circle []string
	if p.busy() {
		defer p.claims.await(v)()
		circle = v.circle()
	}
	if p.wait(own, v.call.Origin, circle) == nil {
		p.claims.took(v)
		return nil
	}
	if ctx.Err() != nil {
		return v.ended(ctx)
	}
	p.emit(v.call.Origin, poolTimeout, p.slots.Waiting(), nil)
	return &failure.Failure{Kind: failure.PoolTimeout, Message: fmt.Sprintf("no connection of %s was free within %s", p.place, p.spec.AcquireTimeout)}
}

// query is what a call asks over a connection: the script has its say.
func (p *pool) query(ctx context.Context, v *visit) *failure.Failure {
	own, cancel := v.limited(ctx, p.spec.StatementTimeout, p.place)
	defer cancel()
	f := p.w.strikePart(own, p.place, v.call.Origin)
	switch {
	case f == nil:
		return nil
	case ctx.Err() != nil:
		return v.ended(ctx)
	case errors.Is(own.Err(), context.DeadlineExceeded):
		return &failure.Failure{Kind: failure.DBTimeout, Message: fmt.Sprintf("a statement on %s did not end within %s", p.place, p.spec.StatementTimeout)}
	case f.Kind == failure.Timeout:
		f.Kind = failure.DBTimeout
	}
	return f
}
