package unit

import (
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// readLocals evaluates locals in the order of their references.
func (u *Unit) readLocals() {
	u.locals = map[string]cty.Value{}
	attrs := map[string]*dsl.Attr{}
	var order []string
	for _, b := range u.File.Body.All("locals") {
		for _, a := range b.Attrs {
			if prev := attrs[a.Name]; prev != nil {
				u.Errorf(a.NameRange, "Duplicate name", "The local %q is a duplicate: it was declared before %s.", a.Name, dsl.Declared(prev.NameRange, a.NameRange))
				continue
			}
			attrs[a.Name] = a
			order = append(order, a.Name)
		}
	}
	shapes := map[string]*schema.Shape{}
	for _, name := range order {
		shapes[name] = schema.UnknownShape
	}
	u.Static.Roots["local"] = plan.Directory("local", InFile, shapes)
	state, broken := map[string]int{}, map[string]bool{}
	var path []string
	var visit func(name string)
	visit = func(name string) {
		a := attrs[name]
		if a == nil || state[name] == 2 {
			return
		}
		if state[name] == 1 {
			u.Errorf(a.NameRange, "Cycle among locals", "The local %q refers to itself: the cycle is %s -> %s.", name, strings.Join(path, " -> "), name)
			u.locals[name], broken[name] = read.Null, true // or each of the others would be complained about, too
			return
		}
		state[name] = 1
		path = append(path, name)
		if v, literal := dsl.Literal(a.Expr); literal {
			u.locals[name], shapes[name] = v, dsl.LiteralShape(v)
		} else {
			of := false // a local that is broken
			for t := range dsl.Variables(a.Expr) {
				if t.RootName() == "local" {
					if ref, ok := read.AttrName(t, 1); ok {
						visit(ref)
						of = of || broken[ref]
					}
				}
			}
			v, ok := u.local(a, shapes, !of)
			u.locals[name], broken[name] = v, !ok
		}
		path = path[:len(path)-1]
		state[name] = 2
	}
	for _, name := range order {
		if u.Ended() {
			break
		}
		visit(name)
	}
	u.Statics.Variables["local"] = cty.ObjectVal(u.locals)
}

// localsOf are the locals that an expression refers to. All that there are so
// far would be copied for each of them.
func (u *Unit) localsOf(e hclsyntax.Expression) cty.Value {
	some := map[string]cty.Value{}
	for _, t := range e.Variables() {
		if t.RootName() != "local" {
			continue
		}
		name, named := read.AttrName(t, 1)
		if !named {
			return cty.ObjectVal(u.locals)
		}
		if v, found := u.locals[name]; found {
			some[name] = v
		}
	}
	return cty.ObjectVal(some)
}

// local is the value of a local, and whether it has one. What refers to one that
// has none is checked, and cannot be evaluated.
func (u *Unit) local(a *dsl.Attr, shapes map[string]*schema.Shape, evaluated bool) (v cty.Value, ok bool) {
	env := *u.Static
	env.Where = "a local"
	shape, diags := dsl.Infer(a.Expr, &env)
	u.Diags = append(u.Diags, diags...)
	if diags.HasErrors() {
		return read.Null, false
	}
	shapes[a.Name] = shape
	if !evaluated {
		return read.Null, false
	}
	u.Statics.Variables["local"] = u.localsOf(a.Expr)
	v, diags = dsl.Evaluate(a.Expr, u.Statics)
	u.Diags = append(u.Diags, diags...)
	if diags.HasErrors() {
		return read.Null, false
	}
	return read.Normalise(v), true
}
