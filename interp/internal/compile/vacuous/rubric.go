package vacuous

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
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
	if diags := missing(d); diags.HasErrors() {
		return diags
	}
	var idle []string
	asked := min(len(d.Cases), maxAsked)
	for _, k := range d.Cases[:asked] {
		if !dependsOnAnswer(d.Rubric, k) {
			idle = append(idle, k.ID)
		}
	}
	at := d.Rubric.Block.DefRange
	if d.Rubric.Passed != nil {
		at = d.Rubric.Passed.Range()
	}
	if len(idle) == 0 {
		return append(passesNothing(d, asked, &at), defaulted(d)...)
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

// passesNothing warns of a rubric that answers pass in every case which say nothing: {}, by a
// default such as that of try, or whatever a program prints and however it ends. A rubric that
// means it says so with == {}.
func passesNothing(d *plan.BenchDecl, asked int, at *hcl.Range) hcl.Diagnostics {
	e := d.Rubric.Passed
	if e == nil || asked == 0 || comparesEmpty(e) {
		return nil
	}
	said := &hcl.Diagnostic{
		Severity: hcl.DiagWarning, Subject: at, Summary: "Rubric that accepts an empty answer",
		Detail: "An empty answer, {}, passes in every case, because a default decides where the answer lacks a member. Make the default fail: try(output.answer == case.input.expected, false).",
	}
	answers := []cty.Value{cty.EmptyObjectVal}
	if d.Sut != nil && d.Sut.Output == plan.OutputProcess {
		said = &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Subject: at, Summary: "Rubric that a program passes which does nothing",
			Detail: "A program passes in every case that prints nothing, or an error, and ends with whatever status. Ask for what it has to do: output.exit_code == 0, or what it has to print.",
		}
		answers = endings
	}
	for _, k := range d.Cases[:asked] {
		for _, answer := range answers {
			ctx := k.Ctx.NewChild()
			ctx.Variables = map[string]cty.Value{"output": answer}
			if v, diags := dsl.Evaluate(e, ctx); diags.HasErrors() || !plan.IsTrue(v) {
				return nil
			}
		}
	}
	return hcl.Diagnostics{said}
}

// endings are how programs end that have done nothing right, and one that says no word.
var endings = []cty.Value{
	ending(0, "", ""), ending(1, "", ""), ending(255, "", ""), ending(2, "", "Error: no such option\n"),
	ending(1, "error\n", "Traceback (most recent call last):\n  File \"x.py\", line 1\nException: failed\n"),
}

func ending(code int64, stdout, stderr string) cty.Value {
	return cty.ObjectVal(map[string]cty.Value{"exit_code": cty.NumberIntVal(code), "stdout": cty.StringVal(stdout), "stderr": cty.StringVal(stderr)})
}

// comparesEmpty reports whether an expression asks for an object without members.
func comparesEmpty(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ObjectConsExpr)
		found = found || is && len(x.Items) == 0
	})
	return found
}

// missing finds what a rubric reads of the cases and none of them has: a misspelt
// member, for which it could not score any answer. What try and can look at may be
// missing.
func missing(d *plan.BenchDecl) (diags hcl.Diagnostics) {
	for _, e := range rubricParts(d.Rubric) {
		mayMiss := tried(e)
		for _, t := range e.Variables() {
			var why string
			if t.RootName() == "case" && !slices.ContainsFunc(mayMiss, func(r hcl.Range) bool { return r.Overlaps(t.SourceRange()) }) && everyCase(d.Cases, func(k *plan.BenchCase) bool {
				_, diags := dsl.Evaluate(&hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: t.SourceRange()}, k.Ctx)
				if diags.HasErrors() && why == "" {
					why = plan.FirstError(diags)
				}
				return diags.HasErrors()
			}) {
				at := t.SourceRange()
				diags = append(diags, &hcl.Diagnostic{
					Severity: hcl.DiagError, Summary: "Member that no case has", Subject: &at,
					Detail: wording.Sentence(why) + " None of the cases has it, so the rubric cannot score any answer.",
				})
			}
		}
	}
	return diags
}

// tried are the places of an expression where an error has a value instead.
func tried(e hclsyntax.Expression) (list []hcl.Range) {
	_ = hclsyntax.VisitAll(e, func(n hclsyntax.Node) hcl.Diagnostics {
		if call, ok := n.(*hclsyntax.FunctionCallExpr); ok && (call.Name == "try" || call.Name == "can") {
			list = append(list, call.Range())
		}
		return nil
	})
	return list
}

func everyCase(cases []*plan.BenchCase, holds func(*plan.BenchCase) bool) bool {
	for _, k := range cases {
		if !holds(k) {
			return false
		}
	}
	return len(cases) > 0
}

// rubricParts are the expressions of a rubric.
func rubricParts(r *plan.BenchRubric) (list []hclsyntax.Expression) {
	all := []hclsyntax.Expression{r.Passed, r.Score, r.Cost, r.Breakdown}
	for _, m := range r.Modes {
		all = append(all, m.When)
	}
	for _, e := range all {
		if e != nil {
			list = append(list, e)
		}
	}
	return list
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
