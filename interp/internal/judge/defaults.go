package judge

import (
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// A chosen marks what the file gives in the place of something that is not there, with
// how many operands the call reads that chose it.
type chosen struct {
	operands int
	none     bool // it says that there is nothing
}

// throughDefaults marks the defaults of the functions that have some, in an expression
// that is a copy, where such a default is what they come to. Those in for expressions
// are left alone: the elements of a list may differ.
func (l *look) throughDefaults(a *dsl.Absence) {
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		if _, loop := e.(*hclsyntax.ForExpr); loop || is && read.IsQuery(f.Name) {
			return
		}
		dsl.EachPart(e, visit)
		if !is || !readsObserved(e) || f.ExpandFinal || len(f.Args) < 2 || f.Name == "lookup" && len(f.Args) < 3 || !isSaid(f.Args[len(f.Args)-1]) && f.Name != "merge" {
			return
		}
		operands := 0
		for range dsl.Variables(e) {
			operands++
		}
		switch f.Name {
		case "try":
			at := f.Range()
			last := &f.Args[len(f.Args)-1]
			if v, written := dsl.Literal(dsl.Bare(*last)); written && v.IsNull() {
				return
			}
			mark := &hclsyntax.FunctionCallExpr{Name: defaulted, Args: []hclsyntax.Expression{*last}, NameRange: at, OpenParenRange: at, CloseParenRange: at}
			l.functions[defaulted] = l.marks(operands)
			if saysOfElement(f.Args[0]) {
				mark.Name = defaulted + "said of one"
				l.functions[mark.Name] = l.marksSaid(operands)
			}
			*last = mark
		case "merge":
			marked := l.marksMerged(f, operands)
			l.rename(f)
			l.functions[f.Name] = marked
		case "coalesce", "lookup":
			l.functions[defaulted+f.Name] = l.marksDefault(f.Name, operands)
			f.Name = defaulted + f.Name
		}
	}
	visit(a.Expr)
}

// defaulted begins the names of functions that mark defaults. No file can write such a
// name.
const defaulted = "what is not there: "

// rename gives a call a function of its own.
func (l *look) rename(call *hclsyntax.FunctionCallExpr) {
	call.Name = defaulted + call.Name + " " + strconv.Itoa(len(l.functions))
}

// marks is a function that marks a default.
func (l *look) marks(operands int) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("default")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl:   func(args []cty.Value, _ cty.Type) (cty.Value, error) { return l.given(args[0], operands), nil },
	})
}

// saysOfElement reports whether what try is given says something of one element of a
// list, by its place, that is not about an error: of none it is neither true nor false.
func saysOfElement(e hclsyntax.Expression) bool {
	x, operation := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	f, call := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	if !(operation && (premise.IsOrder(x.Op) || dsl.IsComparison(x.Op)) || call && strings.HasPrefix(f.Name, "comparison ")) {
		return false
	}
	placed, failure := false, false
	step := func(t hcl.Traverser) {
		index, is := t.(hcl.TraverseIndex)
		placed = placed || is && index.Key.Type() == cty.Number
		attr, is := t.(hcl.TraverseAttr)
		failure = failure || is && attr.Name == stepErrors
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.IndexExpr:
			placed = true
		case *hclsyntax.RelativeTraversalExpr:
			for _, t := range x.Traversal {
				step(t)
			}
		case *hclsyntax.ScopeTraversalExpr:
			for _, t := range x.Traversal {
				step(t)
			}
		case *hclsyntax.FunctionCallExpr:
			placed = placed || x.Name == "element" || x.Name == "one"
		}
	})
	return placed && !failure
}

// marksSaid is a function that marks what stands in for something said of an element,
// which is no answer that there is none.
func (l *look) marksSaid(operands int) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{unknown.Parameter("default")},
		Type:   func(args []cty.Value) (cty.Type, error) { return args[0].Type(), nil },
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if isTrue(args[0]) {
				return l.note(ofFallback, cty.Bool), nil
			}
			return args[0].Mark(chosen{operands: operands}), nil
		},
	})
}

