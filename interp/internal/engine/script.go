package engine

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// cursor is how far one step has come in one script. Every step has its own,
// also in a script for "*".
type cursor struct {
	script *plan.Script
	used   []int // calls answered, by entry
	before []int // those of earlier passes of a script that cycles
	last   int   // entry that answered last, -1 for none
}

func newCursor(s *plan.Script) *cursor {
	return &cursor{script: s, used: make([]int, len(s.Entries)), before: make([]int, len(s.Entries)), last: -1}
}

// next returns the entry that answers an attempt. When none is left, over says
// that one would have fitted before; otherwise no entry is for such a call.
func (c *cursor) next(target string, turn, iteration int) (e *plan.Entry, over bool) {
	fits := func(e *plan.Entry) bool {
		return (e.Target == "" || e.Target == target) && (e.Turn == 0 || e.Turn == turn) && (e.Iteration == 0 || e.Iteration == iteration)
	}
	var last *plan.Entry
	for i, e := range c.script.Entries {
		if !fits(e) {
			continue
		}
		last = e
		if e.Times == plan.Unlimited || c.used[i]-c.before[i] < e.Times {
			c.take(i)
			return e, false
		}
	}
	if last == nil {
		return nil, false
	}
	switch c.script.Exhausted {
	case "repeat_last":
		c.take(last.N - 1)
		return last, false
	case "cycle":
		for i, e := range c.script.Entries {
			if fits(e) {
				c.before[i] = c.used[i]
			}
		}
		return c.next(target, turn, iteration)
	case "replay":
		return nil, false
	}
	return nil, true
}

// upcoming returns the entry that next would return; it takes nothing.
func (c *cursor) upcoming(target string, turn, iteration int) *plan.Entry {
	used, before, last := slices.Clone(c.used), slices.Clone(c.before), c.last
	e, _ := c.next(target, turn, iteration)
	c.used, c.before, c.last = used, before, last
	return e
}

// peek returns the entry that would answer next, nil for none; it takes nothing.
func (c *cursor) peek(iteration int) *plan.Entry {
	for i, e := range c.script.Entries {
		if (e.Iteration == 0 || e.Iteration == iteration) && (e.Times == plan.Unlimited || c.used[i]-c.before[i] < e.Times) {
			return e
		}
	}
	return nil
}

func (c *cursor) take(i int) {
	c.used[i]++
	c.last = i
}

// gateError says that a call has no answer it may have. The attempt fails, is
// never tried again, and the scenario fails with the gate.
type gateError struct {
	gate, message string
	entry         *plan.Entry
}

func (e *gateError) Error() string { return e.message }

// answers is the chain of sources for one attempt: the script in its written
// order, then the cassette, then the network in a live run. There is no
// default.
type answers struct {
	r *run
	a *attempt
	// hop counts the requests of the attempt before this one: redirects.
	redirects int
}

// Next implements wire.Source.
func (s answers) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if s.redirects > 0 {
		return s.redirected(ctx, call)
	}
	chain := wire.Chain{(*scriptSource)(&s), (*cassetteSource)(&s), (*liveSource)(&s)}
	script, err := chain.Next(ctx, call)
	if errors.Is(err, wire.ErrPass) {
		return script, s.unmatched(call)
	}
	return script, err
}

func (s answers) unmatched(call wire.Call) error {
	p := s.r.plan
	var keys []string
	for _, sc := range p.Scripts {
		key := fmt.Sprintf("on %q", sc.Address)
		if sc.Target != "" {
			key += fmt.Sprintf(" for target %q", sc.Target)
		}
		keys = append(keys, key)
	}
	have := "The scenario has no script and no cassette."
	if len(keys) > 0 {
		have = "The scripts are: " + strings.Join(keys, ", ") + "."
	}
	if sc := p.ScriptFor(call.Step, call.Target); sc != nil {
		have = fmt.Sprintf("The script at line %d has no entry for such a call.", sc.Rng.Start.Line)
	}
	return &gateError{gate: plan.GateUnmatched, message: fmt.Sprintf(
		"nothing answers %s (%s %s). %s\nhint: add an entry to `on %q { … }`, or a cassette",
		callText(call), call.Request.Method, call.Request.URL, have, call.Step)}
}

// callText names a call by all that an entry of a script may ask of it.
func callText(call wire.Call) string {
	text := fmt.Sprintf("attempt %d", call.Attempt)
	if call.Turn > 1 {
		text += fmt.Sprintf(", in turn %d,", call.Turn)
	}
	if call.Iteration > 0 {
		text += fmt.Sprintf(" of iteration %d", call.Iteration)
	}
	return text + fmt.Sprintf(" of step %q on target %q", call.Step, call.Target)
}

type scriptSource answers

// Next answers from the step's script.
func (s scriptSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	sc := s.r.plan.ScriptFor(call.Step, call.Target)
	if sc == nil {
		return wire.WireScript{}, wire.ErrPass
	}
	c := s.r.cursor(call.Step, sc)
	e, over := c.next(call.Target, call.Turn, call.Iteration)
	switch {
	case over:
		return wire.WireScript{}, s.overConsumed(call, c)
	case e == nil:
		return wire.WireScript{}, wire.ErrPass
	}
	s.a.entry = e
	live := s.r.live.first(call.Step) && e.Replay != nil && e.Replay.Interaction == 0
	if live && e.Fault == nil {
		return liveSource(s).Next(ctx, call)
	}
	if e.Replay != nil && !live && s.r.plan.Responses != nil {
		return responseSource(s).replay(ctx, call, e)
	}
	meta := wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "script", Entry: e.N,
		Pos: wire.Pos{File: s.r.plan.Place, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column},
	}
	return s.wireScript(ctx, call, e, meta)
}

