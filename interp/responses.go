package interp

import (
	"context"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// find returns the script for a call: that of its step, else that of its
// request (AL10).
func findResponses(p *responses, call wire.Call, in providers.Input) (*script, error) {
	if s := p.byKey[call.Step]; s != nil {
		return s, nil
	}
	hashes := promptHashes(in)
	for _, hash := range hashes {
		if s := p.byKey[hash]; s != nil {
			return s, nil
		}
	}
	return nil, unmatchedResponses(p, call, hashes)
}

// promptHashes are the keys that a recorder by request would have given, none
// for a conversation with tool calls, of which the original's form is its own.
func promptHashes(in providers.Input) []string {
	p := agentloom.Prompt{Model: in.Model, Temperature: in.Temperature, MaxTokens: in.MaxTokens}
	for _, m := range in.Messages {
		if m.Role == "tool" || len(m.ToolCalls) > 0 {
			return nil
		}
		p.Messages = append(p.Messages, agentloom.Message{Role: m.Role, Content: m.Content})
	}
	return p.Hashes()
}

// responseSource answers from a response file.
type responseSource answers

// Next implements wire.Source.
func (s responseSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	e, err := s.take(call)
	if err != nil {
		return wire.WireScript{}, err
	}
	return s.play(ctx, call, e)
}

// play lays out a turn, or a turn with what a replay entry changes of it.
func (s responseSource) play(ctx context.Context, call wire.Call, e *entry) (wire.WireScript, error) {
	s.a.entry = e
	return scriptSource(s).lay(ctx, call, e, wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "cassette", Entry: e.inFile,
		Pos: wire.Pos{File: s.r.plan.cassette.path, Line: e.rng.Start.Line, Column: e.rng.Start.Column},
	})
}

// take is the next turn for a call.
func (s responseSource) take(call wire.Call) (*entry, error) {
	sc, err := findResponses(s.r.plan.responses, call, s.a.vendor.In)
	if err != nil {
		return nil, err
	}
	e, _ := s.r.cursor(sc.address, sc).next(call.Target, call.Turn, call.Iteration)
	return e, nil
}

// replay answers with a turn for a replay entry: the next one of the step or a
// certain one, with the entry's latency, and disturbed by its fault.
func (s responseSource) replay(ctx context.Context, call wire.Call, outer *entry) (wire.WireScript, error) {
	turn, err := s.wanted(call, outer.replay.interaction)
	if err != nil {
		return wire.WireScript{}, err
	}
	e := *turn
	if outer.fault != nil && e.fault == nil {
		e.fault, e.args, e.after, e.hasAfter = outer.fault, outer.args, outer.after, outer.hasAfter
	}
	if d := outer.replay.latency; d != nil && e.reply != nil {
		reply := *e.reply
		reply.Latency = *d
		e.reply = &reply
	}
	return s.play(ctx, call, &e)
}

func (s responseSource) wanted(call wire.Call, n int) (*entry, error) {
	if n == 0 {
		return s.take(call)
	}
	p := s.r.plan.responses
	sc, err := findResponses(p, call, s.a.vendor.In)
	switch {
	case err != nil:
		return nil, err
	case n > len(sc.entries):
		return nil, &gateError{gate: gateUnmatched, message: fmt.Sprintf(
			"step %q replays answer %d, and %s has %d for it.\nhint: they count from 1", call.Step, n, p.path, len(sc.entries))}
	}
	s.r.cursor(sc.address, sc).take(n - 1)
	return sc.entries[n-1], nil
}

func unmatchedResponses(p *responses, call wire.Call, hashes []string) error {
	var keys []string
	for _, s := range p.scripts {
		keys = append(keys, fmt.Sprintf("%q", s.address))
	}
	const shown = 10
	if len(keys) > shown {
		keys = append(keys[:shown], fmt.Sprintf("%d more", len(keys)-shown))
	}
	message := fmt.Sprintf("%s has no answer for attempt %d of step %q. It answers %s", p.path, call.Attempt, call.Step, strings.Join(keys, ", "))
	if len(hashes) > 0 {
		message += "; the hash of this request would be " + strings.Join(hashes, " or ")
	}
	return &gateError{gate: gateUnmatched, message: message + fmt.Sprintf(".\nhint: give the file an answer for %q, or add `on %q { … }`", call.Step, call.Step)}
}

// unusedResponses breaks a gate for every turn that answered nothing.
func (r *run) unusedResponses() {
	p := r.plan.responses
	if p == nil {
		return
	}
	for _, sc := range p.scripts {
		for i, e := range sc.entries {
			used := 0
			for _, c := range r.cursorsOf(sc) {
				used += c.used[i]
			}
			if used == 0 {
				r.gate(gateUnusedInteraction, fmt.Sprintf("answer %d (%s) for %q in line %d of %s was never asked for.\nhint: remove it, or allow = [%q] in the scenario",
					e.n, e.what(), sc.address, e.rng.Start.Line, p.path, gateUnusedInteraction), r.plan.cassette.rng)
			}
		}
	}
}
