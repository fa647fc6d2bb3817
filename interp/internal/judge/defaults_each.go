package judge

import (
	"slices"
	"strconv"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/customdecode"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// A taken counts how often a call in a for expression gave its default because what it
// asks for is no member of an element, and how often it gave anything else.
type taken struct{ defaults, others int }

// throughEach makes the defaults of try and lookup in the for expressions of a condition
// have no known result in a copy of it, where every element was given the default: the
// member has another name, or none of them has it. A member that one element has is
// optional for the others. What is null is no missing member: that an attempt has no
// error is an answer.
func (l *look) throughEach(condition, made hclsyntax.Expression) {
	calls := defaultsInLoops(condition)
	if len(calls) == 0 {
		return
	}
	counts := make([]taken, len(calls))
	a := dsl.NewAbsence(condition, read.IsObserved)
	functions := map[string]function.Function{}
	for i, x := range defaultsInLoops(a.Expr) {
		f := counting(x.Name, &counts[i])
		functions[rename(x.FunctionCallExpr, i)] = f
	}
	l.checker.without(a, func(*dsl.Slot) bool { return false }, functions)
	copies := defaultsInLoops(made)
	if len(copies) != len(calls) {
		return // the copy was made of something else
	}
	for i, x := range copies {
		if n := counts[i]; n.defaults > 0 && n.others == 0 && !calls[i].onPurpose() {
			name := rename(x.FunctionCallExpr, i)
			x.Args = nil
			l.functions[name] = function.New(&function.Spec{
				Type: function.StaticReturnType(cty.DynamicPseudoType),
				Impl: func([]cty.Value, cty.Type) (cty.Value, error) {
					return l.note(ofDefaultForAll, cty.DynamicPseudoType), nil
				},
			})
		}
	}
}

// ofDefaultForAll says that the file gave every element of a list what it then asks of it.
const ofDefaultForAll = "it holds because no element of the list has the member that it reads, so that each counts with the default that the file gives: it shows nothing here.\nhint: check the name of the member, or read it without a default"

// rename gives the call of one of several defaults a name that no file can write.
func rename(call *hclsyntax.FunctionCallExpr, i int) string {
	call.Name = defaulted + call.Name + " of each " + strconv.Itoa(i)
	return call.Name
}

// A loopDefault is a call in a for expression that gives a default which the file says.
type loopDefault struct {
	*hclsyntax.FunctionCallExpr
	in       hclsyntax.Expression // what it is a part of
	path     bool                 // it is given for a value, and not for what is said of one
	said     cty.Value            // the default
	computed bool                 // or one that the file gives by another name
}

// onPurpose reports whether the default says that there is none of what is asked for, and
// the condition asks for that: that a flag is not set, or a word not there.
func (d *loopDefault) onPurpose() bool {
	if !d.path || d.computed {
		return false
	}
	x, compares := d.in.(*hclsyntax.BinaryOpExpr)
	compares = compares && dsl.IsComparison(x.Op)
	switch {
	case compares:
		return !premise.IsOrder(x.Op) && (saysNone(d.said) || isWordForNothing(d.said) || d.said.IsNull())
	case d.said.Type() == cty.Bool:
		return d.said.False()
	}
	switch d.said.Type() {
	case cty.Number:
		return d.said.IsNull()
	case cty.String: // a word of its own is an answer that nobody gave
		return d.said.IsNull() || saysNone(d.said) || isWordForNothing(d.said)
	}
	return true
}

// defaultsInLoops are the calls of try and lookup in the for expressions of an expression,
// in their order, whose default is written out.
func defaultsInLoops(e hclsyntax.Expression) (all []*loopDefault) {
	var visit func(e, in hclsyntax.Expression, loop bool)
	visit = func(e, in hclsyntax.Expression, loop bool) {
		switch x := e.(type) {
		case *hclsyntax.ForExpr:
			visit(x.CollExpr, x, loop)
			for _, part := range []hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr} {
				if part != nil {
					visit(part, x, true)
				}
			}
			return
		case *hclsyntax.ParenthesesExpr:
			visit(x.Expression, in, loop)
			return
		case *hclsyntax.FunctionCallExpr:
			if read.IsQuery(x.Name) {
				return
			}
			if d := defaultOf(x); d != nil && loop {
				d.in = in
				all = append(all, d)
				return
			}
		}
		dsl.EachPart(e, func(part hclsyntax.Expression) { visit(part, e, loop) })
	}
	visit(e, nil, false)
	return all
}

