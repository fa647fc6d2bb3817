package engine

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// rubric scores an answer.
func (r *run) rubric(ctx context.Context, c bench.Case, trial int, a bench.Answer) (bench.Score, error) {
	k, rubric := r.benching.cases[c.ID], r.plan.BenchRun.Decl.Rubric
	switch {
	case len(k.Rubric) > 0:
		return r.simulateRubric(ctx, plan.OfTrial(k.Rubric, trial))
	case k.Scored != nil:
		return r.scoreByProgram(ctx, k, trial, a)
	case rubric == nil:
		return bench.Score{Passed: true, Score: 1}, nil
	}
	s, err := evaluateRubric(rubric, k, a)
	if err == nil {
		s.Nothing = r.showsNothing(rubric, k, a, &s)
		s.Exchanged = r.exchanged(rubric, k, a, &s)
		s.Instead = r.instead(rubric, k, a, &s)
	}
	return s, err
}

func (r *run) simulateRubric(ctx context.Context, k *plan.SimulatedRubric) (bench.Score, error) {
	if k.Takes > 0 {
		if err := r.Clock.Sleep(ctx, k.Takes); err != nil {
			return bench.Score{}, err
		}
	}
	if k.Exit != 0 || k.HasStdout {
		return scoreOf(Exit{Code: k.Exit, Stdout: []byte(k.Stdout), Stderr: []byte(k.Stderr)})
	}
	return k.Score, nil
}

// scoreByProgram runs the program that scores.
func (r *run) scoreByProgram(ctx context.Context, k *plan.BenchCase, trial int, a bench.Answer) (bench.Score, error) {
	stdin := append(append([]byte(`{"case":`), k.Document()...), `,"output":`...)
	stdin = append(append(stdin, a.Output...), `,"trial":`...)
	stdin = append(trace.AppendValue(stdin, trial), "}\n"...)
	exit := r.exec(ctx, k.Scored, Program{Stdin: stdin, Rubric: true, Limit: rubricOutput})
	said := &bench.Kept{Judged: bench.Excerpt{Text: utf8Text(exit.Stderr)}}
	if err := ctx.Err(); err != nil {
		return bench.Score{Seen: said}, err
	}
	s, err := scoreOf(exit)
	s.Seen = said
	return s, err
}

// scoreOf reads the score of a program that ended. What is told of one that
// gave none is what it said on standard error, and the reason where it said
// nothing.
func scoreOf(exit Exit) (bench.Score, error) {
	why := ""
	switch {
	case exit.Err != nil:
		why = exit.Err.Error()
	case exit.Flooded:
		why = fmt.Sprintf("more than %d bytes on standard output", rubricOutput)
	case exit.Signal != "":
		why = "signal: " + exit.Signal
	case exit.Code != 0:
		why = fmt.Sprintf("exit status %d", exit.Code)
	default:
		s, err := bench.ParseScore(exit.Stdout)
		if err == nil {
			return s, nil
		}
		why = err.Error()
	}
	if said := utf8Text(exit.Stderr); strings.TrimSpace(said) != "" {
		why = said
	}
	return bench.Score{}, &bench.Malformed{Detail: why}
}

// evaluate scores an answer by conditions. One that cannot be evaluated is no
// score.
func evaluateRubric(k *plan.BenchRubric, c *plan.BenchCase, a bench.Answer) (bench.Score, error) {
	ctx := rubricContext(c, a)
	s := bench.Score{Passed: true, Breakdown: map[string]float64{}}
	var err error
	if k.Passed != nil {
		if s.Passed, err = condition(k.Passed, ctx, plan.RubricPassed); err != nil {
			return s, err
		}
		if !s.Passed {
			s.Seen = brokenBy(k, ctx)
		}
		if missing := passedByNull(k.Passed, ctx); s.Passed && missing != "" {
			return s, malformed(plan.RubricPassed, missing+" is null, so there is nothing to compare: ask for what has to be there as well, or for null")
		}
	}
	if s.Score, err = amount(k.Score, ctx, plan.RubricScore, defaultScore(s.Passed)); err != nil {
		return s, err
	}
	if s.CostUSD, err = amount(k.Cost, ctx, plan.RubricCost, 0); err != nil {
		return s, err
	}
	if err := rubricParts(k, &s, ctx); err != nil {
		return s, err
	}
	for _, m := range k.Modes {
		has, err := condition(m.When, ctx, plan.RubricWhen+m.Code)
		if err != nil {
			return s, err
		}
		if has {
			s.FailureModes = append(s.FailureModes, bench.FailureMode{Code: m.Code, Detail: detailOf(m.Detail, ctx)})
		}
	}
	return s, nil
}

