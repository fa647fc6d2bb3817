package vacuous

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// maxAsked bounds for how many cases a rubric is asked before a bench runs.
const maxAsked = 1_000

// Rubric finds the cases for which a rubric of conditions says the same whatever the
// system answers, before anything is spent on them: it is evaluated with an answer
// that is not known, and a result that is known all the same depends on the case
// alone. That a default is compared, or nothing is looked for, is a mistake in a name
// more often than not. All cases are refused, and some are warned about.
func Rubric(d *plan.BenchDecl) hcl.Diagnostics {
	if d.Rubric == nil || d.Rubric.Program {
		return nil
	}
	var idle []string
	asked := min(len(d.Cases), maxAsked)
	for _, k := range d.Cases[:asked] {
		if !dependsOnAnswer(d.Rubric, k) {
			idle = append(idle, k.ID)
		}
	}
	if len(idle) == 0 {
		return nil
	}
	at := d.Rubric.Block.DefRange
	if d.Rubric.Passed != nil {
		at = d.Rubric.Passed.Range()
	}
	if len(idle) == asked {
		return hcl.Diagnostics{{
			Severity: hcl.DiagError, Summary: "Rubric about nothing observed", Subject: &at,
			Detail: fmt.Sprintf("For each of the cases, such as %q, this says the same whatever the system answers: it looks for an empty string, or a default decides because the case has no such member. Compare the answer with what the cases have, such as passed = output.answer == case.input.expected.", idle[0]),
		}}
	}
	return hcl.Diagnostics{{
		Severity: hcl.DiagWarning, Summary: "Cases without a rubric", Subject: &at,
		Detail: fmt.Sprintf("For %d of %d cases, the first being %q, this says the same whatever the system answers: it looks for an empty string, or a default decides because the case has no such member. They count as scored, and measure nothing. Complete these cases, or leave them out.", len(idle), asked, idle[0]),
	}}
}

// dependsOnAnswer reports whether a part of a rubric has no value before the answer to
// a case is known. What cannot be evaluated at all is said where it is.
func dependsOnAnswer(r *plan.BenchRubric, k *plan.BenchCase) bool {
	ctx := k.Ctx.NewChild()
	ctx.Variables = map[string]cty.Value{"output": cty.DynamicVal}
	ctx.Functions = asking(k.Ctx)
	exprs := []hclsyntax.Expression{r.Passed, r.Score}
	for _, m := range r.Modes {
		exprs = append(exprs, m.When)
	}
	for _, e := range exprs {
		if e == nil {
			continue
		}
		if v, diags := dsl.Evaluate(e, ctx); diags.HasErrors() || !v.IsWhollyKnown() {
			return true
		}
	}
	return false
}

// asking are the functions of a context, of which those that look for a string in
// another know that an empty one is in all.
func asking(ctx *hcl.EvalContext) map[string]function.Function {
	functions := map[string]function.Function{}
	lookup := func(name string) (f function.Function, has bool) {
		for c := ctx; c != nil && !has; c = c.Parent() {
			f, has = c.Functions[name]
		}
		return f, has
	}
	for name, sought := range map[string]int{"strcontains": 1, "startswith": 1, "endswith": 1, "regexmatch": 0} {
		if f, has := lookup(name); has {
			functions[name] = emptyIsFound(f, sought)
		}
	}
	return functions
}

func emptyIsFound(f function.Function, sought int) function.Function {
	params := []function.Parameter{
		{Name: "a", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true},
		{Name: "b", Type: cty.DynamicPseudoType, AllowUnknown: true, AllowDynamicType: true, AllowNull: true, AllowMarked: true},
	}
	return function.New(&function.Spec{
		Params: params, Type: function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for i, a := range args {
				if a, _ = a.Unmark(); i == sought && a.IsKnown() && !a.IsNull() && a.Type() == cty.String && a.AsString() == "" {
					return cty.True, nil
				}
			}
			for _, a := range args {
				if !a.IsWhollyKnown() {
					return cty.UnknownVal(cty.Bool), nil
				}
			}
			return f.Call(args)
		},
	})
}
