package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/wrong"
	"github.com/scenario-lang/scenario/wire"
)

// errNoAnswer says that an answer can be wrong only where there is one.
var errNoAnswer = errors.New("there is no answer that could be wrong")

// lay answers a request with a reply that is wrong in a way, made of the answer that it
// would meet: no fault strikes, and whoever asked is told nothing.
func (a *asking) lay(ctx context.Context, way wrong.Way) (wire.WireScript, error) {
	next, err := a.upcoming(ctx)
	switch {
	case err != nil:
		return wire.WireScript{}, fmt.Errorf("what it would change cannot be played: %w", err)
	case next.response == nil:
		return wire.WireScript{}, errNoAnswer
	}
	right := a.read(said{next.reply, next.response})
	if right == nil {
		return wire.WireScript{}, errNoAnswer
	}
	kind := a.Provider.Kind
	values, err := wrong.Reply(kind.Family, way, right, a.read(a.injector.answered[Line{a.Call.Step, a.Lane}]))
	if err != nil {
		return wire.WireScript{}, err
	}
	out, err := kind.ReplyOutput(values)
	if err != nil {
		return wire.WireScript{}, fmt.Errorf("no reply can say so: %w", err)
	}
	answer := a.Vendor.Adapter.Render(a.Vendor.In, out)
	if answer.Status == next.response.Status && bytes.Equal(answer.Body(), next.response.Body()) {
		return wire.WireScript{}, errors.New("it makes no difference to the answer")
	}
	a.answer.Entry = &plan.Entry{Times: 1, Reply: &out, Rng: a.Declared.Rng}
	a.answer.Use = next.use
	a.injector.told.Reply = &plan.InjectedReply{Values: values}
	return answer.Script(wire.Meta{Step: a.Call.Step, Attempt: a.Call.Attempt, By: "script", CostUSD: out.CostUSD}), nil
}

// A said is what a line was answered: a reply, or what was recorded.
type said struct {
	reply    *providers.Output
	response *wire.Response
}

// remember keeps what answers a request, for a wrong answer that says it again.
func (a *asking) remember(s said) {
	if a.injector != nil && a.injector.ask != nil {
		a.injector.answered[Line{a.Call.Step, a.Lane}] = s
	}
}

// read is what an answer says, in the words of its reply where it has one; nil for none
// that is a success.
func (a *asking) read(s said) *providers.Output {
	if s.response == nil && s.reply == nil {
		return nil
	}
	if s.response == nil {
		resp := a.Vendor.Adapter.Render(a.Vendor.In, *s.reply)
		s.response = &resp
	}
	out, ok := a.Vendor.Says(*s.response)
	switch {
	case !ok:
		return nil
	case s.reply != nil:
		return s.reply
	}
	return &out
}
