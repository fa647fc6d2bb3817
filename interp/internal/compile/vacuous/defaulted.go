package vacuous

import (
	"fmt"
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// defaulted warns of what a rubric reads of the cases with a default, by lookup, try or can,
// and none of them has: the name is a mistake in the rubric or in the cases, and the default
// decides in each. Alternatives that the cases have as well are meant.
func defaulted(d *plan.BenchDecl) (diags hcl.Diagnostics) {
	if len(d.Cases) == 0 {
		return nil
	}
	cases := d.Cases[:min(len(d.Cases), maxAsked)]
	told := map[string]bool{}
	report := func(name string, at hcl.Range) {
		if told[name] {
			return
		}
		told[name] = true
		unread := unreadMembers(d, cases)
		hint := dsl.DidYouMean(name, unread)
		if hint == "" {
			hint = wording.Listed(unread, "", " The rubric does not read these members of the cases: ")
		}
		diags = append(diags, &hcl.Diagnostic{
			Severity: hcl.DiagWarning, Summary: "Default for what no case has", Subject: &at,
			Detail: fmt.Sprintf("None of the cases has a member %q, so the rubric goes by the default in each of them.%s Give it to the cases, or read it by the name that it has there.", name, hint),
		})
	}
	for _, e := range rubricParts(d.Rubric) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			call, is := e.(*hclsyntax.FunctionCallExpr)
			if !is || len(call.Args) == 0 || call.ExpandFinal {
				return
			}
			switch call.Name {
			case "lookup":
				if len(call.Args) < 2 || !takesCase(call.Args[0], true) || slices.ContainsFunc(call.Args[2:], func(a hclsyntax.Expression) bool { return takesCase(a, false) }) {
					return
				}
				if name, literal := dsl.Literal(call.Args[1]); literal && name.Type() == cty.String && !name.IsNull() && everyCase(cases, func(k *plan.BenchCase) bool {
					return lacks(call.Args[0], name.AsString(), k.Ctx)
				}) {
					report(name.AsString(), call.Args[1].Range())
				}
			case "try", "can":
				if slices.ContainsFunc(call.Args[1:], func(a hclsyntax.Expression) bool { return takesCase(a, false) }) {
					return
				}
				for _, t := range call.Args[0].Variables() {
					last, named := t[len(t)-1].(hcl.TraverseAttr)
					if t.RootName() == "case" && named && everyCase(cases, func(k *plan.BenchCase) bool {
						_, diags := dsl.Evaluate(&hclsyntax.ScopeTraversalExpr{Traversal: t, SrcRange: t.SourceRange()}, k.Ctx)
						return diags.HasErrors()
					}) {
						report(last.Name, t.SourceRange())
					}
				}
			}
		})
	}
	return diags
}

// takesCase reports whether an expression reads the case, and nothing else if that is asked for.
func takesCase(e hclsyntax.Expression, alone bool) bool {
	reads := false
	for _, t := range e.Variables() {
		if t.RootName() == "case" {
			reads = true
		} else if alone {
			return false
		}
	}
	return reads
}

// lacks reports whether what an expression gives has no member of a name. Of what cannot be
// evaluated, or is no object, that is said elsewhere.
func lacks(e hclsyntax.Expression, name string, ctx *hcl.EvalContext) bool {
	v, diags := dsl.Evaluate(e, ctx)
	if diags.HasErrors() || !v.IsKnown() || v.IsNull() {
		return false
	}
	switch t := v.Type(); {
	case t.IsObjectType():
		return !t.HasAttribute(name)
	case t.IsMapType():
		return v.HasIndex(cty.StringVal(name)).False()
	}
	return false
}

// unreadMembers are the members of the inputs of cases whose names nothing of the rubric has.
func unreadMembers(d *plan.BenchDecl, cases []*plan.BenchCase) []string {
	members := map[string]bool{}
	for _, k := range cases {
		v, diags := dsl.Evaluate(inputOfCase, k.Ctx)
		if diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.Type().IsObjectType() {
			continue
		}
		for name := range v.Type().AttributeTypes() {
			members[name] = true
		}
	}
	delete(members, "id")
	for _, e := range rubricParts(d.Rubric) {
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			if v, literal := dsl.Literal(e); literal && v.Type() == cty.String && !v.IsNull() {
				delete(members, v.AsString())
			}
		})
		for _, t := range e.Variables() {
			for _, step := range t {
				if a, is := step.(hcl.TraverseAttr); is {
					delete(members, a.Name)
				}
			}
		}
	}
	list := slices.Sorted(maps.Keys(members))
	return list[:min(len(list), 5)]
}

// inputOfCase is the reference case.input.
var inputOfCase = &hclsyntax.ScopeTraversalExpr{Traversal: hcl.Traversal{hcl.TraverseRoot{Name: "case"}, hcl.TraverseAttr{Name: "input"}}}