// wireScript turns an entry into what the client meets.
func (s scriptSource) wireScript(ctx context.Context, call wire.Call, e *plan.Entry, meta wire.Meta) (wire.WireScript, error) {
	a := s.a
	adapter := a.vendor.Adapter
	var base *wire.Response
	switch {
	case e.Reply != nil:
		meta.CostUSD = e.Reply.CostUSD
		resp := adapter.Render(a.vendor.In, *e.Reply)
		if e.Fault == nil {
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
		if e.Fault == nil || recorded.Error != "" {
			return recorded.Script(meta), nil
		}
		resp := label(adapter, recorded.Response)
		base = &resp
	}
	return e.Fault.Script(faults.Strike{
		Args: e.Args, After: e.After, HasAfter: e.HasAfter, Base: base, Stream: a.vendor.In.Stream, Host: call.Request.URL.Host,
		Path:   call.Request.URL.RequestURI(),
		Vendor: a.vendor, Meta: meta,
	})
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
func (s scriptSource) recorded(ctx context.Context, call wire.Call, r *plan.Replay) (*cassette.Interaction, error) {
	var it *cassette.Interaction
	var err error
	if r.Interaction == 0 && s.r.live.first(call.Step) {
		return liveSource(s).fetch(ctx, call)
	}
	if s.r.Player == nil {
		return nil, fmt.Errorf("nothing was recorded that it could play")
	}
	if r.Interaction > 0 {
		if it, err = s.r.Player.Interaction(call.Step, r.Interaction); err == nil {
			it.AnswerTo(call.Body)
		}
	} else {
		it, err = s.r.Player.Take(ctx, call)
	}
	if err != nil {
		return nil, missed(err)
	}
	if r.Latency != nil {
		cassette.ConstantLatency(*r.Latency).Apply(it)
	}
	return it, nil
}

func (s scriptSource) overConsumed(call wire.Call, c *cursor) error {
	last := c.script.Entries[len(c.script.Entries)-1]
	if c.last >= 0 {
		last = c.script.Entries[c.last]
	}
	var used []string
	for i, e := range c.script.Entries {
		used = append(used, fmt.Sprintf("entry %d (%s) %d of %d", e.N, e.What(), c.used[i], max(e.Times, c.used[i])))
	}
	return &gateError{gate: plan.GateOverConsumed, entry: last, message: fmt.Sprintf(
		"%s is past the end of its script, which answered: %s.\nhint: add an entry, give the last one times = \"*\", or set exhausted = \"repeat_last\"",
		callText(call), strings.Join(used, ", "))}
}

type cassetteSource answers

// Next answers from the cassette.
func (s cassetteSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if s.r.live.first(s.a.call.s.Name) {
		return wire.WireScript{}, wire.ErrPass
	}
	if s.r.plan.Responses != nil {
		return responseSource(s).Next(ctx, call)
	}
	if s.r.Player == nil {
		return wire.WireScript{}, wire.ErrPass
	}
	it, err := s.r.Player.Take(ctx, call)
	var miss *cassette.Miss
	if errors.As(err, &miss) && miss.Gate != plan.GateDrifted && s.r.live.dials(s.a.call.s.Name) {
		return wire.WireScript{}, wire.ErrPass
	}
	if err == nil {
		err = restore(s.a.target.Provider.Adapter, it)
	}
	if err != nil {
		return wire.WireScript{}, missed(err)
	}
	return s.r.Player.Script(call, it), nil
}

// restore gives a recorded answer the form that it has on the wire.
func restore(adapter providers.Adapter, it *cassette.Interaction) (err error) {
	if r, ok := adapter.(providers.Restorer); ok && it.Error == "" {
		it.Response, err = r.Restore(it.Response)
	}
	return err
}

// missed turns the cassette's own error into the gate that it fails.
func missed(err error) error {
	var miss *cassette.Miss
	if errors.As(err, &miss) {
		return &gateError{gate: miss.Gate, message: miss.Message}
	}
	return err
}

// entriesUnused lists the entries of all scripts that were used less often
// than they say, with how often they were.
func (r *run) entriesUnused() []unusedEntry {
	var list []unusedEntry
	for _, sc := range r.plan.Scripts {
		for i, e := range sc.Entries {
			used := 0
			for _, c := range r.cursorsOf(sc) {
				used = max(used, c.used[i])
			}
			want := max(e.Times, 1)
			if !e.Optional && used < want {
				list = append(list, unusedEntry{sc, e, used, want})
			}
		}
	}
	return list
}

type unusedEntry struct {
	script     *plan.Script
	entry      *plan.Entry
	used, want int
}

// cursor returns the cursor of a step in a script.
func (r *run) cursor(step string, sc *plan.Script) *cursor {
	for _, c := range r.cursors[step] {
		if c.script == sc {
			return c
		}
	}
	c := newCursor(sc)
	r.cursors[step] = append(r.cursors[step], c)
	return c
}

// cursorsOf returns the cursors of all steps in a script.
func (r *run) cursorsOf(sc *plan.Script) []*cursor {
	var list []*cursor
	for _, step := range read.SortedNames(r.cursors) {
		if i := slices.IndexFunc(r.cursors[step], func(c *cursor) bool { return c.script == sc }); i >= 0 {
			list = append(list, r.cursors[step][i])
		}
	}
	return list
}
