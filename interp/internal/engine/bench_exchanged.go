package engine

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// othersMost is among how many cases behind one another one is looked for that asks for something else.
const othersMost = 50

// nonsense is what no case asks for.
const nonsense = "\u2205 what no case asks for"

// exchanged reports whether an answer that passes would also pass as that of another case: of the next
// one of the bench for which the rubric asks for another text. A rubric that would pass it whatever the
// text is does not look for it.
func (r *run) exchanged(k *plan.BenchRubric, c *plan.BenchCase, a bench.Answer, s *bench.Score) bool {
	if r.host == nil || !s.Passed || k.Passed == nil {
		return false
	}
	asked := dsl.NewAbsence(k.Passed, func(root string) bool { return root == "case" })
	if slices.ContainsFunc(asked.Slots, func(s *dsl.Slot) bool { return s.Caught }) {
		return false
	}
	all := r.plan.BenchRun.Decl.Cases
	at := slices.IndexFunc(all, func(o *plan.BenchCase) bool { return o.ID == c.ID })
	for i := 1; at >= 0 && i < min(len(all), othersMost); i++ {
		other := all[(at+i)%len(all)]
		if !asksOtherwise(asked, c, other) {
			continue
		}
		ctx := rubricContext(c, a)
		return passes(asked, ctx, func(path hcl.Traversal) cty.Value { return askedBy(other, path) }) &&
			!passes(asked, ctx, func(path hcl.Traversal) cty.Value {
				if v := askedBy(c, path); !isText(v) {
					return v
				}
				return cty.StringVal(nonsense)
			})
	}
	return false
}

// asksOtherwise reports whether a rubric reads of two cases texts that differ.
func asksOtherwise(asked *dsl.Absence, one, other *plan.BenchCase) bool {
	return slices.ContainsFunc(asked.Slots, func(s *dsl.Slot) bool {
		a, b := askedBy(one, s.Path), askedBy(other, s.Path)
		return isText(a) && isText(b) && !a.RawEquals(b)
	})
}

// askedBy is what a rubric reads of a case, unknown where there is no such thing.
func askedBy(c *plan.BenchCase, path hcl.Traversal) cty.Value {
	for ctx := c.Ctx; ctx != nil; ctx = ctx.Parent() {
		if _, is := ctx.Variables[path.RootName()]; is {
			if v, diags := path.TraverseAbs(ctx); !diags.HasErrors() {
				return v
			}
		}
	}
	return cty.DynamicVal
}

func isText(v cty.Value) bool { return v.Type() == cty.String && v.IsKnown() && !v.IsNull() }

// passes reports whether a rubric does with other values of what it reads of its case.
func passes(asked *dsl.Absence, ctx *hcl.EvalContext, at func(hcl.Traversal) cty.Value) bool {
	own := ctx.NewChild()
	own.Variables = map[string]cty.Value{}
	for _, s := range asked.Slots {
		own.Variables[s.Var] = at(s.Path)
	}
	v, diags := dsl.Evaluate(asked.Expr, own)
	return !diags.HasErrors() && plan.IsTrue(v)
}