// given is a default that is what a call comes to.
func (l *look) given(v cty.Value, operands int) cty.Value {
	if isTrue(v) {
		return l.note(ofFallback, cty.Bool)
	}
	return v.Mark(chosen{operands, saysNone(v)})
}

// marksDefault is coalesce or lookup.
func (l *look) marksDefault(name string, operands int) function.Function {
	f := stdlib.Functions()[name]
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			for _, a := range args {
				if !a.IsWhollyKnown() {
					return cty.DynamicVal, nil
				}
			}
			bare := make([]cty.Value, len(args))
			var marks []cty.ValueMarks
			for i, a := range args {
				v, m := a.UnmarkDeep()
				bare[i], marks = v, append(marks, m)
			}
			v, err := f.Call(bare)
			switch {
			case err != nil:
				return v, err
			case isAbsent(name, bare):
				return l.given(v, operands), nil
			}
			return v.WithMarks(marks...), nil
		},
	})
}

// marksMerged is merge: what an argument that the file says gives, and no other one, is a
// default.
func (l *look) marksMerged(call *hclsyntax.FunctionCallExpr, operands int) function.Function {
	said := make([]bool, len(call.Args))
	for i, a := range call.Args {
		said[i] = isSaid(a)
	}
	f := stdlib.Functions()["merge"]
	return function.New(&function.Spec{
		VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true, AllowMarked: true},
		Type:     function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			given, bare := map[string]bool{}, make([]cty.Value, len(args))
			for i, a := range args {
				if !a.IsWhollyKnown() {
					return cty.DynamicVal, nil
				}
				bare[i], _ = a.UnmarkDeep()
				if bare[i].IsNull() || !bare[i].CanIterateElements() || !(bare[i].Type().IsObjectType() || bare[i].Type().IsMapType()) {
					continue
				}
				for name := range bare[i].AsValueMap() {
					given[name] = said[i]
				}
			}
			v, err := f.Call(bare)
			if err != nil || v.IsNull() || !v.Type().IsObjectType() {
				return v, err
			}
			attrs := v.AsValueMap()
			for name, a := range attrs {
				if given[name] && (a.Type() == cty.Bool || a.Type() == cty.String || a.Type() == cty.Number) {
					attrs[name] = a.Mark(chosen{operands, saysNone(a)})
				}
			}
			return cty.ObjectVal(attrs), nil
		},
	})
}

// isAbsent reports whether there is nothing of what a call asks for before its default.
func isAbsent(name string, args []cty.Value) bool {
	if name == "lookup" {
		in, key := args[0], args[1]
		if in.IsNull() || key.IsNull() || key.Type() != cty.String || !in.CanIterateElements() {
			return in.IsNull()
		}
		if in.Type().IsObjectType() {
			return !in.Type().HasAttribute(key.AsString())
		}
		return in.Type().IsMapType() && in.HasIndex(key).False()
	}
	for _, a := range args[:len(args)-1] {
		if !a.IsNull() {
			return false
		}
	}
	return true
}

// onlyDefaults reports whether a condition that holds does so because of what the file
// gives in the place of all that it reads.
func onlyDefaults(v cty.Value, a *dsl.Absence) bool {
	for m := range v.Marks() {
		if c, is := m.(chosen); is && !c.none && c.operands >= len(a.Slots) {
			return true
		}
	}
	return false
}

// byDefaults says why a comparison compares nothing but a default with what the file says.
func (b *both) byDefaults(left, right cty.ValueMarks) string {
	if !b.holds || b.bothObserved() {
		return ""
	}
	for _, s := range []struct {
		marks cty.ValueMarks
		side  dsl.Side
		value cty.Value
	}{{left, b.of.Left, b.left}, {right, b.of.Right, b.right}} {
		for m := range s.marks {
			if c, is := m.(chosen); is && c.operands >= len(s.side.Slots) && !(dsl.IsEqual(b.of.Op) && !b.checker.recorded && (saysNone(s.value) || s.value.IsNull() || isWordForNothing(s.value))) && !b.explicit() {
				return ofDefault
			}
		}
	}
	return ""
}