// showsNothing says why a score of conditions shows nothing of the answer that it passes.
func (r *run) showsNothing(k *plan.BenchRubric, c *plan.BenchCase, a bench.Answer, s *bench.Score) string {
	if r.overNothing == nil || !s.Passed {
		return ""
	}
	return r.overNothing(k, rubricContext(c, a))
}

// rubricContext is what the conditions of a rubric read.
func rubricContext(c *plan.BenchCase, a bench.Answer) *hcl.EvalContext {
	ctx := c.Ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"output": read.JsonValue(string(a.Output))}
	return ctx
}

// passedByNull names what of the output is null where the result depends on it, ""
// where it does not: to differ from a value, null need not be an answer. A
// comparison with null, try and coalesce say what null means.
func passedByNull(e hclsyntax.Expression, ctx *hcl.EvalContext) string {
	a := dsl.NewAbsence(e, func(root string) bool { return root == "output" })
	slots, missing := ctx.NewChild(), ""
	slots.Variables = map[string]cty.Value{}
	for _, s := range a.Slots {
		v, diags := s.Path.TraverseAbs(ctx)
		switch {
		case s.Caught:
			v, _ = s.Path[:1].TraverseAbs(ctx)
		case diags.HasErrors():
			return ""
		case v.IsNull() && !s.Nullable:
			v, missing = cty.DynamicVal, dsl.TraversalText(s.Path)
		}
		slots.Variables[s.Var] = v
	}
	if v, diags := dsl.Evaluate(a.Expr, slots); missing == "" || diags.HasErrors() || v.IsKnown() {
		return ""
	}
	return missing
}

func defaultScore(passed bool) float64 {
	if passed {
		return 1
	}
	return 0
}

func rubricParts(k *plan.BenchRubric, s *bench.Score, ctx *hcl.EvalContext) error {
	if k.Breakdown == nil {
		return nil
	}
	v, diags := dsl.Evaluate(k.Breakdown, ctx)
	if diags.HasErrors() {
		return malformed(plan.RubricBreakdown, plan.FirstError(diags))
	}
	parts, isObject := dsl.GoValue(v).(map[string]any)
	if !isObject {
		return malformed(plan.RubricBreakdown, "it is no object of numbers")
	}
	for name, part := range parts {
		n, isNumber := part.(float64)
		if !isNumber {
			return malformed(plan.RubricBreakdown, fmt.Sprintf("%q in it is no number", name))
		}
		s.Breakdown[name] = n
	}
	return nil
}

func condition(e hclsyntax.Expression, ctx *hcl.EvalContext, name string) (bool, error) {
	v, diags := dsl.Evaluate(e, ctx)
	switch {
	case diags.HasErrors():
		return false, malformed(name, plan.FirstError(diags))
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Bool:
		return false, malformed(name, "it is neither true nor false")
	}
	return v.True(), nil
}

func amount(e hclsyntax.Expression, ctx *hcl.EvalContext, name string, rest float64) (float64, error) {
	if e == nil {
		return rest, nil
	}
	v, diags := dsl.Evaluate(e, ctx)
	switch {
	case diags.HasErrors():
		return 0, malformed(name, plan.FirstError(diags))
	case v.IsNull() || !v.IsKnown() || v.Type() != cty.Number:
		return 0, malformed(name, "it is no number")
	}
	n, _ := v.AsBigFloat().Float64()
	return n, nil
}

func malformed(name, why string) error {
	return &bench.Malformed{Detail: plan.Untold(name, why)}
}

func detailOf(e hclsyntax.Expression, ctx *hcl.EvalContext) string {
	if e == nil {
		return ""
	}
	v, diags := dsl.Evaluate(e, ctx)
	if diags.HasErrors() {
		return "the detail cannot be told: " + plan.FirstError(diags)
	}
	said, err := plan.ArgText(v)
	if err != nil {
		return render.Value(v, 200)
	}
	return said
}
