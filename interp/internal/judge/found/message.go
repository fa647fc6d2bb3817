package found

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

const ofFirst = "it looks into the first of several messages alone, and another one of the request has what it looks for.\nhint: look into each, such as alltrue([for m in ….request.json.%s : !strcontains(m.content, …)]); if one is meant, choose it by its role: [for m in ….request.json.%[1]s : m if m.role == \"system\"]"

// isOf is the name of a function that is what people say in messages. No file can write such a name.
const isOf = "what is said in"

// otherMessage says of a part of a condition that does not find something in the first message of a
// request that another message has it which no service wrote; "" where none has, and where a check of
// the scenario reads another message or a name says that the first is meant.
func otherMessage(part hclsyntax.Expression, ctx *hcl.EvalContext, about About) string {
	list := ""
	other := dsl.Replaced(part, func(e hclsyntax.Expression) hclsyntax.Expression {
		x, is := e.(*hclsyntax.ScopeTraversalExpr)
		if !is {
			return nil
		}
		n := first(x.Traversal)
		if n == 0 {
			return nil
		}
		list = x.Traversal[n-1].(hcl.TraverseAttr).Name
		rng := x.SrcRange
		return &hclsyntax.FunctionCallExpr{Name: isOf, Args: []hclsyntax.Expression{&hclsyntax.ScopeTraversalExpr{Traversal: x.Traversal[:n], SrcRange: rng}}, NameRange: rng, OpenParenRange: rng, CloseParenRange: rng}
	})
	if list == "" {
		return ""
	}
	finds := false
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{isOf: said()}
	for name := range sought {
		f := stdlib.Functions()[name]
		inner.Functions[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := f.Call(args)
				finds = finds || err == nil && v.RawEquals(cty.True)
				return v, err
			},
		})
	}
	if v, diags := dsl.Evaluate(other, inner); diags.HasErrors() || !v.RawEquals(cty.False) || !finds {
		return ""
	}
	if means(about.Name) || slices.ContainsFunc(about.Checks(), readsOthers) {
		return ""
	}
	return fmt.Sprintf(ofFirst, list)
}

// first is where a path reads the first message of a request, as the index of what follows the name of
// the list; 0 where it does not.
func first(t hcl.Traversal) int {
	n := messages(t)
	if n == 0 || n >= len(t) {
		return 0
	}
	if at, is := t[n].(hcl.TraverseIndex); !is || !at.Key.RawEquals(cty.Zero) {
		return 0
	}
	return n
}

// messages is where a path reads the messages of a request, as the index of what follows; 0 for nowhere.
func messages(t hcl.Traversal) int {
	for i := 1; i+1 < len(t); i++ {
		json, _ := t[i].(hcl.TraverseAttr)
		list, _ := t[i+1].(hcl.TraverseAttr)
		if json.Name == "json" && slices.Contains(conversations, list.Name) {
			return i + 2
		}
	}
	return 0
}

// readsOthers reports whether a check reads messages of a request other than the first, or all of one.
func readsOthers(check hclsyntax.Expression) bool {
	for t := range dsl.Variables(check) {
		if messages(t) > 0 && first(t) == 0 {
			return true
		}
	}
	_, whole := readsRequest(check)
	return whole
}

// means reports whether a name says which message is meant.
func means(name string) bool {
	name = strings.ToLower(name)
	return slices.ContainsFunc([]string{"system", "instruction", "first", "developer"}, func(word string) bool { return strings.Contains(name, word) })
}

// said is a function: what the messages of a list say that no model and no tool wrote.
func said() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "messages", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			var list []string
			if v := args[0]; !v.IsNull() && v.CanIterateElements() {
				for it := v.ElementIterator(); it.Next(); {
					_, m := it.Element()
					if !m.Type().IsObjectType() || !m.Type().HasAttribute("role") {
						continue
					}
					if role := m.GetAttr("role"); role.RawEquals(cty.StringVal("user")) || role.RawEquals(cty.StringVal("system")) {
						list = texts(list, m)
					}
				}
			}
			return cty.StringVal(strings.Join(list, "\n")), nil
		},
	})
}

// texts adds the strings of a value.
func texts(list []string, v cty.Value) []string {
	switch {
	case v.IsNull():
	case v.Type() == cty.String:
		list = append(list, v.AsString())
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			_, e := it.Element()
			list = texts(list, e)
		}
	}
	return list
}
