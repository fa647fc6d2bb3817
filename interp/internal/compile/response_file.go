package compile

import (
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
)

// responses compiles the scripts of a response file, nil for any other
// cassette. A turn past the last one repeats it.
func (sc *scenarioCompiler) responses(t *plan.Recording, path hcl.Range) *plan.Responses {
	if t.Cassette.Scripts == nil {
		return nil
	}
	out := &plan.Responses{Path: t.Cassette.Path, ByKey: map[string]*plan.Script{}}
	inFile := 0
	for _, recorded := range t.Cassette.Scripts {
		s := &plan.Script{Address: recorded.Key, Exhausted: "repeat_last", Rng: lineOf(out.Path, recorded.Line)}
		for i, turn := range recorded.Turns {
			e := responseEntry(turn, lineOf(out.Path, turn.Line))
			inFile++
			e.N, e.InFile = i+1, inFile
			if t.Latency != "recorded" && e.Reply != nil {
				e.Reply.Latency, _ = dsl.ParseDuration(t.Latency) // 0 for "none"
			}
			s.Entries = append(s.Entries, e)
		}
		sc.answerable(s, path)
		out.Scripts = append(out.Scripts, s)
		out.ByKey[s.Address] = s
	}
	return out
}

// answerable checks that the step of that name, where there is one, can be
// answered so.
func (sc *scenarioCompiler) answerable(s *plan.Script, path hcl.Range) {
	var names []string
	for _, st := range sc.p.Workflow.Steps {
		if st.Gateway == nil || st.Gateway.Family() != "llm" {
			if st.Name == s.Address {
				sc.Errorf(path, "Answer for a step that calls no model", "Line %d of the response file answers step %q, which is of kind %q; such a file answers models alone.", s.Rng.Start.Line, st.Name, st.Kind)
			}
			continue
		}
		names = append(names, st.Name)
		if st.Name != s.Address {
			continue
		}
		for _, e := range s.Entries {
			if e.Fault != nil && !st.Meets(e.Fault) {
				sc.Errorf(path, "Fault that means nothing here", "Line %d of the response file has the fault %q, which is for %s, and step %q is %s.", e.Rng.Start.Line, e.Fault.Name, strings.Join(e.Fault.For, ", "), st.Name, st.Describe())
			}
		}
		return
	}
	if hint := dsl.DidYouMean(s.Address, names); hint != "" {
		sc.Warnf(path, "Answer for no step", "Line %d of the response file answers %q, and workflow %q has no such step.%s", s.Rng.Start.Line, s.Address, sc.p.Workflow.Name, hint)
	}
}

func lineOf(path string, line int) hcl.Range {
	at := hcl.Pos{Line: line, Column: 1}
	return hcl.Range{Filename: path, Start: at, End: at}
}

// responseEntry is one turn as the entry of a script.
func responseEntry(turn agentloom.Turn, rng hcl.Range) *plan.Entry {
	e := &plan.Entry{Times: 1, Rng: rng}
	if turn.HasReply {
		e.Reply = &providers.Output{
			Content: turn.Content, Model: turn.Model, FinishReason: turn.FinishReason, CostUSD: turn.CostUSD, Latency: turn.Latency,
		}
		for _, c := range turn.ToolCalls {
			e.Reply.ToolCalls = append(e.Reply.ToolCalls, providers.ToolCall{ID: c.ID, Name: c.Name, Arguments: c.Arguments})
		}
		if u := turn.Usage; u != nil {
			e.Reply.Usage = providers.Usage{Set: true, Prompt: u.Prompt, Completion: u.Completion, Total: u.Total}
		}
	}
	if f := turn.Fault; f != nil {
		e.Fault, e.Args = faults.Lookup(f.Kind), schema.Values(f.Args)
		if f.After != nil {
			e.After, e.HasAfter = *f.After, true
		}
	}
	return e
}
