package services

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// partName is a name inside an actor as it is written: a text, or a reference
// with its root.
type partName struct {
	root, name string
	rng        hcl.Range
}

// partNames reads a tuple of names, or a single one.
func (s *Services) partNames(b *dsl.Block, attr string, roots []string) []partName {
	a := b.Attr(attr)
	if a == nil {
		return nil
	}
	list := []hclsyntax.Expression{a.Expr}
	if t, ok := a.Expr.(*hclsyntax.TupleConsExpr); ok {
		list = t.Exprs
	}
	var out []partName
	for _, e := range list {
		if v, literal := dsl.Literal(e); literal {
			if v.IsNull() {
				continue
			}
			if v.Type() == cty.String {
				out = append(out, partName{"", v.AsString(), e.Range()})
				continue
			}
		}
		t, ok := e.(*hclsyntax.ScopeTraversalExpr)
		if ok && len(t.Traversal) == 2 && read.Contains(roots, t.Traversal.RootName()) {
			if name, ok := read.AttrName(t.Traversal, 1); ok {
				out = append(out, partName{t.Traversal.RootName(), name, e.Range()})
				continue
			}
		}
		s.Errorf(e.Range(), "Wrong reference", "The attribute %q is a list of names such as [\"name\"], or of references such as %s.name.", attr, roots[0])
	}
	return out
}

// Target reads a reference to a handler or tool of an actor.
func (s *Services) Target(e hclsyntax.Expression, attr string) (actor.Target, bool) {
	if e == nil {
		return actor.Target{}, false // reported by the decoder
	}
	path, ok := Path(e)
	if !ok || len(path) != 2 && !(len(path) == 3 && (path[1] == "handler" || path[1] == "tool")) {
		s.Errorf(e.Range(), "Wrong reference", "The attribute %q is a handler or tool of an actor, such as %s.", attr, s.example(path))
		return actor.Target{}, false
	}
	t := actor.Target{Actor: path[0], Name: path[len(path)-1]}
	return t, s.knownTarget(t, e.Range())
}

// example is a reference to a handler or tool of the actor that a path begins with.
func (s *Services) example(path []string) string {
	if len(path) > 0 && s.Actors[path[0]] != nil {
		if parts := read.SortedNames(s.Actors[path[0]].Parts); len(parts) > 0 {
			return "actor." + path[0] + "." + parts[0]
		}
	}
	return "actor.name.handler"
}

// knownTarget complains about a target that no actor has.
func (s *Services) knownTarget(t actor.Target, rng hcl.Range) bool {
	a := s.Actors[t.Actor]
	if a == nil {
		s.UnknownRef(dsl.Reference{Type: "actor", Name: t.Actor, Range: rng}, s.Order)
		return false
	}
	if _, known := a.Parts[t.Name]; !known {
		parts := read.SortedNames(a.Parts)
		hint := dsl.DidYouMean(t.Name, parts)
		if hint == "" && len(parts) > 0 {
			hint = " It has: " + strings.Join(parts, ", ") + "."
		}
		s.Errorf(rng, "Reference to nothing", "Actor %q has no handler or tool %q.%s", t.Actor, t.Name, hint)
		return false
	}
	return true
}

// Path is what follows the root actor in a reference.
func Path(e hclsyntax.Expression) ([]string, bool) {
	st, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || st.Traversal.RootName() != "actor" {
		return nil, false
	}
	return Tail(st.Traversal)
}

// Tail are the names after the root of a reference.
func Tail(t hcl.Traversal) ([]string, bool) {
	var path []string
	for i := 1; i < len(t); i++ {
		name, ok := read.AttrName(t, i)
		if !ok {
			return nil, false
		}
		path = append(path, name)
	}
	return path, len(path) > 0
}
