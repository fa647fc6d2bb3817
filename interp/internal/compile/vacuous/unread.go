package vacuous

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Unread warns of cases that say which answer they expect while nothing that scores
// answers reads it, so that any answer would do. A program that scores is given the case.
func Unread(d *plan.BenchDecl) hcl.Diagnostics {
	if d.Sut == nil || d.Rubric != nil && d.Rubric.Program {
		return nil
	}
	at := d.Block.DefRange
	scoring := map[string]bool{}
	if d.Rubric != nil {
		at = d.Rubric.Block.DefRange
		for _, e := range rubricParts(d.Rubric) {
			if e != d.Rubric.Cost {
				members(e, scoring)
			}
		}
	}
	if scoring[allMembers] {
		return nil
	}
	for _, k := range d.Cases[:min(len(d.Cases), maxAsked)] {
		input := k.Ctx.Variables["case"].GetAttr("input")
		if input.IsNull() || !input.IsKnown() || !input.Type().IsObjectType() {
			continue
		}
		for _, name := range bench.Expected() {
			if !input.Type().HasAttribute(name) || input.GetAttr(name).IsNull() || scoring[name] {
				continue
			}
			return hcl.Diagnostics{{
				Severity: hcl.DiagWarning, Summary: "Expected answer that nobody reads", Subject: &at,
				Detail: fmt.Sprintf("The case %q has a member %s, and nothing that scores reads it, so that a wrong answer passes as well. Compare it, such as passed = output.answer == case.input.%s, or take it out of the cases.", k.ID, name, name),
			}}
		}
	}
	return nil
}

// allMembers stands for every member of an input.
const allMembers = "*"

// members notes which members of a case's input an expression reads. What reads the input
// as a whole may read each of them.
func members(e hclsyntax.Expression, into map[string]bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if !ok || x.Traversal.RootName() != "case" {
			return
		}
		if first := attrAt(x.Traversal, 1); first == "input" || first == allMembers {
			into[attrAt(x.Traversal, 2)] = true
		}
	})
}

// attrAt is the name of one step of a path, and allMembers where it ends before or the
// step is none with a name.
func attrAt(t hcl.Traversal, i int) string {
	if i < len(t) {
		switch s := t[i].(type) {
		case hcl.TraverseAttr:
			return s.Name
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				return s.Key.AsString()
			}
		}
	}
	return allMembers
}
