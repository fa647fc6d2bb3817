package texts

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// alike are the lists of a run whose elements are of one kind, so that what must not be in the
// first must not be in any.
var alike = []string{"attempts", "calls", "messages", "replies"}

// ofFirst says why a search in the first of them shows nothing.
const ofFirst = "the condition holds only because it looks into %s alone: what it looks for is in %s.\nhint: look into each, as in alltrue([for a in %s : !strcontains(…)]), or say in a check which of them has it"

// InAnother says why a condition shows nothing that does not find something in the first element
// of a list of attempts: another one has it. "" where none has, where a check of the scenario reads
// another one of the list or looks for the same in all, and where the program was told what is
// found by then. Told is what services answered, which is asked for where a condition reads a first element.
func InAnother(condition hclsyntax.Expression, ctx *hcl.EvalContext, checks Checks, told func() []string) string {
	for _, part := range dsl.Conjuncts(condition) {
		if !searches(part) {
			continue
		}
		lists := firsts(part)
		if lists == nil {
			continue
		}
		told := told()
		if v, sought := searched(part, ctx, told); !v.RawEquals(cty.True) || sought.found || !sought.looked {
			continue
		}
		for _, list := range lists {
			v, diags := list.TraverseAbs(ctx)
			if diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.CanIterateElements() {
				continue
			}
			for i := 1; i < v.LengthInt(); i++ {
				// What other checks read is asked last, as there may be thousands of them.
				if v, sought := searched(at(part, list, i), ctx, told); v.RawEquals(cty.False) && sought.found && !sought.told && !readsOthers(list, part, checks()) {
					name := string(dsl.AppendSource(nil, &hclsyntax.ScopeTraversalExpr{Traversal: list}))
					return fmt.Sprintf(ofFirst, name+"[0]", fmt.Sprintf("%s[%d]", name, i), name)
				}
			}
		}
	}
	return ""
}

// searches reports whether an expression calls a function that looks for something.
func searches(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		found = found || is && Searches[f.Name] != Places{} && Searches[f.Name].Sought != Nowhere
	})
	return found
}

// A sight is what the searches of an expression came to.
type sight struct {
	looked bool // there were some
	found  bool // one found something
	told   bool // what it found is in what services answered
}

// searched is the value of an expression, and what its searches came to.
func searched(e hclsyntax.Expression, ctx *hcl.EvalContext, told []string) (cty.Value, sight) {
	var s sight
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{}
	for name, places := range Searches {
		if places.Sought == Nowhere {
			continue
		}
		f := stdlib.Functions()[name]
		inner.Functions[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := f.Call(args)
				if err != nil {
					return v, err
				}
				s.looked = true
				if !isNothing(v) {
					s.found = true
					s.told = s.told || slices.ContainsFunc(told, func(text string) bool { return finds(f, args, places, text) })
				}
				return v, nil
			},
		})
	}
	v, diags := dsl.Evaluate(e, inner)
	if diags.HasErrors() {
		v = cty.DynamicVal
	}
	return v, s
}

// finds reports whether a search finds what it looks for in another text, in any case.
func finds(f function.Function, args []cty.Value, places Places, text string) bool {
	for _, text := range []string{text, strings.ToLower(text), strings.ToUpper(text)} {
		other := slices.Clone(args)
		other[places.In] = cty.StringVal(text)
		if v, err := f.Call(other); err == nil && !isNothing(v) {
			return true
		}
	}
	return false
}

// firsts are the lists of whose first element an expression reads something.
func firsts(e hclsyntax.Expression) (lists []hcl.Traversal) {
	for t := range dsl.Variables(e) {
		if n := index(t); n > 0 && isFirst(t[n]) && !slices.ContainsFunc(lists, func(l hcl.Traversal) bool { return same(l, t[:n]) }) {
			lists = append(lists, t[:n])
		}
	}
	return lists
}

// index is where a path has the index of such a list, 0 for nowhere. What is in a body or an
// answer has a meaning by its place, such as the first message to a model.
func index(t hcl.Traversal) int {
	for i := 1; i < len(t); i++ {
		attr, named := t[i].(hcl.TraverseAttr)
		switch {
		case !named:
			return 0
		case slices.Contains([]string{"json", "request"}, attr.Name):
			return 0
		case slices.Contains(alike, attr.Name):
			if i+1 < len(t) {
				if _, is := t[i+1].(hcl.TraverseIndex); is {
					return i + 1
				}
			}
			return 0
		}
	}
	return 0
}

func isFirst(step hcl.Traverser) bool {
	x, is := step.(hcl.TraverseIndex)
	return is && x.Key.RawEquals(cty.Zero)
}

func same(a, b hcl.Traversal) bool {
	return slices.EqualFunc(a, b, func(x, y hcl.Traverser) bool { return nameOf(x) == nameOf(y) })
}

// nameOf is the name of a step of a path.
func nameOf(step hcl.Traverser) string {
	switch x := step.(type) {
	case hcl.TraverseRoot:
		return x.Name
	case hcl.TraverseAttr:
		return x.Name
	}
	return ""
}

// at is an expression that reads the element at another place of a list.
func at(e hclsyntax.Expression, list hcl.Traversal, i int) hclsyntax.Expression {
	return dsl.Replaced(e, func(e hclsyntax.Expression) hclsyntax.Expression {
		x, is := e.(*hclsyntax.ScopeTraversalExpr)
		if !is || index(x.Traversal) != len(list) || !same(x.Traversal[:len(list)], list) || !isFirst(x.Traversal[len(list)]) {
			return nil
		}
		other := slices.Clone(x.Traversal)
		other[len(list)] = hcl.TraverseIndex{Key: cty.NumberIntVal(int64(i)), SrcRange: x.Traversal[len(list)].SourceRange()}
		return &hclsyntax.ScopeTraversalExpr{Traversal: other, SrcRange: x.SrcRange}
	})
}

// readsOthers reports whether one of some checks reads another element of a list by its place, or
// looks into all for what a part of a condition looks for.
func readsOthers(list hcl.Traversal, part hclsyntax.Expression, checks []hclsyntax.Expression) bool {
	said := literals(part)
	for _, check := range checks {
		all, other := false, false
		for t := range dsl.Variables(check) {
			if len(t) < len(list) || !same(t[:len(list)], list) {
				continue
			}
			n := index(t)
			other = other || n == len(list) && !isFirst(t[n])
			all = all || n == 0
		}
		if other || all && slices.ContainsFunc(literals(check), func(s string) bool { return s != "" && slices.Contains(said, s) }) {
			return true
		}
	}
	return false
}

// literals are the texts that an expression writes out.
//
//go:noinline
func literals(e hclsyntax.Expression) (list []string) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if v, is := dsl.Literal(e); is && !v.IsNull() && v.Type() == cty.String {
			list = append(list, v.AsString())
		}
	})
	return list
}
