package engine

import (
	"cmp"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// operandShown is how many characters are kept of a value.
const operandShown = 400

// brokenBy is what of a rubric's condition did not hold: those of its parts, joined
// by &&, that are false, and the values in them.
func brokenBy(k *plan.BenchRubric, ctx *hcl.EvalContext) *bench.Kept {
	kept := &bench.Kept{}
	seen := map[string]bool{}
	for _, part := range dsl.Conjuncts(k.Passed) {
		v, diags := dsl.Evaluate(part, ctx)
		if !diags.HasErrors() && v.IsKnown() && !v.IsNull() && v.Type() == cty.Bool && v.True() {
			continue
		}
		text := strings.Join(strings.Fields(string(part.Range().SliceBytes(k.Source))), " ")
		kept.Broken = append(kept.Broken, text)
		for _, o := range dsl.Operands(part, ctx, k.Source, nil) {
			if !seen[o.Text] && o.Text != text {
				seen[o.Text] = true
				kept.Operands = append(kept.Operands, bench.Operand{Text: o.Text, Value: cmp.Or(o.Err, valueOf(o.Value))})
			}
		}
	}
	return kept
}

func valueOf(v cty.Value) string {
	if v == cty.NilVal {
		return ""
	}
	return render.Value(v, operandShown)
}

// callsOf are the attempts of a run in the order in which they ended.
func callsOf(events []trace.Event) []bench.Call {
	type key struct {
		step, call, target        string
		attempt, round, turn, nth int
	}
	of := func(e *trace.Event) key {
		return key{e.Step, e.Call, e.Target, e.Attempt, e.Round, e.Turn, e.Iteration}
	}
	began := map[key]*trace.Event{}
	var calls []bench.Call
	for i := range events {
		e := &events[i]
		switch p := e.Payload.(type) {
		case *event.AttemptStart:
			began[of(e)] = e
		case *event.AttemptEnd:
			c := bench.Call{At: e.At, Step: e.Step, Attempt: e.Attempt, Target: e.Target, Outcome: p.Outcome, Answered: bench.Excerpt{Text: p.Content}}
			if f := p.Failed; f != nil {
				c.Outcome += " " + string(f.Kind)
				c.Answered.Text = cmp.Or(f.Message, p.Content)
			} else if len(p.ToolCalls) > 0 && p.Content == "" {
				c.Answered.Text = string(p.ToolCalls.AppendJSON(nil))
			}
			if s := began[of(e)]; s != nil {
				c.At = s.At
				if asked := s.Payload.(*event.AttemptStart).Request; asked != nil {
					c.What = cmp.Or(asked.Tool, asked.Model, strings.TrimSpace(asked.Method+" "+asked.URL))
					c.Asked.Text = cmp.Or(asked.Statement, asked.Body)
				}
			}
			calls = append(calls, c)
		}
	}
	return calls
}
