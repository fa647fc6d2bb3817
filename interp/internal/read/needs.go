package read

import (
	"iter"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Needs says what expressions read of the results of a run: a tree of
// attribute names, in which the elements of a tuple are one. Results are wide
// and conditions narrow, so only what is read is ever built.
type Needs struct {
	All  bool
	Kids []need // few, so that a list is searched faster than a map
	// Calls are the queries that are called; only the root of the tree has them.
	Calls []string
}

// need is the part of a value under one name.
type need struct {
	Name string
	Part *Needs
}

// Find returns the part under a name, nil if there is none.
func (n *Needs) Find(name string) *Needs {
	for i := range n.Kids {
		if n.Kids[i].Name == name {
			return n.Kids[i].Part
		}
	}
	return nil
}

// Child returns the part of an attribute, made if there is none yet.
func (n *Needs) Child(name string) *Needs {
	if k := n.Find(name); k != nil {
		return k
	}
	k := &Needs{}
	n.Kids = append(n.Kids, need{name, k})
	return k
}

// Of returns the part of an attribute for reading: nil where nothing of it is
// read. Below a value that is read as a whole, everything is.
func (n *Needs) Of(name string) *Needs {
	switch {
	case n == nil:
		return nil
	case n.All:
		return Everything
	}
	return n.Find(name)
}

// Everything is the need of a whole value.
var Everything = &Needs{All: true}

// Size is how many of the attributes of a value are read, at most. Most are
// read in part, and room for all of them would be most of what a run allocates.
func (n *Needs) Size(all int) int {
	switch {
	case n == nil:
		return 0
	case n.All:
		return all
	}
	return len(n.Kids)
}

// Each yields the names that are read of a directory with what is read of them,
// in no order; known ones where it is read as a whole.
func (n *Needs) Each(known iter.Seq[string]) iter.Seq2[string, *Needs] {
	return func(yield func(string, *Needs) bool) {
		switch {
		case n == nil:
		case n.All:
			for name := range known {
				if !yield(name, Everything) {
					return
				}
			}
		default:
			for i := range n.Kids {
				if !yield(n.Kids[i].Name, n.Kids[i].Part) {
					return
				}
			}
		}
	}
}

// Names returns the names that are read of a directory, in order; known ones
// where it is read as a whole.
func (n *Needs) Names(known []string) []string {
	switch {
	case n == nil:
		return nil
	case n.All:
		return known
	}
	names := make([]string, len(n.Kids))
	for i := range n.Kids {
		names[i] = n.Kids[i].Name
	}
	slices.Sort(names)
	return names
}

// Add notes everything that an expression reads.
func (n *Needs) Add(e hclsyntax.Expression) {
	if e != nil {
		(&reader{root: n}).read(e)
	}
}

// reader walks one expression; vars are the variables of the for expressions
// around it, each with what it stands for, nil where that is not known.
type reader struct {
	root *Needs
	vars []loopVar
	anon map[*hclsyntax.AnonSymbolExpr]*Needs
}

type loopVar struct {
	name string
	node *Needs
}

// read notes what an expression reads as a whole value.
func (r *reader) read(e hclsyntax.Expression) {
	if node, isPath := r.path(e); isPath {
		if node != nil {
			node.All = true
		}
		return
	}
	switch x := e.(type) {
	case *hclsyntax.ForExpr:
		r.readFor(x)
	case *hclsyntax.FunctionCallExpr:
		if IsQuery(x.Name) && !Contains(r.root.Calls, x.Name) {
			r.root.Calls = append(r.root.Calls, x.Name)
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
		node.All = true // any of its names may be the one that is read
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
func (r *reader) path(e hclsyntax.Expression) (node *Needs, isPath bool) {
	switch x := e.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		name := x.Traversal.RootName()
		for i := len(r.vars) - 1; i >= 0; i-- {
			if r.vars[i].name == name {
				return follow(r.vars[i].node, x.Traversal[1:]), true
			}
		}
		return follow(r.root.Child(name), x.Traversal[1:]), true
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
			node.All = true
		}
		return node, true
	case *hclsyntax.SplatExpr:
		node, isPath = r.path(x.Source)
		if !isPath {
			return nil, false
		}
		if r.anon == nil {
			r.anon = map[*hclsyntax.AnonSymbolExpr]*Needs{}
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
func follow(node *Needs, path hcl.Traversal) *Needs {
	for _, step := range path {
		if node == nil {
			return nil
		}
		switch s := step.(type) {
		case hcl.TraverseAttr:
			node = node.Child(s.Name)
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				node = node.Child(s.Key.AsString())
			}
		}
	}
	return node
}

// AttrName is the literal name at place i of a traversal.
func AttrName(t hcl.Traversal, i int) (string, bool) {
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

// IsQuery reports whether a function asks about the run as a whole.
func IsQuery(name string) bool {
	switch name {
	case "overlaps", "metric", "metrics", "span", "spans", "events":
		return true
	}
	return false
}
