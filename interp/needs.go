package interp

import (
	"iter"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// needs says what expressions read of the results of a run: a tree of
// attribute names, in which the elements of a tuple are one. Results are wide
// and conditions narrow, so only what is read is ever built.
type needs struct {
	all  bool
	kids []need // few, so that a list is searched faster than a map
	// calls are the queries that are called; only the root of the tree has them.
	calls []string
}

// need is the part of a value under one name.
type need struct {
	name string
	part *needs
}

// find returns the part under a name, nil if there is none.
func (n *needs) find(name string) *needs {
	for i := range n.kids {
		if n.kids[i].name == name {
			return n.kids[i].part
		}
	}
	return nil
}

// child returns the part of an attribute, made if there is none yet.
func (n *needs) child(name string) *needs {
	if k := n.find(name); k != nil {
		return k
	}
	k := &needs{}
	n.kids = append(n.kids, need{name, k})
	return k
}

// of returns the part of an attribute for reading: nil where nothing of it is
// read. Below a value that is read as a whole, everything is.
func (n *needs) of(name string) *needs {
	switch {
	case n == nil:
		return nil
	case n.all:
		return everything
	}
	return n.find(name)
}

// everything is the need of a whole value.
var everything = &needs{all: true}

// size is how many of the attributes of a value are read, at most. Most are
// read in part, and room for all of them would be most of what a run allocates.
func (n *needs) size(all int) int {
	switch {
	case n == nil:
		return 0
	case n.all:
		return all
	}
	return len(n.kids)
}

// each yields the names that are read of a directory with what is read of them,
// in no order; known ones where it is read as a whole.
func (n *needs) each(known iter.Seq[string]) iter.Seq2[string, *needs] {
	return func(yield func(string, *needs) bool) {
		switch {
		case n == nil:
		case n.all:
			for name := range known {
				if !yield(name, everything) {
					return
				}
			}
		default:
			for i := range n.kids {
				if !yield(n.kids[i].name, n.kids[i].part) {
					return
				}
			}
		}
	}
}

// names returns the names that are read of a directory, in order; known ones
// where it is read as a whole.
func (n *needs) names(known []string) []string {
	switch {
	case n == nil:
		return nil
	case n.all:
		return known
	}
	names := make([]string, len(n.kids))
	for i := range n.kids {
		names[i] = n.kids[i].name
	}
	slices.Sort(names)
	return names
}

// add notes everything that an expression reads.
func (n *needs) add(e hclsyntax.Expression) {
	if e != nil {
		(&reader{root: n}).read(e)
	}
}

// reader walks one expression; vars are the variables of the for expressions
// around it, each with what it stands for, nil where that is not known.
type reader struct {
	root *needs
	vars []loopVar
	anon map[*hclsyntax.AnonSymbolExpr]*needs
}

type loopVar struct {
	name string
	node *needs
}

// read notes what an expression reads as a whole value.
func (r *reader) read(e hclsyntax.Expression) {
	if node, isPath := r.path(e); isPath {
		if node != nil {
			node.all = true
		}
		return
	}
	switch x := e.(type) {
	case *hclsyntax.ForExpr:
		r.readFor(x)
	case *hclsyntax.FunctionCallExpr:
		if isQuery(x.Name) && !contains(r.root.calls, x.Name) {
			r.root.calls = append(r.root.calls, x.Name)
		}
		if x.Name == "length" && len(x.Args) == 1 {
			if _, isPath := r.path(x.Args[0]); isPath {
				return // the elements are counted and not read
			}
		}
		for _, a := range x.Args {
			r.read(a)
		}
	default:
		dsl.EachPart(e, r.read)
	}
}

func (r *reader) readFor(x *hclsyntax.ForExpr) {
	node, isPath := r.path(x.CollExpr)
	switch {
	case !isPath:
		r.read(x.CollExpr)
	case r.directory(x.CollExpr):
		node.all = true // any of its names may be the one that is read
	}
	outer := len(r.vars)
	if x.KeyVar != "" {
		r.vars = append(r.vars, loopVar{name: x.KeyVar})
	}
	r.vars = append(r.vars, loopVar{x.ValVar, node})
	for _, c := range []hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr} {
		if c != nil {
			r.read(c)
		}
	}
	r.vars = r.vars[:outer]
}

// path follows an expression that does nothing but go from a root, or from a
// loop variable, along attributes and elements. The node is nil where that is
// a value of which nothing is noted.
func (r *reader) path(e hclsyntax.Expression) (node *needs, isPath bool) {
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		name := x.Traversal.RootName()
		for i := len(r.vars) - 1; i >= 0; i-- {
			if r.vars[i].name == name {
				return follow(r.vars[i].node, x.Traversal[1:]), true
			}
		}
		return follow(r.root.child(name), x.Traversal[1:]), true
	case *hclsyntax.RelativeTraversalExpr:
		node, isPath = r.path(x.Source)
		return follow(node, x.Traversal), isPath
	case *hclsyntax.ParenthesesExpr:
		return r.path(x.Expression)
	case *hclsyntax.IndexExpr:
		node, isPath = r.path(x.Collection)
		if !isPath {
			return nil, false
		}
		r.read(x.Key)
		if r.directory(x.Collection) {
			node.all = true
		}
		return node, true
	case *hclsyntax.SplatExpr:
		node, isPath = r.path(x.Source)
		if !isPath {
			return nil, false
		}
		if r.anon == nil {
			r.anon = map[*hclsyntax.AnonSymbolExpr]*needs{}
		}
		r.anon[x.Item] = node
		return r.path(x.Each)
	case *hclsyntax.AnonSymbolExpr:
		node, isPath = r.anon[x]
		return node, isPath
	}
	return nil, false
}

// directory reports whether an expression is a root alone, whose parts have
// names and are no elements.
func (r *reader) directory(e hclsyntax.Expression) bool {
	x, ok := e.(*hclsyntax.ScopeTraversalExpr)
	if !ok || len(x.Traversal) != 1 || x.Traversal.RootName() == "steps" {
		return false
	}
	return !slices.ContainsFunc(r.vars, func(v loopVar) bool { return v.name == x.Traversal.RootName() })
}

// follow goes down a traversal. Elements of tuples are one; a computed or
// numeric index stays where it is.
func follow(node *needs, path hcl.Traversal) *needs {
	for _, step := range path {
		if node == nil {
			return nil
		}
		switch s := step.(type) {
		case hcl.TraverseAttr:
			node = node.child(s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				node = node.child(s.Key.AsString())
			}
		}
	}
	return node
}

// attrName is the literal name at place i of a traversal.
func attrName(t hcl.Traversal, i int) (string, bool) {
	if len(t) <= i {
		return "", false
	}
	switch s := t[i].(type) {
	case hcl.TraverseAttr:
		return s.Name, true
	case hcl.TraverseIndex:
		if s.Key.Type() == cty.String {
			return s.Key.AsString(), true
		}
	}
	return "", false
}

// isQuery reports whether a function asks about the run as a whole.
func isQuery(name string) bool {
	switch name {
	case "overlaps", "metric", "metrics", "span", "spans", "events":
		return true
	}
	return false
}