// defaultOf is a call of try or lookup whose default is written out, nil for any other.
func defaultOf(x *hclsyntax.FunctionCallExpr) *loopDefault {
	if x.ExpandFinal || !(x.Name == "try" && len(x.Args) == 2 || x.Name == "lookup" && len(x.Args) == 3) || !readsObserved(x.Args[0]) {
		return nil
	}
	last := dsl.Bare(x.Args[len(x.Args)-1])
	v, written := dsl.Literal(last)
	if !written && !ofInstance(last) {
		return nil
	}
	d := &loopDefault{FunctionCallExpr: x, said: v, computed: !written, path: x.Name == "lookup"}
	switch dsl.Bare(x.Args[0]).(type) {
	case *hclsyntax.ScopeTraversalExpr, *hclsyntax.RelativeTraversalExpr, *hclsyntax.IndexExpr:
		d.path = true
	}
	return d
}

// ofInstance reports whether an expression reads what the file gives a scenario or one of its
// instances, and nothing else.
func ofInstance(e hclsyntax.Expression) bool {
	n := 0
	for t := range dsl.Variables(e) {
		if read.IsObserved(t.RootName()) && t.RootName() != "input" {
			return false
		}
		n++
	}
	return n > 0
}

// counting is try or lookup, and counts what it gave.
func counting(name string, n *taken) function.Function {
	if name == "lookup" {
		f := stdlib.Functions()[name]
		return function.New(&function.Spec{
			VarParam: &function.Parameter{Name: "args", Type: cty.DynamicPseudoType, AllowNull: true, AllowUnknown: true, AllowDynamicType: true},
			Type:     function.StaticReturnType(cty.DynamicPseudoType),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				if args[0].IsKnown() && args[1].IsKnown() {
					n.count(!args[0].IsNull() && isAbsent(name, args))
				}
				return f.Call(args)
			},
		})
	}
	closure := function.Parameter{Name: "expression", Type: customdecode.ExpressionClosureType}
	return function.New(&function.Spec{
		Params: []function.Parameter{closure, closure},
		Type:   function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, diags := customdecode.ExpressionClosureFromVal(args[0]).Value()
			if diags.HasErrors() || v.IsKnown() { // HCL asks of a filter what it makes of an unknown element
				if !isOfNoJSON(diags) {
					n.count(isOfNoMember(diags))
				}
			}
			if diags.HasErrors() {
				v, diags = customdecode.ExpressionClosureFromVal(args[1]).Value()
			}
			if diags.HasErrors() {
				return cty.NilVal, diags
			}
			return v, nil
		},
	})
}

func (n *taken) count(missing bool) {
	if missing {
		n.defaults++
	} else {
		n.others++
	}
}

// isOfNoJSON reports whether a function could not read what it was given, as jsondecode cannot the
// empty text behind the last line: such an element says nothing of the members of others.
func isOfNoJSON(diags hcl.Diagnostics) bool {
	return slices.ContainsFunc(diags, func(d *hcl.Diagnostic) bool {
		return d.Summary == "Error in function call" || d.Summary == "Invalid function argument"
	})
}

// isOfNoMember reports whether what an expression reads is no member of an object that is
// there. It goes by the summaries of HCL, which has no other names for its errors.
func isOfNoMember(diags hcl.Diagnostics) bool {
	for _, d := range diags {
		if d.Severity == hcl.DiagError && (d.Summary == "Unsupported attribute" || d.Summary == "Invalid index") {
			return true
		}
	}
	return false
}
