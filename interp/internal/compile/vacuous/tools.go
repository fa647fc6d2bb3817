package vacuous

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Replies warns of the replies of a script that no service gives to its steps.
func Replies(s *plan.Script, steps []*plan.Step, scenario *dsl.Block) hcl.Diagnostics {
	return slices.Concat(Tools(s, steps, scenario), Arguments(s, steps, scenario), Rows(s, steps), Columns(s, steps))
}

// Tools warns of replies that ask for a tool which no step has that they answer.
// The model is told so and goes on, so that a run of a misspelt tool looks like
// one of the tool. A scenario that means it names the tool in what it checks.
func Tools(s *plan.Script, steps []*plan.Step, scenario *dsl.Block) (diags hcl.Diagnostics) {
	var have []string
	for _, st := range steps {
		if len(st.Tools) == 0 {
			return nil // a program's, or one that hands the calls on
		}
		for _, t := range st.Tools {
			have = append(have, t.Name)
		}
	}
	for _, e := range s.Entries {
		if e.Reply == nil {
			continue
		}
		for _, call := range e.Reply.ToolCalls {
			if slices.Contains(have, call.Name) || checks(scenario, call.Name) {
				continue
			}
			diags = append(diags, &hcl.Diagnostic{
				Severity: hcl.DiagWarning, Summary: "Tool that the step does not have", Subject: e.Rng.Ptr(),
				Detail: fmt.Sprintf("Step %q has no tool %q, so no tool runs and the model is told that there is none.%s If the scenario is about that, let a check name the tool, such as contains(step.%s.tool_calls[*].name, %q).", s.Address, call.Name, dsl.DidYouMean(call.Name, have), s.Address, call.Name),
			})
		}
	}
	return diags
}

// checks reports whether a text stands in what a scenario checks.
func checks(scenario *dsl.Block, text string) (found bool) {
	scenario.EachWritten(func(in *dsl.Block, _ string, e hclsyntax.Expression) {
		if !slices.Contains([]string{"assert", "expect", "snapshot", "invariant", "match"}, in.Type) {
			return
		}
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			if l, ok := e.(*hclsyntax.LiteralValueExpr); ok && l.Val.Type() == cty.String && !l.Val.IsNull() {
				found = found || strings.Contains(l.Val.AsString(), text)
			}
		})
	})
	return found
}
