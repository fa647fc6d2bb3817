package actor

import (
	"context"
	"slices"

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
	groups     [][]string  // of a partition
	late       []string
	background background
}

// The places of a world's owners in the order of one instant (semantics.md §1):
// actors that start come before everything the scenario declares, heartbeats
// and sweeps after it.
const (
	orderActors     = -1 << 40
	orderHeartbeats = 1 << 40
	orderSweeps     = 1 << 41
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
		if !slices.Contains(w.late, a.spec.Name) {
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

// Routable reports whether an actor may be called as its registry sees it now.
// One without a registry always may.
func (w *World) Routable(actor string) bool {
	a := w.actors[actor]
	if a == nil {
		return false
	}
	r := w.registryOf(a)
	return r == nil || r.refuses(a) == nil
}

// apart reports whether a partition lies between two actors. One that no set
// names is on every side.
func (w *World) apart(a, b string) bool {
	in, other := -1, -1
	for i, group := range w.groups {
		if slices.Contains(group, a) {
			in = i
		}
		if slices.Contains(group, b) {
			other = i
		}
	}
	return in >= 0 && other >= 0 && in != other
}

func (w *World) registryOf(a *actorState) *registry { return w.registries[a.spec.Registry] }
