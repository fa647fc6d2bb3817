package exchange

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/faults/lie"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// scriptSource answers from the scripts of the scenario.
type scriptSource asking

// Next answers from the step's script.
func (s *scriptSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	sc := s.plan.ScriptFor(call.Step, call.Target)
	if sc == nil {
		return wire.WireScript{}, wire.ErrPass
	}
	c := s.Cursor(Line{call.Step, s.Lane}, sc)
	e, over := s.NextIn(c, (*asking)(s).wanted(call))
	switch {
	case over:
		return wire.WireScript{}, s.overConsumed(call, c)
	case e == nil:
		return wire.WireScript{}, wire.ErrPass
	}
	s.answer.Entry = e
	live := s.live.First(call.Step) && e.Replay != nil && e.Replay.Interaction == 0
	if live && e.Fault == nil {
		return (*liveSource)(s).Next(ctx, call)
	}
	if e.Replay != nil && !live && s.plan.Responses != nil {
		return (*responseSource)(s).replay(ctx, call, e)
	}
	meta := wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "script", Entry: e.N,
		Pos: wire.Pos{File: s.plan.Place, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column},
	}
	return s.wireScript(ctx, call, e, meta)
}

// wireScript turns an entry into what the client meets.
func (s *scriptSource) wireScript(ctx context.Context, call wire.Call, e *plan.Entry, meta wire.Meta) (wire.WireScript, error) {
	adapter := s.Vendor.Adapter
	var base *wire.Response
	switch {
	case e.Reply != nil:
		meta.CostUSD = e.Reply.CostUSD
		if s.Known != nil && e.Fault == nil {
			(*asking)(s).remember(e.Reply, nil)
			s.answer.Rendered = s.Known.reply(s.Vendor, e)
			script := s.answer.Rendered.script
			script.Meta = meta
			return script, nil
		}
		resp := adapter.Render(s.Vendor.In, *e.Reply)
		if e.Fault == nil {
			(*asking)(s).remember(e.Reply, nil)
			return resp.Script(meta), nil
		}
		base = &resp
	case e.Replay != nil:
		recorded, err := s.recorded(ctx, call, e.Replay)
		if err == nil {
			err = restore(adapter, recorded)
		}
		if err != nil {
			return wire.WireScript{}, err
		}
		switch {
		case e.Fault == nil:
			(*asking)(s).remember(nil, &recorded.Response)
			return recorded.Script(meta), nil
		case recorded.Error != "":
			// A refusal is no answer that a fault could disturb.
			return wire.WireScript{}, fmt.Errorf("interaction %d of %s is a refusal (%s): there is no answer for the fault %s to disturb",
				recorded.Index, s.plan.Recording.Path, recorded.Error, e.Fault.Name)
		}
		resp := label(adapter, recorded.Response)
		base = &resp
	}
	return (*asking)(s).struckBy(e, call, base, meta)
}

// struckBy is what a call meets that would get base, where the fault of an entry
// strikes it.
func (a *asking) struckBy(e *plan.Entry, call wire.Call, base *wire.Response, meta wire.Meta) (wire.WireScript, error) {
	strike := a.strike(e, call, base)
	strike.Meta = meta
	if e.Fault.Recalls {
		strike.Vendor = a.Recalling(*a.Vendor, a.Provider.Kind.Family, Line{a.Call.Step, a.Lane})
	}
	struck, err := e.Fault.Script(strike)
	if lie.IsPowerless(err) {
		a.answer.Unchanged, a.answer.Why = true, err.Error()
		return e.Fault.Spared(strike), nil
	}
	a.answer.Unchanged = err == nil && unchanged(e.Fault, struck, base)
	return struck, err
}

// strike is a fault of an entry at a call whose answer would be base.
func (a *asking) strike(e *plan.Entry, call wire.Call, base *wire.Response) faults.Strike {
	return faults.Strike{
		Args: e.Args, After: e.After, HasAfter: e.HasAfter, Base: base, Stream: a.Vendor.In.Stream, Host: call.Request.URL.Host,
		Path: call.Request.URL.RequestURI(), Vendor: a.Vendor,
	}
}

// unchanged reports whether a fault made no difference: the same bytes come at the
// same times as without it. One that slows an answer down has to do that.
func unchanged(k *faults.Kind, struck wire.WireScript, base *wire.Response) bool {
	if struck.Dial != nil || struck.TLS != nil || struck.Err != nil || base == nil && !k.Slow {
		return false
	}
	var before wire.WireScript
	if base != nil {
		before = base.Script(struck.Meta)
	}
	if k.Slow {
		return waited(struck) == waited(before) && ending(struck) == ending(before)
	}
	return struck.Delay == before.Delay && slices.EqualFunc(struck.Ops, before.Ops, func(a, b wire.Op) bool {
		return a.Wait == b.Wait && a.End == b.End && bytes.Equal(a.Data, b.Data)
	})
}

// waited is how long it takes until all of an answer is there.
func waited(s wire.WireScript) time.Duration {
	total := s.Delay
	for _, op := range s.Ops {
		total += op.Wait
	}
	return total
}

// ending is how an answer ends.
func ending(s wire.WireScript) wire.End {
	if len(s.Ops) == 0 {
		return wire.EndNone
	}
	return s.Ops[len(s.Ops)-1].End
}

// label asks the adapter which parts of a recording carry content, for faults
// that count chunks.
func label(adapter providers.Adapter, resp wire.Response) wire.Response {
	if l, ok := adapter.(interface{ Label(*wire.Response) }); ok {
		l.Label(&resp)
	}
	return resp
}

// recorded takes the interaction that a replay entry asks for.
func (s *scriptSource) recorded(ctx context.Context, call wire.Call, r *plan.Replay) (*cassette.Interaction, error) {
	var it *cassette.Interaction
	var err error
	if r.Interaction == 0 && s.live.First(call.Step) {
		return (*liveSource)(s).fetch(ctx, call)
	}
	if s.player == nil {
		return nil, fmt.Errorf("nothing was recorded that it could play")
	}
	if r.Interaction > 0 {
		if it, err = s.player.Interaction(call.Step, r.Interaction); err == nil {
			it.AnswerTo(call.Body)
		}
	} else {
		it, err = s.player.Take(ctx, call)
	}
	if err != nil {
		return nil, missed(err)
	}
	if r.Latency != nil {
		cassette.ConstantLatency(*r.Latency).Apply(it)
	}
	return it, nil
}

func (s *scriptSource) overConsumed(call wire.Call, c *Cursor) error {
	last := c.script.Entries[len(c.script.Entries)-1]
	if c.last >= 0 {
		last = c.script.Entries[c.last]
	}
	var used []string
	for i, e := range c.script.Entries {
		used = append(used, fmt.Sprintf("entry %d (%s) %d of %d", e.N, e.What(), c.used[i], max(e.Times, c.used[i])))
	}
	return &GateError{Gate: plan.GateOverConsumed, Entry: last, Message: fmt.Sprintf(
		"%s is past the end of its script, which answered: %s.\nhint: add an entry, give the last one times = \"*\", or set exhausted = \"repeat_last\"",
		callText(call), strings.Join(used, ", "))}
}
