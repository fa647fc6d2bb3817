package engine

import (
	"strings"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// partWord is what an address of an actor is, in the words of [faults.Kind].
func partWord(address string) string {
	path := strings.Split(address, ".")
	switch {
	case path[0] == "lock":
		return "lock"
	case path[0] != "actor":
		return "actor" // a step or a block of the scenario, which calls one
	case len(path) == 2:
		return "module"
	case len(path) == 4:
		return path[2]
	}
	return "actor"
}

// injectPart lets a call of an actor, or a part of one, meet an injection. What it
// disturbs is the answer of the script that would have a say.
func (r *run) injectPart(in *exchange.Injection, addresses []string, o actor.Origin) (actor.Strike, error) {
	base, use := r.partBase(addresses, o)
	strike, err := partStrike(in.Entry(nil), base, wire.Meta{Step: o.Name(), By: "script"})
	if err != nil {
		return strike, r.client.PartUnfit(err.Error())
	}
	r.execution.emit(trace.Event{Step: o.Step, Call: o.Call, Iteration: o.Iteration, Payload: &event.Fault{FaultType: in.Fault.Name}})
	strike.Over = func(_ time.Duration, succeeded bool) {
		if succeeded && use != nil {
			use()
		}
	}
	return strike, nil
}

// partStrike is what a fault does to a call of an actor that would get base.
func partStrike(e *plan.Entry, base *wire.Response, meta wire.Meta) (actor.Strike, error) {
	script, err := e.Fault.Script(faults.Strike{
		Args: e.Args, After: e.After, HasAfter: e.HasAfter, Base: base, Host: "actor", Path: "/", Vendor: actor.Protocol{}, Meta: meta,
	})
	return actor.Strike{Script: script, Kills: e.Fault.Kills, Early: e.Fault.Early}, err
}

// partBase is the reply that a call of an actor would get from a script, nil for
// none, and what takes it.
func (r *run) partBase(addresses []string, o actor.Origin) (base *wire.Response, use func()) {
	for _, address := range addresses {
		sc := r.plan.ScriptOf(address)
		if sc == nil {
			continue
		}
		c, wanted := r.client.Cursor(exchange.Line{Step: address}, sc), exchange.Wanted{Iteration: o.Iteration}
		e, _ := c.Copy().Next(wanted)
		if e == nil {
			continue
		}
		if e.Fault == nil {
			base = partReply(e)
		}
		return base, func() { c.Next(wanted) }
	}
	return nil, nil
}

// partReply is the answer of a reply for an actor.
func partReply(e *plan.Entry) *wire.Response {
	resp := actor.Protocol{}.Note("")
	if e.Reply.Body != nil {
		resp = actor.Protocol{}.Value(e.Reply.Body)
	}
	resp.Wait = e.Reply.Latency
	return &resp
}
