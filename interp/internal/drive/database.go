package drive

import (
	"context"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/sql"
	"github.com/scenario-lang/scenario/wire"
)

// Connect decides what a client meets that wants a session of a database: nil
// where it gets one. A refusal strikes here where all endpoints of the provider
// have one due, and then each has had it; else it strikes at a statement. The
// request is the envelope of no statement.
func (r *Run) Connect(ctx context.Context, a Asked) (*Exchange, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.over {
		return nil, ErrFinished
	}
	r.farewell(nil)
	c, lost := r.asksOf(&a, a.Request)
	if lost != nil {
		r.asked++
		r.sources.Unanswered(lost.message)
		r.gate(lost.gate, lost.message, r.place())
		return r.answering(ctx, a, lost.gate, sql.Adapter{}.Refusal(lost.gate+": "+lost.message).Script(wire.Meta{})), nil
	}
	if !r.denies(c) {
		return nil, nil
	}
	r.asked++
	r.reached[c.Name] = true
	var first *Exchange
	for _, e := range r.endpoints {
		if !e.asks(c.Provider) {
			continue
		}
		found := Found{Provider: c.by, Endpoint: "a refusal that all have due"}
		x, err := r.take(ctx, a, c, e, &request{http: a.Request, path: c.below.URL.Path, found: found})
		switch {
		case err != nil:
			return first, err
		case first == nil:
			first = x
		default:
			first.along = append(first.along, x)
		}
	}
	return first, nil
}

// denies reports whether every endpoint of a provider refuses whoever connects
// next. Which lane that will ask in is not known, so an endpoint with lanes
// refuses nobody yet.
func (r *Run) denies(c *candidate) bool {
	any := false
	for _, e := range r.endpoints {
		t := e.target(c.Provider)
		if t == nil {
			continue
		}
		any = true
		if struck := r.sources.Outage([]string{e.Name}, e.Step, t, ""); struck != nil {
			if !r.refuses(struck, c.Provider) {
				return false
			}
			continue
		}
		script := r.plan.ScriptFor(e.Name, t.Name)
		if script == nil || e.Step.Endpoint.Lane != nil {
			return false
		}
		due := r.sources.Due(exchange.Line{Step: e.Name}, script)
		if len(due) != 1 || !due[0].Match.Empty() || !r.refuses(due[0], c.Provider) {
			return false
		}
	}
	return any
}

// refuses reports whether an entry opens no session.
func (r *Run) refuses(e *plan.Entry, p *plan.Provider) bool {
	if e.Fault == nil || e.Replay != nil {
		return false
	}
	s, err := rendered(e, p, &providers.Vendor{Adapter: p.Adapter})
	return err == nil && !sql.Opens(s)
}

// rendered is what an entry answers to an input, which is no recording.
func rendered(e *plan.Entry, p *plan.Provider, vendor *providers.Vendor) (wire.WireScript, error) {
	in := vendor.In
	if e.Fault == nil {
		return p.Adapter.Render(in, *e.Reply).Script(wire.Meta{}), nil
	}
	strike := faults.Strike{Args: e.Args, After: e.After, HasAfter: e.HasAfter, Host: "host.example:80", Path: "/", Stream: in.Stream, Vendor: vendor}
	if e.Reply != nil {
		base := p.Adapter.Render(in, *e.Reply)
		strike.Base = &base
	}
	script, err := e.Fault.Script(strike)
	if lie.IsPowerless(err) {
		return e.Fault.Spared(strike), nil
	}
	return script, err
}

// dueMax bounds how far a script is looked ahead.
const dueMax = 100

// Due lists what a statement can be answered from the next entry on, and takes
// nothing: a client wants to know the columns of a statement before it has given
// the arguments. A lane that only these tell is not known, and so that of none is
// looked at.
func (r *Run) Due(a Asked) []wire.WireScript {
	r.mu.Lock()
	defer r.mu.Unlock()
	a.undo()
	own, way := routed(a.Request)
	c, lost := r.asksOf(&a, own)
	if r.over || lost != nil {
		return nil
	}
	in, err := c.Adapter.(providers.Reader).Read(c.below, a.plain)
	if err != nil {
		return nil
	}
	req := &request{http: own, body: a.Body, legible: a.legible, path: c.below.URL.Path, in: in}
	if b, ok := r.sessionReply(c, req); ok {
		return []wire.WireScript{b.Script(wire.Meta{})}
	}
	e, _, lost := r.endpointOf(c, way, req)
	if lost != nil {
		return nil
	}
	return r.upcoming(e, e.target(c.Provider), req)
}

func (r *Run) upcoming(e *endpoint, t *plan.Target, req *request) []wire.WireScript {
	list := r.sources.Recorded(e.Name, req.in.Statement, t.Provider.Adapter)
	script := r.plan.ScriptFor(e.Name, t.Name)
	if script == nil {
		return list
	}
	var due []wire.WireScript
	cursor := r.sources.Cursor(exchange.Line{Step: e.Name}, script).Copy()
	wanted := exchange.Wanted{Target: t.Name, Turn: req.turn, Fits: func(entry *plan.Entry) bool { return r.fits(entry, req) }}
	vendor := r.sources.Recalling(providers.Vendor{Adapter: t.Provider.Adapter, In: req.in}, t.Provider.Kind.Family, exchange.Line{Step: e.Name})
	for range dueMax {
		entry, _ := cursor.Next(wanted)
		if entry == nil {
			break
		}
		if entry.Replay != nil {
			due = append(due, list...)
			continue
		}
		if s, err := rendered(entry, t.Provider, vendor); err == nil {
			due = append(due, r.inSession(s, t.Provider, req))
		}
		if entry.Times == plan.Unlimited {
			break
		}
	}
	return append(due, list...)
}

// inSession is what a statement meets in a session that is open: a refusal of it
// ends that.
func (r *Run) inSession(s wire.WireScript, p *plan.Provider, req *request) wire.WireScript {
	a, ok := p.Adapter.(sql.Adapter)
	if !ok || req.in.Statement == "" || sql.Opens(s) || !sql.Denies(s) {
		return s
	}
	ended := a.Ended(req.in)
	ended.Wait = s.Delay
	if len(s.Ops) > 0 {
		ended.Wait += s.Ops[0].Wait
	}
	return ended.Script(s.Meta)
}

// connects reports whether an exchange is that of a client which wanted a
// session, and asked nothing.
func (x *Exchange) connects() bool {
	return x.target.Provider.Kind.Family == "sql" && x.request.in.Statement == ""
}
