package interp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// cursor is how far one step has come in one script. Every step has its own,
// also in a script for "*".
type cursor struct {
	script *script
	used   []int // calls answered, by entry
	before []int // those of earlier passes of a script that cycles
	last   int   // entry that answered last, -1 for none
}

func newCursor(s *script) *cursor {
	return &cursor{script: s, used: make([]int, len(s.entries)), before: make([]int, len(s.entries)), last: -1}
}

// next returns the entry that answers an attempt. When none is left, over says
// that one would have fitted before; otherwise no entry is for such a call.
func (c *cursor) next(target string, turn, iteration int) (e *entry, over bool) {
	fits := func(e *entry) bool {
		return (e.target == "" || e.target == target) && (e.turn == 0 || e.turn == turn) && (e.iteration == 0 || e.iteration == iteration)
	}
	var last *entry
	for i, e := range c.script.entries {
		if !fits(e) {
			continue
		}
		last = e
		if e.times == unlimited || c.used[i]-c.before[i] < e.times {
			c.take(i)
			return e, false
		}
	}
	if last == nil {
		return nil, false
	}
	switch c.script.exhausted {
	case "repeat_last":
		c.take(last.n - 1)
		return last, false
	case "cycle":
		for i, e := range c.script.entries {
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
func (c *cursor) upcoming(target string, turn, iteration int) *entry {
	used, before, last := slices.Clone(c.used), slices.Clone(c.before), c.last
	e, _ := c.next(target, turn, iteration)
	c.used, c.before, c.last = used, before, last
	return e
}

// peek returns the entry that would answer next, nil for none; it takes nothing.
func (c *cursor) peek(iteration int) *entry {
	for i, e := range c.script.entries {
		if (e.iteration == 0 || e.iteration == iteration) && (e.times == unlimited || c.used[i]-c.before[i] < e.times) {
			return e
		}
	}
	return nil
}

func (c *cursor) take(i int) {
	c.used[i]++
	c.last = i
}

// scriptsFor picks the script of every target for a step: the most specific
// address and target win (language.md §4).
func (p *Plan) scriptFor(step, target string) *script {
	var best *script
	rank := -1
	for _, s := range p.scripts {
		if s.part != nil || s.address != step && s.address != "*" || s.target != "" && s.target != target {
			continue
		}
		r := 0
		if s.address == step {
			r += 2
		}
		if s.target != "" {
			r++
		}
		if r > rank {
			best, rank = s, r
		}
	}
	return best
}

// gateError says that a call has no answer it may have. The attempt fails, is
// never tried again, and the scenario fails with the gate.
type gateError struct {
	gate, message string
	entry         *entry
}

func (e *gateError) Error() string { return e.message }

// answers is the chain of sources for one attempt: the script in its written
// order, then the cassette, then the network in a live run. There is no
// default.
type answers struct {
	r *run
	a *attempt
	// hop counts the requests of the attempt before this one: redirects.
	hop int
}

// Next implements wire.Source.
func (s answers) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if s.hop > 0 {
		return s.again(ctx, call)
	}
	chain := wire.Chain{(*scriptSource)(&s), (*tapeSource)(&s), (*liveSource)(&s)}
	script, err := chain.Next(ctx, call)
	if errors.Is(err, wire.ErrPass) {
		return script, s.unmatched(call)
	}
	return script, err
}

func (s answers) unmatched(call wire.Call) error {
	p := s.r.plan
	var keys []string
	for _, sc := range p.scripts {
		key := fmt.Sprintf("on %q", sc.address)
		if sc.target != "" {
			key += fmt.Sprintf(" for target %q", sc.target)
		}
		keys = append(keys, key)
	}
	have := "The scenario has no script and no cassette."
	if len(keys) > 0 {
		have = "The scripts are: " + strings.Join(keys, ", ") + "."
	}
	if sc := p.scriptFor(call.Step, call.Target); sc != nil {
		have = fmt.Sprintf("The script at line %d has no entry for such a call.", sc.rng.Start.Line)
	}
	return &gateError{gate: gateUnmatched, message: fmt.Sprintf(
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
	sc := s.r.plan.scriptFor(call.Step, call.Target)
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
	live := s.r.live.first(call.Step) && e.replay != nil && e.replay.interaction == 0
	if live && e.fault == nil {
		return liveSource(s).Next(ctx, call)
	}
	if e.replay != nil && !live && s.r.plan.responses != nil {
		return responseSource(s).replay(ctx, call, e)
	}
	meta := wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "script", Entry: e.n,
		Pos: wire.Pos{File: s.r.plan.place, Line: e.rng.Start.Line, Column: e.rng.Start.Column},
	}
	return s.lay(ctx, call, e, meta)
}

// lay turns an entry into what the client meets.
func (s scriptSource) lay(ctx context.Context, call wire.Call, e *entry, meta wire.Meta) (wire.WireScript, error) {
	a := s.a
	adapter := a.vendor.Adapter
	var base *wire.Response
	switch {
	case e.reply != nil:
		meta.CostUSD = e.reply.CostUSD
		resp := adapter.Render(a.vendor.In, *e.reply)
		if e.fault == nil {
			return resp.Script(meta), nil
		}
		base = &resp
	case e.replay != nil:
		recorded, err := s.recorded(ctx, call, e.replay)
		if err == nil {
			err = restore(adapter, recorded)
		}
		if err != nil {
			return wire.WireScript{}, err
		}
		if e.fault == nil || recorded.Error != "" {
			return recorded.Script(meta), nil
		}
		resp := label(adapter, recorded.Response)
		base = &resp
	}
	return e.fault.Script(faults.Strike{
		Args: e.args, After: e.after, HasAfter: e.hasAfter, Base: base, Stream: a.vendor.In.Stream, Host: call.Request.URL.Host,
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
func (s scriptSource) recorded(ctx context.Context, call wire.Call, r *replay) (*cassette.Interaction, error) {
	var it *cassette.Interaction
	var err error
	if r.interaction == 0 && s.r.live.first(call.Step) {
		return liveSource(s).fetch(ctx, call)
	}
	if s.r.player == nil {
		return nil, fmt.Errorf("nothing was recorded that it could play")
	}
	if r.interaction > 0 {
		if it, err = s.r.player.Interaction(call.Step, r.interaction); err == nil {
			it.AnswerTo(call.Body)
		}
	} else {
		it, err = s.r.player.Take(ctx, call)
	}
	if err != nil {
		return nil, missed(err)
	}
	if r.latency != nil {
		cassette.ConstantLatency(*r.latency).Apply(it)
	}
	return it, nil
}

func (s scriptSource) overConsumed(call wire.Call, c *cursor) error {
	last := c.script.entries[len(c.script.entries)-1]
	if c.last >= 0 {
		last = c.script.entries[c.last]
	}
	var used []string
	for i, e := range c.script.entries {
		used = append(used, fmt.Sprintf("entry %d (%s) %d of %d", e.n, e.what(), c.used[i], max(e.times, c.used[i])))
	}
	return &gateError{gate: gateOverConsumed, entry: last, message: fmt.Sprintf(
		"%s is past the end of its script, which answered: %s.\nhint: add an entry, give the last one times = \"*\", or set exhausted = \"repeat_last\"",
		callText(call), strings.Join(used, ", "))}
}

type tapeSource answers

// Next answers from the cassette.
func (s tapeSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	if s.r.live.first(s.a.call.s.name) {
		return wire.WireScript{}, wire.ErrPass
	}
	if s.r.plan.responses != nil {
		return responseSource(s).Next(ctx, call)
	}
	if s.r.player == nil {
		return wire.WireScript{}, wire.ErrPass
	}
	it, err := s.r.player.Take(ctx, call)
	var miss *cassette.Miss
	if errors.As(err, &miss) && miss.Gate != gateDrifted && s.r.live.dials(s.a.call.s.name) {
		return wire.WireScript{}, wire.ErrPass
	}
	if err == nil {
		err = restore(s.a.target.provider.adapter, it)
	}
	if err != nil {
		return wire.WireScript{}, missed(err)
	}
	return s.r.player.Script(call, it), nil
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
	for _, sc := range r.plan.scripts {
		for i, e := range sc.entries {
			used := 0
			for _, c := range r.cursorsOf(sc) {
				used = max(used, c.used[i])
			}
			want := max(e.times, 1)
			if !e.optional && used < want {
				list = append(list, unusedEntry{sc, e, used, want})
			}
		}
	}
	return list
}

type unusedEntry struct {
	script     *script
	entry      *entry
	used, want int
}

// cursor returns the cursor of a step in a script.
func (r *run) cursor(step string, sc *script) *cursor {
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
func (r *run) cursorsOf(sc *script) []*cursor {
	var list []*cursor
	for _, step := range sortedNames(r.cursors) {
		if i := slices.IndexFunc(r.cursors[step], func(c *cursor) bool { return c.script == sc }); i >= 0 {
			list = append(list, r.cursors[step][i])
		}
	}
	return list
}
