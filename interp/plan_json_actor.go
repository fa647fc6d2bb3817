package interp

import (
	"time"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
)

// population encodes what takes part of actors, locks and registries.
func (w planWriter) population(s *actor.Spec) document {
	var actors, registries []any
	for _, a := range s.Actors {
		actors = append(actors, w.actor(a))
	}
	for _, r := range s.Registries {
		registries = append(registries, document{
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
	return document{{"actors", actors}, {"locks", lockDocs(s.Locks)}, {"registries", registries}}
}

// handlers encodes the workflows of handlers, in the order of their actors.
func (w planWriter) handlers(p *Plan) []any {
	var out []any
	for _, n := range p.beside {
		for _, h := range p.handlers {
			if h.node == n {
				out = append(out, document{{"address", n.name}, {"inputs", w.expr(h.inputs)}, {"workflow", w.workflow(n.step.inner)}})
			}
		}
	}
	return out
}

func lockDocs(list []*actor.LockSpec) []any {
	var out []any
	for _, l := range list {
		out = append(out, document{{"acquire_timeout_ns", duration(l.AcquireTimeout)}, {"capacity", l.Capacity}, {"max_queue", l.MaxQueue}, {"name", l.Name}})
	}
	return out
}

func (w planWriter) actor(a *actor.ActorSpec) document {
	var pools, modules, handlers, tools []any
	for _, p := range a.Pools {
		pools = append(pools, document{{"acquire_timeout_ns", duration(p.AcquireTimeout)}, {"name", p.Name}, {"size", p.Size}, {"statement_timeout_ns", duration(p.StatementTimeout)}})
	}
	for _, m := range a.Modules {
		modules = append(modules, document{{"depends_on", m.DependsOn}, {"name", m.Name}, {"takes_ns", duration(m.Startup.Takes)}, {"timeout_ns", duration(m.Startup.Timeout)}})
	}
	for _, h := range a.Handlers {
		var locks []any
		for _, l := range h.Locks {
			locks = append(locks, document{{"name", l.Name}, {"own", l.Own}})
		}
		doc := w.work(h.Name, h.Takes, h.Timeout, h.Uses, h.Needs, h.Source)
		doc.add("locks", locks)
		if h.ForwardTo != nil {
			doc.add("forward_to", h.ForwardTo.Address())
		}
		handlers = append(handlers, doc)
	}
	for _, t := range a.Tools {
		tools = append(tools, w.work(t.Name, t.Takes, t.Timeout, t.Uses, t.Needs, t.Source))
	}
	return document{
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
func (w planWriter) work(name string, takes, timeout time.Duration, uses, needs []string, source string) document {
	return document{{"name", name}, {"needs", needs}, {"return", w.hide(source)}, {"takes_ns", duration(takes)}, {"timeout_ns", duration(timeout)}, {"uses", uses}}
}

// drivers encodes what the scenario drives.
func (w planWriter) drivers(list []*driver) []any {
	var out []any
	for _, d := range list {
		doc := document{{"at_ns", durations(d.at)}, {"name", d.name}, {"place", w.place(d.rng)}, {"what", d.what()}}
		if d.after != nil {
			doc.add("after", d.after.typ+"."+d.after.name)
		}
		if d.when != nil {
			doc.add("when", w.expr(d.when.condition))
		}
		switch {
		case d.step != nil:
			doc.add("step", w.step(&workflow{steps: []*step{d.step}}, d.step))
		case d.call != nil:
			doc.add("arguments", w.hide(dsl.GoValue(d.call.arguments)))
			doc.add("several", d.call.several)
			doc.add("target", d.call.target.Address())
			doc.add("timeout_ns", duration(d.call.timeout))
		case d.hold != nil:
			doc.add("actor", d.hold.actor)
			doc.add("during_ns", d.hold.during)
			doc.add("lock", d.hold.lock)
			doc.add("n", d.hold.n)
			doc.add("pool", d.hold.pool)
		default:
			doc.add("actor", d.event.actor)
			doc.add("cancel", d.event.cancel.typ+"."+d.event.cancel.name)
			doc.add("event", d.event.what)
			doc.add("groups", groupDocs(d.event.groups))
			doc.add("timeout_ns", duration(d.event.timeout))
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
