package interp

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/wire"
)

// responses are the answers of a response file: in place of recorded
// exchanges, a script for each step, or for each request by its hash. It
// answers what the scenario's own scripts leave, as any cassette does.
type responses struct {
	path    string
	scripts []*script // in file order; the address is the key
	byKey   map[string]*script
}

// responses compiles the scripts of a response file, nil for any other
// cassette. A turn past the last one repeats it.
func (sc *scenarioCompiler) responses(t *tape, path hcl.Range) *responses {
	if t.cassette.Scripts == nil {
		return nil
	}
	out := &responses{path: t.cassette.Path, byKey: map[string]*script{}}
	inFile := 0
	for _, recorded := range t.cassette.Scripts {
		s := &script{address: recorded.Key, exhausted: "repeat_last", rng: lineOf(out.path, recorded.Line)}
		for i, turn := range recorded.Turns {
			e := responseEntry(turn, lineOf(out.path, turn.Line))
			inFile++
			e.n, e.inFile = i+1, inFile
			if t.latency != "recorded" && e.reply != nil {
				e.reply.Latency, _ = dsl.ParseDuration(t.latency) // 0 for "none"
			}
			s.entries = append(s.entries, e)
		}
		sc.answerable(s, path)
		out.scripts = append(out.scripts, s)
		out.byKey[s.address] = s
	}
	return out
}

// answerable checks that the step of that name, where there is one, can be
// answered so.
func (sc *scenarioCompiler) answerable(s *script, path hcl.Range) {
	var names []string
	for _, st := range sc.p.workflow.steps {
		if st.gateway == nil || st.gateway.family() != "llm" {
			if st.name == s.address {
				sc.errorf(path, "Answer for a step that calls no model", "Line %d of the response file answers step %q, which is of kind %q; such a file answers models alone.", s.rng.Start.Line, st.name, st.kind)
			}
			continue
		}
		names = append(names, st.name)
		if st.name != s.address {
			continue
		}
		for _, e := range s.entries {
			if e.fault != nil && !fitsStep(e.fault, st) {
				sc.errorf(path, "Fault that means nothing here", "Line %d of the response file has the fault %q, which is for %s, and step %q is %s.", e.rng.Start.Line, e.fault.Name, strings.Join(e.fault.For, ", "), st.name, describeStep(st))
			}
		}
		return
	}
	if hint := dsl.DidYouMean(s.address, names); hint != "" {
		sc.warnf(path, "Answer for no step", "Line %d of the response file answers %q, and workflow %q has no such step.%s", s.rng.Start.Line, s.address, sc.p.workflow.name, hint)
	}
}

func lineOf(path string, line int) hcl.Range {
	at := hcl.Pos{Line: line, Column: 1}
	return hcl.Range{Filename: path, Start: at, End: at}
}

// responseEntry is one turn as the entry of a script.
func responseEntry(turn agentloom.Turn, rng hcl.Range) *entry {
	e := &entry{times: 1, rng: rng}
	if turn.HasReply {
		e.reply = &providers.Output{
			Content: turn.Content, Model: turn.Model, FinishReason: turn.FinishReason, CostUSD: turn.CostUSD, Latency: turn.Latency,
		}
		for _, c := range turn.ToolCalls {
			e.reply.ToolCalls = append(e.reply.ToolCalls, providers.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
		}
		if u := turn.Usage; u != nil {
			e.reply.Usage = providers.Usage{Set: true, Prompt: u.Prompt, Completion: u.Completion, Total: u.Total}
		}
	}
	if f := turn.Fault; f != nil {
		e.fault, e.args = faults.Lookup(f.Kind), schema.Values(f.Args)
		if f.After != nil {
			e.after, e.hasAfter = *f.After, true
		}
	}
	return e
}

// find returns the script for a call: that of its step, else that of its
// request (AL10).
func (p *responses) find(call wire.Call, in providers.Input) (*script, error) {
	if s := p.byKey[call.Step]; s != nil {
		return s, nil
	}
	hashes := promptHashes(in)
	for _, hash := range hashes {
		if s := p.byKey[hash]; s != nil {
			return s, nil
		}
	}
	return nil, p.unmatched(call, hashes)
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
	sc, err := s.r.plan.responses.find(call, s.a.vendor.In)
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
	sc, err := p.find(call, s.a.vendor.In)
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

func (p *responses) unmatched(call wire.Call, hashes []string) error {
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
