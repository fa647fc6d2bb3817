package given

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// ofPool are the attributes of a pool that a file may decide, ofSession those of a session
// of an actor, ofCall those of a call of the scenario.
var (
	ofPool = map[string]func(p *actor.PoolSpec) given{
		"size": func(*actor.PoolSpec) given { return given{cty.NilVal, ofDeclared} },
		"timeouts": func(p *actor.PoolSpec) given {
			return when(p.AcquireTimeout == 0, cty.Zero, NoSubject("a timeout of the pool"))
		},
	}
	ofSession = map[string]func(f *File, a *actor.ActorSpec) given{
		"handler": func(_ *File, a *actor.ActorSpec) given {
			return when(len(a.Handlers)+len(a.Tools) == 1, cty.NilVal, ofDeclared)
		},
	}
	ofCall = map[string]func(f *File, c *plan.Action) given{
		"started_ms": func(_ *File, c *plan.Action) given {
			return when(len(c.At) > 0 && c.After == nil && c.When == nil, cty.NilVal, ofScript)
		},
		"retries":   neverRepeated(cty.Zero),
		"delays_ms": neverRepeated(cty.EmptyTupleVal),
		"target":    func(*File, *plan.Action) given { return given{cty.NilVal, ofDeclared} },
	}
)

// ofScript says why to check when a call begins shows nothing.
const ofScript = "it holds whatever the run does: the scenario itself says when its calls begin, so it shows nothing here.\nhint: check when they ended, or what they came to"

// neverRepeated gives what a call of an actor without a policy says of its retries.
func neverRepeated(v cty.Value) func(*File, *plan.Action) given {
	return func(_ *File, c *plan.Action) given {
		return when(c.Call != nil && c.Call.Node != nil && NeverRetries(c.Call.Node.Step), v, ofNoPolicy)
	}
}

// actorPart is an actor by its name.
func (f *File) actorPart(name string) *part {
	if f.p.Population == nil {
		return nil
	}
	i := slices.IndexFunc(f.p.Population.Actors, func(a *actor.ActorSpec) bool { return a.Name == name })
	if i < 0 {
		return nil
	}
	a := f.p.Population.Actors[i]
	return &part{f: f, child: func(name string) *part {
		switch name {
		case "sessions":
			return &part{f: f, elem: func(int) *part {
				return &part{f: f, attr: func(name string) given {
					if row := ofSession[name]; row != nil {
						return row(f, a)
					}
					return free
				}}
			}}
		case "pools":
			return f.directory(func(name string) *part {
				i := slices.IndexFunc(a.Pools, func(p *actor.PoolSpec) bool { return p.Name == name })
				if i < 0 {
					return nil
				}
				return &part{f: f, attr: func(name string) given {
					if row := ofPool[name]; row != nil {
						return row(a.Pools[i])
					}
					return free
				}}
			})
		}
		return nil
	}}
}

// callPart is what the scenario calls, by its name: one call, or each of several.
func (f *File) callPart(name string) *part {
	i := slices.IndexFunc(f.p.Actions, func(a *plan.Action) bool { return a.Call != nil && a.Name == name })
	if i < 0 || f.o.Driven() {
		return nil
	}
	c := f.p.Actions[i]
	one := &part{f: f, attr: func(name string) given {
		if row := ofCall[name]; row != nil {
			return row(f, c)
		}
		return free
	}}
	if !c.Call.Several {
		return one
	}
	return &part{f: f, whole: true, why: ofNames, elem: func(int) *part { return one }}
}
