package cover

import (
	"cmp"
	"time"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// deadlines declares what bounds the attempts at a target: each of its limits by itself,
// as any of them may be the shortest.
func (t *table) deadlines(g *plan.Target) {
	p := g.Provider
	t.limit("timeout", "provider "+p.Name, p.Rng, p.Timeout)
	t.limit("first_byte_timeout", "provider "+p.Name, p.Rng, p.Silence.FirstByte)
	t.limit("idle_timeout", "provider "+p.Name, p.Rng, p.Silence.Idle)
	if !g.Plain {
		t.limit("timeout", "target "+g.Name, g.Rng, g.Timeout)
	}
}

// startupUsual is what bounds the startup of an actor of which nothing else is said:
// nobody chose it, so no row asks for a test of it.
const startupUsual = 300 * time.Second

// limit declares a deadline, where there is one.
func (t *table) limit(kind, name string, rng hcl.Range, after time.Duration) {
	if after > 0 {
		t.add(kind, name, rng, useEnded)
	}
}

// bounds declares the deadlines of actors and of the calls of a scenario.
func (t *table) bounds() {
	if p := t.plan.Population; p != nil {
		for _, a := range p.Actors {
			if a.Startup.Timeout != startupUsual {
				t.limit("timeout", "startup of "+a.Name, hcl.Range{}, a.Startup.Timeout)
			}
			for _, h := range a.Handlers {
				t.limit("timeout", owned(a.Name, h.Name), hcl.Range{}, h.Timeout)
			}
			for _, x := range a.Tools {
				t.limit("timeout", owned(a.Name, x.Name), hcl.Range{}, x.Timeout)
			}
		}
	}
	for _, a := range t.plan.Actions {
		if a.Call != nil {
			t.limit("timeout", "call "+a.Name, a.Rng, a.Call.Timeout)
		}
	}
}

// timeout notes whose deadline passed: of several for one attempt each that is as short
// as the one that ended it.
func (t *table) timeout(e *trace.Event, x *event.Timeout) {
	step, target := t.steps[e.Step], t.targets[e.Target]
	if step == nil {
		step = &plan.Step{}
	}
	if target == nil {
		target = &plan.Target{Provider: &plan.Provider{}}
	}
	p := target.Provider
	passed := func(kind, name string, after time.Duration) {
		if after == x.After {
			t.saw(kind, name, useEnded)
		}
	}
	switch x.Layer {
	case "workflow":
		t.saw("timeout", "workflow "+t.plan.Workflow.Name, useEnded)
	case "step":
		t.saw("timeout", e.Step, useEnded)
	case "attempt":
		passed("attempt_timeout", e.Step, step.AttemptTimeout)
		passed("timeout", "target "+target.Name, target.Timeout)
		passed("timeout", "provider "+p.Name, p.Timeout)
	case "first_byte":
		passed("first_byte_timeout", e.Step, step.Silence.FirstByte)
		passed("first_byte_timeout", "provider "+p.Name, p.Silence.FirstByte)
	case "idle":
		passed("idle_timeout", e.Step, step.Silence.Idle)
		passed("idle_timeout", "provider "+p.Name, p.Silence.Idle)
	case "call":
		t.saw("timeout", "call "+e.Call, useEnded)
	case "startup":
		t.saw("timeout", "startup of "+e.Actor, useEnded)
	case "session", "tool":
		t.passed[cmp.Or(e.Call, e.Step)+" "+e.Actor] = true // which one, the end of the session says, or that of the call
	}
}

// ended notes whose session or tool a deadline ended before.
func (t *table) ended(e *trace.Event, handler string) {
	who := cmp.Or(e.Call, e.Step) + " " + e.Actor
	if t.passed[who] {
		t.saw("timeout", owned(e.Actor, handler), useEnded)
		delete(t.passed, who)
	}
}
