package plan

import (
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
)

// population encodes what takes part of actors, locks and registries.
func (w PlanWriter) population(s *actor.Spec) Document {
	var actors, registries []any
	for _, a := range s.Actors {
		actors = append(actors, w.actor(a))
	}
	for _, r := range s.Registries {
		registries = append(registries, Document{
			{"heartbeat_every_ns", r.HeartbeatEvery},
			{"name", r.Name},
			{"quarantine_after_ns", r.QuarantineAfter},
			{"quarantine_on_failures", r.QuarantineOnFailures},
			{"recover_heartbeat", r.RecoverHeartbeat},
			{"recover_register", r.RecoverRegister},
			{"skew_tolerance_ns", r.SkewTolerance},
			{"sweep_every_ns", r.SweepEvery},
			{"ttl_ns", r.TTL},
		})
	}
	return Document{{"actors", actors}, {"locks", lockDocs(s.Locks)}, {"registries", registries}}
}

// handlers encodes the workflows of handlers, in the order of their actors.
func (w PlanWriter) handlers(p *Plan) []any {
	var out []any
	for _, n := range p.Outside {
		for _, h := range p.Handlers {
			if h.Node == n {
				out = append(out, Document{{"address", n.Name}, {"inputs", w.expr(h.Inputs)}, {"workflow", w.workflow(n.Step.Inner)}})
			}
		}
	}
	return out
}

func lockDocs(list []*actor.LockSpec) []any {
	var out []any
	for _, l := range list {
		out = append(out, Document{{"acquire_timeout_ns", duration(l.AcquireTimeout)}, {"capacity", l.Capacity}, {"max_queue", l.MaxQueue}, {"name", l.Name}})
	}
	return out
}

func (w PlanWriter) actor(a *actor.ActorSpec) Document {
	var pools, modules, handlers, tools []any
	for _, p := range a.Pools {
		pools = append(pools, Document{{"acquire_timeout_ns", duration(p.AcquireTimeout)}, {"name", p.Name}, {"size", p.Size}, {"statement_timeout_ns", duration(p.StatementTimeout)}})
	}
	for _, m := range a.Modules {
		modules = append(modules, Document{{"depends_on", m.DependsOn}, {"name", m.Name}, {"takes_ns", duration(m.Startup.Takes)}, {"timeout_ns", duration(m.Startup.Timeout)}})
	}
	for _, h := range a.Handlers {
		var locks []any
		for _, l := range h.Locks {
			locks = append(locks, Document{{"name", l.Name}, {"own", l.Own}})
		}
		doc := w.work(h.Name, h.Takes, h.Timeout, h.Uses, h.Needs, h.Source)
		doc.Add("locks", locks)
		if h.ForwardTo != nil {
			doc.Add("forward_to", h.ForwardTo.Address())
		}
		handlers = append(handlers, doc)
	}
	for _, t := range a.Tools {
		tools = append(tools, w.work(t.Name, t.Takes, t.Timeout, t.Uses, t.Needs, t.Source))
	}
	return Document{
		{"clock_skew_ns", duration(a.ClockSkew)},
		{"deep", a.Deep},
		{"handlers", handlers},
		{"locks", lockDocs(a.Locks)},
		{"max_hops", a.MaxHops},
		{"modules", modules},
		{"name", a.Name},
		{"pools", pools},
		{"registry", a.Registry},
		{"retry", retryDoc(a.Startup.Retry)},
		{"startup_ns", duration(a.Startup.Takes)},
		{"startup_timeout_ns", duration(a.Startup.Timeout)},
		{"tools", tools},
	}
}

// work encodes what handlers and tools have in common.
func (w PlanWriter) work(name string, takes, timeout time.Duration, uses, needs []string, source string) Document {
	return Document{{"name", name}, {"needs", needs}, {"return", w.hide(source)}, {"takes_ns", duration(takes)}, {"timeout_ns", duration(timeout)}, {"uses", uses}}
}

// actions encodes what the scenario drives.
func (w PlanWriter) actions(list []*Action) []any {
	var out []any
	for _, d := range list {
		doc := Document{{"at_ns", durations(d.At)}, {"name", d.Name}, {"place", w.place(d.Rng)}, {"what", d.What()}}
		if d.After != nil {
			doc.Add("after", d.After.Typ+"."+d.After.Name)
		}
		if d.When != nil {
			doc.Add("when", w.expr(d.When.Condition))
		}
		if d.Optional {
			doc.Add("optional", true)
		}
		switch {
		case d.Step != nil:
			doc.Add("step", w.step(&Workflow{Steps: []*Step{d.Step}}, d.Step))
		case d.Call != nil:
			doc.Add("arguments", w.hide(dsl.GoValue(d.Call.Arguments)))
			doc.Add("several", d.Call.Several)
			doc.Add("target", d.Call.Target.Address())
			doc.Add("timeout_ns", duration(d.Call.Timeout))
		case d.Hold != nil:
			doc.Add("actor", d.Hold.Actor)
			doc.Add("during_ns", d.Hold.During)
			doc.Add("lock", d.Hold.Lock)
			doc.Add("n", d.Hold.N)
			doc.Add("pool", d.Hold.Pool)
		default:
			doc.Add("actor", d.Event.Actor)
			doc.Add("cancel", d.Event.Cancel.Typ+"."+d.Event.Cancel.Name)
			doc.Add("event", d.Event.What)
			doc.Add("groups", groupDocs(d.Event.Groups))
			doc.Add("timeout_ns", duration(d.Event.Timeout))
		}
		out = append(out, doc)
	}
	return out
}

func durations(list []time.Duration) []any {
	out := make([]any, len(list))
	for i, d := range list {
		out[i] = d
	}
	return out
}

func groupDocs(groups [][]string) []any {
	out := make([]any, len(groups))
	for i, g := range groups {
		out[i] = g
	}
	return out
}
