package engine

import (
	"errors"
	"fmt"
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
	e := in.Entry(nil)
	meta := wire.Meta{Step: o.Name(), By: "script"}
	fault := &event.Fault{FaultType: in.Fault.Name}
	if in.FromOutage() {
		meta.Pos = wire.Pos{File: r.plan.Place, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column}
		fault.File, fault.Line = r.plan.Place, e.Rng.Start.Line
	}
	base, use, err := r.partBase(addresses, o, in.Looks())
	var strike actor.Strike
	if err == nil {
		strike, err = partStrike(e, base, meta)
	}
	switch {
	case err != nil && in.FromOutage():
		r.defect(e.Unplayable(fmt.Sprintf("%q", o.Name()), err), e.Rng)
		return strike, err
	case err != nil:
		return strike, r.client.PartUnfit(err.Error())
	}
	r.execution.emit(trace.Event{Step: o.Step, Call: o.Call, Iteration: o.Iteration, Payload: fault})
	strike.Over = func(after time.Duration, succeeded bool) {
		r.client.Over(e, after)
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

// errPartFault says that a fault needs an answer where another fault is due.
var errPartFault = errors.New("there is no answer that it could disturb: a fault of the script is due")

// partBase is the reply that a call of an actor would get from a script, nil for
// none, and what takes it. Looks says that a fault is no such reply.
func (r *run) partBase(addresses []string, o actor.Origin, looks bool) (base *wire.Response, use func(), err error) {
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
		switch {
		case e.Fault == nil:
			base = partReply(e)
		case looks:
			return nil, nil, errPartFault
		}
		return base, func() { c.Next(wanted) }, nil
	}
	return nil, nil, nil
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
