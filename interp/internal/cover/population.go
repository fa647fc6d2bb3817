package cover

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/trace"
)

// What the locks, pools and registries of actors can do.
const (
	useWaited      = "waited"
	useTimedOut    = "timed out"
	useStale       = "stale"
	useQuarantined = "quarantined"
	useBack        = "back again"
)

// population declares what the actors of the scenario share and guard.
func (t *table) population() {
	p := t.plan.Population
	if p == nil {
		return
	}
	for _, l := range p.Locks {
		t.lock("", l)
	}
	for _, a := range p.Actors {
		for _, l := range a.Locks {
			t.lock(a.Name, l)
		}
		for _, l := range a.Pools {
			t.add("pool", owned(a.Name, l.Name), hcl.Range{}, waits(l.AcquireTimeout > 0)...)
		}
	}
	for _, r := range p.Registries {
		t.add("registry", r.Name, hcl.Range{}, useStale, useQuarantined, useBack)
	}
}

func (t *table) lock(actor string, l *actor.LockSpec) {
	t.add("lock", owned(actor, l.Name), hcl.Range{}, waits(l.AcquireTimeout > 0)...)
}

// waits are the uses of what is waited for.
func waits(timesOut bool) []string {
	if timesOut {
		return []string{useWaited, useTimedOut}
	}
	return []string{useWaited}
}

// owned names a part of an actor, or what belongs to none.
func owned(actor, name string) string {
	if actor == "" {
		return name
	}
	return actor + "." + name
}

// served notes what an event says of locks, pools and registries.
func (t *table) served(e *trace.Event) {
	// Whoever waits for a lock waits for that one until it is there or too late.
	who := cmp.Or(e.Call, e.Step, e.Actor)
	switch x := e.Payload.(type) {
	case *event.LockWait:
		t.waiting[who] = owned(e.Actor, x.Lock)
		t.saw("lock", t.waiting[who], useWaited)
	case *event.Timeout:
		if x.Layer == "lock" {
			t.saw("lock", t.waiting[who], useTimedOut)
		}
	case *event.Pool:
		switch x.Action {
		case "wait":
			t.saw("pool", owned(e.Actor, x.Pool), useWaited)
		case "timeout":
			t.saw("pool", owned(e.Actor, x.Pool), useTimedOut)
		}
	case *event.Registry:
		switch {
		case x.To == "stale":
			t.saw("registry", x.Registry, useStale)
		case x.To == "quarantined":
			t.saw("registry", x.Registry, useQuarantined)
		case x.To == "active" && x.From != "":
			t.saw("registry", x.Registry, useBack)
		}
	}
}
