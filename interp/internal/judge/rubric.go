package judge

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// OverNothing says why a rubric of conditions that an answer passes shows nothing of it,
// "" where it does: what it asks for holds of 0 of 0, or of an empty text, or the file
// itself gives what it asks for. ctx has the case and its output.
func OverNothing(k *plan.BenchRubric, ctx *hcl.EvalContext) string {
	if k.Passed != nil {
		return overNothingHere(k.Passed, k.Source, ctx)
	}
	why := ""
	for _, e := range decisions(k) {
		v, diags := dsl.Evaluate(e, ctx)
		if diags.HasErrors() || !plan.IsTrue(v) {
			return ""
		}
		if why = overNothingHere(e, k.Source, ctx); why == "" {
			return ""
		}
	}
	return why
}

// rubric tells of the cases of a bench that passed although the rubric looked at nothing.
func (r *finished) rubric(result *plan.Result) {
	b := r.Plan.BenchRun
	if b == nil || b.Decl.Rubric == nil {
		return
	}
	report := r.Obs.Report(nil)
	if idle := report.OverNothing(); len(idle) > 0 {
		result.Relaxed = append(result.Relaxed, plan.Problem{
			Kind: plan.KindIdle, Name: "rubric of bench " + strconv.Quote(b.Spec.Name), Range: b.Decl.Rubric.Block.DefRange,
			Message: fmt.Sprintf("%d of %d cases that passed show nothing, the first being %q: %s.\nhint: let the rubric ask for what has to be there as well, such as output.answer != \"\" or length(…) > 0", len(idle), report.Passed, idle[0].ID, idle[0].Nothing),
		})
	}
}

// decisions are the conditions that have to hold for the best score where a rubric has no
// condition of its own: those that choose parts of the score, and that no failure mode is
// found. A score that is no choice decides by itself.
func decisions(k *plan.BenchRubric) (list []hclsyntax.Expression) {
	if k.Score != nil {
		choice, is := dsl.Bare(k.Score).(*hclsyntax.ConditionalExpr)
		if !is {
			return nil
		}
		list = append(list, best(choice))
	}
	for _, m := range k.Modes {
		if m.When == nil {
			return nil
		}
		list = append(list, not(m.When))
	}
	return list
}

// best is the condition of a choice under which the higher score is given.
func best(x *hclsyntax.ConditionalExpr) hclsyntax.Expression {
	high, told := dsl.Literal(dsl.Bare(x.TrueResult))
	low, known := dsl.Literal(dsl.Bare(x.FalseResult))
	if told && known && high.Type() == cty.Number && low.Type() == cty.Number && high.LessThan(low).True() {
		return not(x.Condition)
	}
	return x.Condition
}

func not(e hclsyntax.Expression) hclsyntax.Expression {
	return &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: e, SrcRange: e.Range(), SymbolRange: e.Range()}
}

// overNothingHere is aboutNothing for a condition that reads no run.
func overNothingHere(e hclsyntax.Expression, source []byte, ctx *hcl.EvalContext) string {
	p := &plan.Plan{}
	c := &checker{run: &finished{Plan: p, Obs: &observe.Observed{Plan: p}}, ctx: ctx, idle: func() bool { return false }, measured: true}
	why, _, _ := strings.Cut(c.aboutNothing(&plan.Assertion{Condition: e, Source: source}), "\nhint: ")
	for _, end := range []string{", so it shows nothing here.", ": it shows nothing here.", "."} {
		why = strings.TrimSuffix(why, end)
	}
	return why
}
