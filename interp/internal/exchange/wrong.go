package exchange

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

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
	right := said{next.reply, next.response, a.Vendor, ""}.read()
	if right == nil {
		return wire.WireScript{}, errNoAnswer
	}
	kind := a.Provider.Kind
	values, err := wrong.Reply(kind.Family, way, right)
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
	// vendor is who said it, to the request that it answers, and family which.
	vendor *providers.Vendor
	family string
}

// remember keeps what answers a request, for a false answer that says it again.
func (a *asking) remember(reply *providers.Output, response *wire.Response) {
	if a.answered == nil {
		return
	}
	line := Line{a.Call.Step, a.Lane}
	vendor := *a.Vendor
	a.answered[line] = said{reply, response, &vendor, a.Provider.Kind.Family}
	a.lines = append(slices.DeleteFunc(a.lines, func(l Line) bool { return l == line }), line)
}

// Recalling is a vendor of a family that knows what was answered before what is asked
// in a line.
func (s *Sources) Recalling(vendor providers.Vendor, family string, here Line) *providers.Vendor {
	vendor.Earlier = func(elsewhere bool, of string) (providers.Output, bool) {
		if !elsewhere {
			return s.answered[here].rendered()
		}
		for _, line := range slices.Backward(s.lines) {
			if line == here || of != "" && line.Step != of || s.answered[line].family != family {
				continue
			}
			if out, ok := s.answered[line].rendered(); ok {
				return out, true
			}
		}
		return providers.Output{}, false
	}
	return &vendor
}

// rendered is what was said as it was read, and whether it was a success.
func (s said) rendered() (providers.Output, bool) {
	if s.vendor == nil {
		return providers.Output{}, false
	}
	if s.response == nil {
		resp := s.vendor.Adapter.Render(s.vendor.In, *s.reply)
		s.response = &resp
	}
	out, ok := s.vendor.Says(*s.response)
	return out, ok && !out.IsError
}

// read is what an answer says, in the words of its reply where it has one; nil for none
// that is a success.
func (s said) read() *providers.Output {
	if s.vendor == nil || s.response == nil && s.reply == nil {
		return nil
	}
	out, ok := s.rendered()
	switch {
	case !ok:
		return nil
	case s.reply != nil:
		return s.reply
	}
	return &out
}
