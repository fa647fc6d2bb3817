package interp

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/schema"
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
