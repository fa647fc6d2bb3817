package actor

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/scenario-lang/scenario/interp/sched"
)

// All that follows takes the name of the block of the scenario that does it: the
// trace says with each call whose effect it shows.

// Kill ends an actor's process.
func (w *World) Kill(name, by string) { w.actors[name].kill(reasonKilled, by) }

// Launch begins the startup of an actor that has not started yet, or is dead.
func (w *World) Launch(name, by string) {
	if a := w.actors[name]; a.status == dead {
		a.why = change{by, true}
		a.start()
	}
}

// Restart brings an actor up anew, and kills it first where it lives. It returns
// when its startup has begun.
func (w *World) Restart(name, by string) {
	a := w.actors[name]
	back := a.status != running
	for _, m := range a.spec.Modules {
		back = back || a.modules[m.Name] != moduleActive
	}
	a.kill(reasonRestarted, by)
	clear(a.modules)
	a.why = change{by, back}
	a.start()
}

// Unreachable closes the port of an actor that is running; the process lives.
func (w *World) Unreachable(name, by string) {
	if a := w.actors[name]; a.status == running {
		a.why = change{by: by}
		a.become(unreachable, "", "")
	}
}

// Reachable opens the port again.
func (w *World) Reachable(name, by string) {
	if a := w.actors[name]; a.status == unreachable {
		a.why = change{by, true}
		a.become(running, "", "")
	}
}

// Drain lets an actor end what is under way, for at most d, while it takes
// nothing new; what is left then is cancelled. It returns when nothing is.
func (w *World) Drain(ctx context.Context, name, by string, d time.Duration) {
	a := w.actors[name]
	if a.status != running && a.status != unreachable {
		return
	}
	a.why = change{by: by}
	a.become(draining, "", "")
	own, cancel := w.clock.WithTimeoutCause(ctx, d, fmt.Errorf("the drain's timeout of %s passed", d))
	defer cancel()
	for len(a.inside) > 0 {
		if a.left.Wait(own, fmt.Sprintf("the calls inside of actor %q", name)) != nil {
			a.expel(&expelled{actor: name, by: by})
			return
		}
	}
}

// Activate sets an actor's entry in its registry, as an operator does.
func (w *World) Activate(name, by string) { w.set(name, active, by) }

// Quarantine keeps an actor from being called, as an operator does.
func (w *World) Quarantine(name, by string) { w.set(name, quarantined, by) }

func (w *World) set(name, state, by string) {
	a := w.actors[name]
	r := w.registryOf(a)
	if r == nil || r.entries[name] == nil {
		return
	}
	r.become(r.entries[name], state, reasonOperator, change{by, state == active})
}

// Partition keeps the actors of each group from those of the others.
func (w *World) Partition(groups [][]string, by string) {
	w.healedBy(by)
	w.split = split{groups: slices.Clone(groups), by: by}
}

// Heal ends a partition.
func (w *World) Heal(by string) {
	w.healedBy(by)
	w.split = split{}
}

// healedBy notes which block ends the partition that is there.
func (w *World) healedBy(by string) {
	if w.split.groups != nil {
		w.split.ended = by
		w.healed = append(w.healed, w.split)
	}
}

// Hold takes n units of a lock or a pool from outside and gives them back d from
// now, those too that it could take when the others never came free. Actor is
// "" for a shared lock.
func (w *World) Hold(ctx context.Context, o Origin, by, actor, lockName, poolName string, n int, d time.Duration) {
	take, give, claims := w.holding(o, actor, lockName, poolName)
	own, cancel := w.clock.WithTimeout(ctx, d)
	defer cancel()
	until, taken := w.clock.Elapsed()+d, 0
	for taken < n && take(own) == nil {
		taken++
		claims.held(by)
	}
	if taken == n {
		_ = w.clock.SleepAs(ctx, sched.Completion, until-w.clock.Elapsed())
	}
	for ; taken > 0; taken-- {
		claims.given(by)
		give()
	}
}

func (w *World) holding(o Origin, actor, lockName, poolName string) (take func(context.Context) error, give func(), c *claims) {
	if poolName != "" {
		p := w.actors[actor].pools[poolName]
		return func(ctx context.Context) error { return p.wait(ctx, o, nil) }, func() { p.release(o) }, &p.claims
	}
	l := w.locks[lockName]
	if actor != "" {
		l = w.actors[actor].locks[lockName]
	}
	return func(ctx context.Context) error { return l.wait(ctx, o, nil) }, func() { l.free(o) }, &l.claims
}
