package actor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// Kill ends an actor's process.
func (w *World) Kill(name string) { w.actors[name].kill("killed") }

// Launch begins the startup of an actor that has not started yet, or is dead.
func (w *World) Launch(name string) {
	if a := w.actors[name]; a.status == dead {
		a.start()
	}
}

// Restart brings an actor up anew, and kills it first where it lives. It returns
// when its startup has begun.
func (w *World) Restart(name string) {
	a := w.actors[name]
	a.kill("restarted")
	clear(a.modules)
	a.start()
}

// Unreachable closes the port of an actor that is running; the process lives.
func (w *World) Unreachable(name string) {
	if a := w.actors[name]; a.status == running {
		a.become(unreachable, "", "")
	}
}

// Reachable opens the port again.
func (w *World) Reachable(name string) {
	if a := w.actors[name]; a.status == unreachable {
		a.become(running, "", "")
	}
}

// Drain lets an actor end what is under way, for at most d, while it takes
// nothing new; what is left then is cancelled. It returns when nothing is.
func (w *World) Drain(ctx context.Context, name string, d time.Duration) {
	a := w.actors[name]
	if a.status != running && a.status != unreachable {
		return
	}
	a.become(draining, "", "")
	own, cancel := w.clock.WithTimeoutCause(ctx, d, fmt.Errorf("the drain's timeout of %s passed", d))
	defer cancel()
	for len(a.inside) > 0 {
		if a.left.Wait(own, fmt.Sprintf("the calls inside of actor %q", name)) != nil {
			a.expel(errDrained)
			return
		}
	}
}

// Activate sets an actor's entry in its registry, as an operator does.
func (w *World) Activate(name string) { w.set(name, active) }

// Quarantine keeps an actor from being called, as an operator does.
func (w *World) Quarantine(name string) { w.set(name, quarantined) }

func (w *World) set(name, state string) {
	a := w.actors[name]
	r := w.registryOf(a)
	if r == nil || r.entries[name] == nil {
		return
	}
	r.become(r.entries[name], state, reasonOperator)
}

// Partition keeps the actors of each group from those of the others.
func (w *World) Partition(groups [][]string) { w.groups = slices.Clone(groups) }

// Heal ends a partition.
func (w *World) Heal() { w.groups = nil }

// Hold takes n units of a lock or a pool from outside and gives them back d from
// now, those too that it could take when the others never came free. Actor is
// "" for a shared lock.
func (w *World) Hold(ctx context.Context, o Origin, actor, lockName, poolName string, n int, d time.Duration) {
	take, give := w.holding(o, actor, lockName, poolName)
	own, cancel := w.clock.WithTimeout(ctx, d)
	defer cancel()
	until, taken := w.clock.Elapsed()+d, 0
	for taken < n && take(own) == nil {
		taken++
	}
	if taken == n {
		_ = w.clock.SleepAs(ctx, sched.Completion, until-w.clock.Elapsed())
	}
	for ; taken > 0; taken-- {
		give()
	}
}

func (w *World) holding(o Origin, actor, lockName, poolName string) (take func(context.Context) error, give func()) {
	if poolName != "" {
		p := w.actors[actor].pools[poolName]
		return func(ctx context.Context) error { return p.wait(ctx, o) }, func() { p.release(o) }
	}
	l := w.locks[lockName]
	if actor != "" {
		l = w.actors[actor].locks[lockName]
	}
	return func(ctx context.Context) error { return l.wait(ctx, o) }, func() { l.free(o) }
}
