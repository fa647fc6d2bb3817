package cassette

import (
	"context"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/wire"
)

// sessionPrefix begins the steps under which a recording keeps what passes
// between a client and a service beside its calls.
const sessionPrefix = "provider."

// SessionStep is the step of what passes beside the calls to a provider. No step
// of a scenario is called so.
func SessionStep(provider string) string { return sessionPrefix + provider }

// TakeSession returns the next interaction of the call's step whose request is
// equal, and marks it as played. Order tells little there: which call opens a
// session depends on what else is recorded. What is not there is a *[Miss] that
// breaks no order, as nothing of it is a call that the scenario makes.
func (p *Player) TakeSession(ctx context.Context, call wire.Call) (*Interaction, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	_, list := p.steps.group(p.options.Scenario, call.Step, call.Target, call.Lane)
	if len(list) == 0 {
		return p.Take(ctx, call)
	}
	r := p.request(call)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range list {
		it := p.cassette.Interactions[i]
		if p.played[i] || !p.same(p.recorded(it), r) && !p.hiddenAlike(it, r) {
			continue
		}
		p.played[i] = true
		found := p.hand(i)
		found.AnswerTo(call.Body)
		return found, nil
	}
	return nil, p.overConsumed(call, r, len(list))
}

// SessionAgain is the last interaction of the call's step whose request is equal, played or
// not, nil for none: who opens a second session is answered as in the first. It marks
// nothing.
func (p *Player) SessionAgain(call wire.Call) *Interaction {
	_, list := p.steps.group(p.options.Scenario, call.Step, call.Target, call.Lane)
	r := p.request(call)
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, i := range slices.Backward(list) {
		if it := p.cassette.Interactions[i]; p.same(p.recorded(it), r) || p.hiddenAlike(it, r) {
			found := p.hand(i)
			found.AnswerTo(call.Body)
			return found
		}
	}
	return nil
}

// ofSession reports whether an interaction is no call of the scenario, so that one
// which is not played is no fault of it.
func ofSession(it *Interaction) bool { return strings.HasPrefix(it.Step, sessionPrefix) }
