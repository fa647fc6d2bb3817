package given

import (
	"slices"
	"strings"

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
//
//go:noinline
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
	calm := f.isCalm(a)
	return &part{f: f, attr: func(name string) given {
		switch name {
		case "status":
			return when(calm, cty.StringVal("running"), NoSubject("an event that happens to the actor"))
		case "order":
			return when(calm, cty.NilVal, ofDeclared)
		}
		return free
	}, child: func(name string) *part {
		switch name {
		case "modules":
			return f.directory(func(string) *part {
				return &part{f: f, attr: func(string) given { return when(calm, cty.NilVal, NoSubject("a fault of the module")) }}
			})
		case "sessions":
			return &part{f: f, most: f.mostCalls(a.Name), elem: func(int) *part {
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
				return &part{f: f, limit: func(name string) (least, most float64) { return limitOfPool(a.Pools[i], name) }, attr: func(name string) given {
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

// mostCalls is how many calls come to an actor at most, to all of them for "": those of the
// scenario itself, where nobody else calls one and nothing repeats a call; 0 where the file does
// not say it.
func (f *File) mostCalls(name string) (n int) {
	p := f.p
	if p.Instances > 1 || !f.all(func(s *plan.Step) bool { return s.Target.Actor == "" && s.Fanout == nil }) {
		return 0
	}
	for _, a := range p.Population.Actors {
		if slices.ContainsFunc(a.Handlers, func(h *actor.HandlerSpec) bool { return h.ForwardTo != nil || h.Works }) {
			return 0
		}
	}
	for _, a := range p.Actions {
		switch {
		case a.Event != nil || a.Hold != nil:
		case a.Call == nil || a.Call.Node == nil || !NeverRetries(a.Call.Node.Step):
			return 0
		case name == "" || a.Call.Target.Actor == name:
			n += max(1, len(a.At))
		}
	}
	return n
}

// isCalm reports whether an actor runs from the beginning to the end, whatever is asked of it:
// it starts at once, and nothing of the scenario happens to it or to its parts.
func (f *File) isCalm(a *actor.ActorSpec) bool {
	p := f.p
	return p.Population.Late[a.Name] == "" && a.Startup.Takes == 0 && len(p.Outages) == 0 &&
		!slices.ContainsFunc(a.Modules, func(m *actor.ModuleSpec) bool { return m.Startup.Takes > 0 }) &&
		!slices.ContainsFunc(p.Actions, func(a *plan.Action) bool { return a.Event != nil }) &&
		!slices.ContainsFunc(p.Scripts, func(s *plan.Script) bool { return s.Part != nil || strings.HasPrefix(s.Address, "actor.") })
}

// registryPart is a registry by its name, whose entries stay as they are where its actors are
// calm and heard in time.
func (f *File) registryPart(name string) *part {
	if f.p.Population == nil {
		return nil
	}
	i := slices.IndexFunc(f.p.Population.Registries, func(r *actor.RegistrySpec) bool { return r.Name == name })
	if i < 0 {
		return nil
	}
	r := f.p.Population.Registries[i]
	stays := r.QuarantineOnFailures == 0 && (r.TTL == 0 || r.HeartbeatEvery > 0 && r.HeartbeatEvery < r.TTL) &&
		!slices.ContainsFunc(f.p.Population.Actors, func(a *actor.ActorSpec) bool {
			return a.Registry == name && (!f.isCalm(a) || a.ClockSkew != 0)
		})
	why := NoSubject("an event that changes the registry")
	return &part{f: f, attr: func(name string) given { return when(stays && name == "log", cty.EmptyTupleVal, why) }, child: func(name string) *part {
		if name != "states" {
			return nil
		}
		return &part{f: f, attr: func(string) given { return when(stays, cty.NilVal, why) }}
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
	}, child: func(name string) *part {
		if name != "attempts" {
			return nil
		}
		return &part{f: f, elem: func(int) *part {
			return &part{f: f, attr: func(name string) given { return when(name == "target", cty.StringVal(c.Call.Target.Actor), ofDeclared) }}
		}}
	}}
	if !c.Call.Several {
		return one
	}
	return &part{f: f, whole: true, why: ofNames, elem: func(int) *part { return one }}
}
