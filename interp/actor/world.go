package actor

import (
	"context"
	"math"

	"github.com/scenario-lang/scenario/interp/sched"
)

// World is the actors, locks and registries of one run. It belongs to the tasks
// of its scheduler, of which one runs at a time.
type World struct {
	clock      *sched.Scheduler
	env        Env
	ctx        context.Context // until the run ends
	actors     map[string]*actorState
	order      []*actorState
	locks      map[string]*lock
	registries map[string]*registry
	known      []*registry // in the order of declaration
	split      split       // the partition that is there
	healed     []split     // those that were
	late       map[string]string
	background background
}

// The places of a world's owners in the order of one instant:
// actors that start come before everything the scenario declares, heartbeats
// and sweeps after it.
const (
	orderActors     = -orderHeartbeats
	orderHeartbeats = min(1<<40, math.MaxInt>>2) // an int has 32 bits on some machines
	orderSweeps     = 2 * orderHeartbeats
)

// New returns a world in which nothing has started.
func New(clock *sched.Scheduler, spec *Spec, env Env) *World {
	w := &World{
		clock: clock, env: env, late: spec.Late, actors: make(map[string]*actorState, len(spec.Actors)),
		locks: map[string]*lock{}, registries: map[string]*registry{},
	}
	for _, l := range spec.Locks {
		w.locks[l.Name] = w.newLock(l, "")
	}
	for i, r := range spec.Registries {
		w.known = append(w.known, w.newRegistry(r, orderSweeps+i))
		w.registries[r.Name] = w.known[i]
	}
	for i, s := range spec.Actors {
		a := w.newActor(s, i)
		w.actors[s.Name] = a
		w.order = append(w.order, a)
	}
	return w
}

// Start begins the startup of every actor that is not late, and the sweeps of every registry.
// They end with ctx.
func (w *World) Start(ctx context.Context) {
	w.ctx = ctx
	for _, a := range w.order {
		if by, late := w.late[a.spec.Name]; late {
			a.why = change{by: by}
		} else {
			a.start()
		}
	}
	for _, r := range w.known {
		r.sweepLater()
	}
}

// Stop ends what goes on by itself: heartbeats, sweeps, startups.
func (w *World) Stop() {
	for _, a := range w.order {
		a.silence()
	}
	for _, r := range w.known {
		r.stop()
	}
}

// Routable reports whether an actor may be called as its registry sees it now,
// and which block of the scenario that is the effect of, "" for none. One
// without a registry always may.
func (w *World) Routable(actor string) (ok bool, by string) {
	a := w.actors[actor]
	if a == nil {
		return false, ""
	}
	r := w.registryOf(a)
	if r == nil {
		return true, ""
	}
	f, why := r.refuses(a)
	if f == nil && !why.back {
		return true, ""
	}
	return f == nil, why.by
}

func (w *World) registryOf(a *actorState) *registry { return w.registries[a.spec.Registry] }
