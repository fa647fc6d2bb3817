// Package lacking makes what an event, a span or a series of a metric lacks null where a
// condition reads it by name.
//
// Events of one type have attributes that those of another lack, and a trace leaves out
// what is not there. A condition over all of them, such as
//
//	[for e in events() : e if e.met != null] == []
//
// would have no result for that. What try, can and lookup are asked for stays away, since
// they are how a condition asks whether it is there, and so does what nobody reads by
// name: an event as a whole, its keys, or a snapshot of it.
package lacking

import (
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// Attrs are attributes that some of what queries find may lack.
type Attrs []string

// In returns those that expressions read by name of what queries find, nil for none.
// Expressions may be nil.
func In(list ...hclsyntax.Expression) Attrs {
	var r reader
	for _, e := range list {
		if asks(e) {
			r.visit(e, false)
		}
	}
	r.plain = slices.DeleteFunc(r.plain, func(name string) bool { return slices.Contains(r.caught, name) })
	slices.Sort(r.plain)
	return slices.Compact(r.plain)
}

// finds says of each query where what it finds has attributes that may be missing.
var finds = map[string]func(v cty.Value, a Attrs) cty.Value{
	"events": func(v cty.Value, a Attrs) cty.Value {
		return each(v, func(e cty.Value) cty.Value { return a.event(e) })
	},
	"spans":   func(v cty.Value, a Attrs) cty.Value { return each(v, a.span) },
	"span":    func(v cty.Value, a Attrs) cty.Value { return a.span(v) },
	"metrics": func(v cty.Value, a Attrs) cty.Value { return each(v, a.series) },
}

// asks reports whether an expression calls one of these queries.
func asks(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if x, call := e.(*hclsyntax.FunctionCallExpr); call && finds[x.Name] != nil {
			found = true
		}
	})
	return found
}

// reader walks expressions for the names of attributes.
type reader struct {
	bound         []string // variables of the for expressions around
	plain, caught []string
}

func (r *reader) visit(e hclsyntax.Expression, caught bool) {
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if slices.Contains(r.bound, x.Traversal.RootName()) {
			r.path(x.Traversal[1:], caught)
		}
		return
	case *hclsyntax.RelativeTraversalExpr:
		r.path(x.Traversal, caught)
	case *hclsyntax.IndexExpr:
		if key, written := dsl.Literal(x.Key); written {
			r.name(key, caught)
		}
	case *hclsyntax.FunctionCallExpr:
		switch x.Name {
		case "try", "can":
			caught = true
		case "lookup":
			if len(x.Args) > 1 {
				if key, written := dsl.Literal(x.Args[1]); written {
					r.name(key, true)
				}
			}
		}
	case *hclsyntax.ForExpr:
		r.visit(x.CollExpr, caught)
		outer := len(r.bound)
		r.bound = append(r.bound, x.KeyVar, x.ValVar)
		for _, part := range []hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr} {
			if part != nil {
				r.visit(part, caught)
			}
		}
		r.bound = r.bound[:outer]
		return
	}
	dsl.EachPart(e, func(part hclsyntax.Expression) { r.visit(part, caught) })
}

func (r *reader) path(t hcl.Traversal, caught bool) {
	for _, step := range t {
		switch x := step.(type) {
		case hcl.TraverseAttr:
			r.name(cty.StringVal(x.Name), caught)
		case hcl.TraverseIndex:
			r.name(x.Key, caught)
		}
	}
}

func (r *reader) name(key cty.Value, caught bool) {
	if key.Type() != cty.String || key.IsNull() {
		return
	}
	switch name := key.AsString(); {
	case !known().any[name]:
	case caught:
		r.caught = append(r.caught, name)
	default:
		r.plain = append(r.plain, name)
	}
}

// Null is some queries whose answers have null for the attributes that they lack.
func (a Attrs) Null(queries map[string]function.Function) map[string]function.Function {
	if len(a) == 0 {
		return queries
	}
	all := make(map[string]function.Function, len(queries))
	for name, f := range queries {
		all[name] = f
		fill := finds[name]
		if fill == nil {
			continue
		}
		all[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(),
			Type: function.StaticReturnType(cty.DynamicPseudoType),
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := f.Call(args)
				if err != nil || !v.IsKnown() || v.IsNull() {
					return v, err
				}
				return fill(v, a), nil
			},
		})
	}
	return all
}

func (a Attrs) event(e cty.Value) cty.Value { return a.with(e, known().events) }

func (a Attrs) span(s cty.Value) cty.Value {
	return part(part(s, "attributes", func(v cty.Value) cty.Value { return a.with(v, known().spans) }),
		"events", func(list cty.Value) cty.Value {
			return each(list, func(e cty.Value) cty.Value { return part(e, "attributes", a.event) })
		})
}

func (a Attrs) series(s cty.Value) cty.Value {
	return part(s, "labels", func(v cty.Value) cty.Value { return a.with(v, known().labels) })
}

// with is an object with null for those of some names that it lacks.
func (a Attrs) with(v cty.Value, names map[string]bool) cty.Value {
	if !v.Type().IsObjectType() {
		return v
	}
	var more map[string]cty.Value
	for _, name := range a {
		if !names[name] || v.Type().HasAttribute(name) {
			continue
		}
		if more == nil {
			if more = v.AsValueMap(); more == nil {
				more = map[string]cty.Value{}
			}
		}
		more[name] = cty.NullVal(cty.DynamicPseudoType)
	}
	if more == nil {
		return v
	}
	return cty.ObjectVal(more)
}

// each is a tuple of which each element is made another.
func each(v cty.Value, of func(cty.Value) cty.Value) cty.Value {
	if !v.Type().IsTupleType() || v.LengthInt() == 0 {
		return v
	}
	list := v.AsValueSlice()
	for i, e := range list {
		list[i] = of(e)
	}
	return cty.TupleVal(list)
}

// part is an object of which one attribute is made another.
func part(v cty.Value, name string, of func(cty.Value) cty.Value) cty.Value {
	if !v.Type().IsObjectType() || !v.Type().HasAttribute(name) {
		return v
	}
	attrs := v.AsValueMap()
	attrs[name] = of(attrs[name])
	return cty.ObjectVal(attrs)
}

// names are the attributes that events, spans and series may have.
type names struct{ any, events, spans, labels map[string]bool }

var known = sync.OnceValue(func() *names {
	n := &names{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	whole := trace.Event{Step: "s", Call: "c", Actor: "a", Target: "t", Attempt: 1, Round: 1, Turn: 1, Iteration: 1}
	for name := range whole.Object() {
		n.any[name], n.events[name] = true, true
	}
	for _, t := range event.Types() {
		for _, a := range t.Attrs {
			n.any[a.Name], n.events[a.Name] = true, true
			if name, ns := strings.CutSuffix(a.Name, "_ns"); ns {
				n.any[name+"_ms"], n.events[name+"_ms"] = true, true
			}
		}
	}
	for _, a := range telemetry.SpanAttributes() {
		n.any[a.Name], n.spans[a.Name] = true, true
	}
	for _, m := range telemetry.Names("") {
		for _, label := range m.Labels {
			n.any[label], n.labels[label] = true, true
		}
	}
	return n
})
