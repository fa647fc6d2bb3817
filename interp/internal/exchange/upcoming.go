package exchange

import (
	"context"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// An upcoming is the answer that a request would meet, looked at and not taken.
// The zero value is none.
type upcoming struct {
	// response is nil where there is nothing that a fault could disturb: another
	// fault, a refusal, or no answer.
	response *wire.Response
	// reply is what it says where a script answers, nil where a recording does.
	reply *providers.Output
	cost  float64
	// use takes it, nil where nothing is taken.
	use func()
}

// upcoming looks what would answer, in the order of the sources. What only the
// network could answer is none.
func (a *asking) upcoming(ctx context.Context) (upcoming, error) {
	sc := a.plan.ScriptFor(a.Call.Step, a.Call.Target)
	if sc != nil {
		c := a.Cursor(Line{a.Call.Step, a.Lane}, sc)
		wanted := a.wanted(a.Call)
		if e := c.upcoming(wanted); e != nil {
			next, err := a.scripted(ctx, e)
			next.use = both(func() { c.Next(wanted) }, next.use)
			return next, err
		}
		if e := c.final(wanted); e != nil {
			next, err := a.scripted(ctx, e)
			next.use = nil
			return next, err
		}
	}
	if r := a.plan.Responses; r != nil {
		return a.upcomingTurn(ctx, r)
	}
	if a.player == nil {
		return upcoming{}, nil
	}
	return a.recordedNext(ctx)
}

// both calls two functions, of which the second may be nil.
func both(first, second func()) func() {
	if second == nil {
		return first
	}
	return func() { first(); second() }
}

// scripted is the answer of an entry.
func (a *asking) scripted(ctx context.Context, e *plan.Entry) (upcoming, error) {
	switch {
	case e.Fault != nil:
		return upcoming{}, nil
	case e.Reply != nil:
		resp := a.Vendor.Adapter.Render(a.Vendor.In, *e.Reply)
		return upcoming{response: &resp, reply: e.Reply, cost: e.Reply.CostUSD}, nil
	case a.plan.Responses != nil:
		return a.upcomingTurn(ctx, a.plan.Responses)
	case a.player == nil:
		return upcoming{}, nil
	case e.Replay.Interaction > 0:
		it, err := a.player.Interaction(a.Call.Step, e.Replay.Interaction)
		if err != nil {
			return upcoming{}, missed(err)
		}
		it.AnswerTo(a.Call.Body)
		return a.ofInteraction(it, e.Replay, nil)
	}
	next, err := a.recordedNext(ctx)
	if err == nil && next.response != nil && e.Replay.Latency != nil {
		next.response.Wait = *e.Replay.Latency
	}
	return next, err
}

// recordedNext is what the recording would answer.
func (a *asking) recordedNext(ctx context.Context) (upcoming, error) {
	it, use, err := a.player.Peek(ctx, a.Call)
	if err != nil {
		return upcoming{}, nil // the request itself will meet that
	}
	return a.ofInteraction(it, nil, use)
}

func (a *asking) ofInteraction(it *cassette.Interaction, r *plan.Replay, use func()) (upcoming, error) {
	if it.Error != "" {
		return upcoming{use: use}, nil
	}
	if err := restore(a.Vendor.Adapter, it); err != nil {
		return upcoming{}, err
	}
	if r != nil && r.Latency != nil {
		cassette.ConstantLatency(*r.Latency).Apply(it)
	}
	resp := label(a.Vendor.Adapter, it.Response)
	return upcoming{response: &resp, use: use}, nil
}

// upcomingTurn is what a response file would answer.
func (a *asking) upcomingTurn(ctx context.Context, r *plan.Responses) (upcoming, error) {
	sc, err := findResponses(r, a.Call, a.Vendor.In)
	if err != nil {
		return upcoming{}, nil // the request itself will meet that
	}
	c, wanted := a.Cursor(Line{Step: sc.Address}, sc), a.wanted(a.Call)
	e := c.upcoming(wanted)
	if e == nil {
		return upcoming{}, nil
	}
	next, err := a.scripted(ctx, e)
	next.use = func() { c.Next(wanted) }
	return next, err
}
