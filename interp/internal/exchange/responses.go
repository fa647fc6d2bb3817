package exchange

import (
	"context"
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// findResponses returns the script for a call: that of its step, else that of its
// request.
func findResponses(p *plan.Responses, call wire.Call, in providers.Input) (*plan.Script, error) {
	if s := p.ByKey[call.Step]; s != nil {
		return s, nil
	}
	hashes := promptHashes(in)
	for _, hash := range hashes {
		if s := p.ByKey[hash]; s != nil {
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
type responseSource asking

// Next implements wire.Source.
func (s *responseSource) Next(ctx context.Context, call wire.Call) (wire.WireScript, error) {
	e, err := s.take(call)
	if err != nil {
		return wire.WireScript{}, err
	}
	return s.play(ctx, call, e)
}

// play answers with a turn, or a turn with what a replay entry changes of it.
func (s *responseSource) play(ctx context.Context, call wire.Call, e *plan.Entry) (wire.WireScript, error) {
	s.answer.Entry = e
	return (*scriptSource)(s).wireScript(ctx, call, e, wire.Meta{
		Step: call.Step, Attempt: call.Attempt, By: "cassette", Entry: e.InFile,
		Pos: wire.Pos{File: s.plan.Recording.Path, Line: e.Rng.Start.Line, Column: e.Rng.Start.Column},
	})
}

// take is the next turn for a call.
func (s *responseSource) take(call wire.Call) (*plan.Entry, error) {
	sc, err := findResponses(s.plan.Responses, call, s.Vendor.In)
	if err != nil {
		return nil, err
	}
	e, _ := s.Cursor(Line{Step: sc.Address}, sc).Next((*asking)(s).wanted(call))
	return e, nil
}

// replay answers with a turn for a replay entry: the next one of the step or a
// certain one, with the entry's latency, and disturbed by its fault.
func (s *responseSource) replay(ctx context.Context, call wire.Call, outer *plan.Entry) (wire.WireScript, error) {
	turn, err := s.chosen(call, outer.Replay.Interaction)
	if err != nil {
		return wire.WireScript{}, err
	}
	e := *turn
	if outer.Fault != nil && e.Fault == nil {
		e.Fault, e.Args, e.After, e.HasAfter = outer.Fault, outer.Args, outer.After, outer.HasAfter
	}
	if d := outer.Replay.Latency; d != nil && e.Reply != nil {
		reply := *e.Reply
		reply.Latency = *d
		e.Reply = &reply
	}
	return s.play(ctx, call, &e)
}

func (s *responseSource) chosen(call wire.Call, n int) (*plan.Entry, error) {
	if n == 0 {
		return s.take(call)
	}
	p := s.plan.Responses
	sc, err := findResponses(p, call, s.Vendor.In)
	switch {
	case err != nil:
		return nil, err
	case n > len(sc.Entries):
		return nil, &GateError{Gate: plan.GateUnmatched, Message: fmt.Sprintf(
			"step %q replays answer %d, and %s has %d for it.\nhint: they count from 1", call.Step, n, p.Path, len(sc.Entries))}
	}
	s.Cursor(Line{Step: sc.Address}, sc).take(n - 1)
	return sc.Entries[n-1], nil
}

func unmatchedResponses(p *plan.Responses, call wire.Call, hashes []string) error {
	var keys []string
	for _, s := range p.Scripts {
		keys = append(keys, fmt.Sprintf("%q", s.Address))
	}
	const shown = 10
	if len(keys) > shown {
		keys = append(keys[:shown], fmt.Sprintf("%d more", len(keys)-shown))
	}
	message := fmt.Sprintf("%s has no answer for attempt %d of step %q. It answers %s", p.Path, call.Attempt, call.Step, strings.Join(keys, ", "))
	if len(hashes) > 0 {
		message += "; the hash of this request would be " + strings.Join(hashes, " or ")
	}
	return &GateError{Gate: plan.GateUnmatched, Message: message + fmt.Sprintf(".\nhint: give the file an answer for %q, or add `on %q { … }`", call.Step, call.Step)}
}
