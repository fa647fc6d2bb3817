package passed

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// toldMost bounds how many lines there are of a run, and how many steps stand in one.
const toldMost = 5

// Loops are the checks that go over all of step, and so not over the steps inside a loop, a workflow or a fanout that
// asked a service in this run.
func Loops(o *observe.Observed) (list []observe.RequestPart) {
	var inside []string // such as: the loop hooks (tell)
	sought := false
	tell := func(kind, name string, condition hclsyntax.Expression) {
		if len(list) == toldMost || !overSteps(condition) {
			return
		}
		if !sought {
			inside, sought = innerSteps(o), true
		}
		if len(inside) > 0 {
			list = append(list, observe.RequestPart{Of: kind + " " + strconv.Quote(name), Name: "it goes over the steps of the run, and not over those in " + strings.Join(inside, ", ")})
		}
	}
	for _, a := range o.Plan.Asserts {
		tell("assert", a.Name, a.Condition)
	}
	for _, i := range o.Plan.Invariants {
		tell("invariant", i.Name, i.Condition)
	}
	return list
}

// overSteps reports whether a condition goes over step, and reads attributes of each that are no runs of the steps
// inside it. One that reads these by another way goes over them, too.
func overSteps(condition hclsyntax.Expression) bool {
	over, within := false, false
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr:
			if allSteps(x.CollExpr) {
				read, inner := reads(x)
				over, within = over || read, within || inner
			}
		case *hclsyntax.ScopeTraversalExpr:
			root := x.Traversal.RootName()
			within = within || root == "steps" || slices.ContainsFunc(x.Traversal, isRuns)
		case *hclsyntax.RelativeTraversalExpr:
			within = within || slices.ContainsFunc(x.Traversal, isRuns)
		case *hclsyntax.FunctionCallExpr:
			within = within || x.Name == "events" || x.Name == "spans"
		}
	})
	return over && !within
}

// allSteps reports whether an expression is step, or all of its values.
func allSteps(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return len(x.Traversal) == 1 && x.Traversal.RootName() == "step"
	case *hclsyntax.FunctionCallExpr:
		return x.Name == "values" && len(x.Args) == 1 && allSteps(x.Args[0])
	}
	return false
}

// reads reports whether a for expression reads attributes of each step, and whether it reads all of one, with the steps
// inside it.
func reads(x *hclsyntax.ForExpr) (some, all bool) {
	for _, part := range []hclsyntax.Expression{x.CondExpr, x.KeyExpr, x.ValExpr} {
		if part == nil {
			continue
		}
		for t := range dsl.Variables(part) {
			if t.RootName() == x.ValVar {
				some, all = true, all || len(t) == 1
			}
		}
	}
	return some, all
}

func isRuns(t hcl.Traverser) bool {
	a, is := t.(hcl.TraverseAttr)
	return is && a.Name == "runs"
}

// innerSteps are the steps inside others that asked a service, by what they are in.
func innerSteps(o *observe.Observed) (list []string) {
	names, in := map[string][]string{}, []string(nil)
	for _, s := range o.Order {
		if s.Outer == nil || s.Step.Gateway == nil || len(s.Asked()) == 0 || o.Plan.Workflow == nil || s.Outer.Outer != nil {
			continue
		}
		of := fmt.Sprintf("the %s %s", word(s.Outer.Step.Kind), s.Outer.Name)
		if names[of] == nil {
			in = append(in, of)
		}
		if !slices.Contains(names[of], s.Step.Name) {
			names[of] = append(names[of], s.Step.Name)
		}
	}
	if len(in) > toldMost {
		in = in[:toldMost]
	}
	for _, of := range in {
		inner := names[of]
		if len(inner) > toldMost {
			inner = append(inner[:toldMost:toldMost], "…")
		}
		list = append(list, of+" ("+strings.Join(inner, ", ")+")")
	}
	return list
}

// word is what the kind of a step is called that has others inside.
func word(k plan.Kind) string {
	switch k {
	case plan.KindLoop:
		return "loop"
	case plan.KindFanout:
		return "fanout"
	}
	return "step"
}
