package read

import (
	"iter"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Needs says what expressions read of the results of a run: a tree of
// attribute names. Results are wide and conditions narrow, so only what is read
// is ever built.
//
// What goes over the elements of a value (a for expression, a splat, length, an
// index that is no name) reads all of them. An expression does not tell whether
// they are those of a list or the attributes of an object, so they are a part of
// their own; whoever builds the value knows.
type Needs struct {
	All  bool
	Kids []need // mostly few, so that a list is searched faster than a map
	// named are Kids by their names where there are many.
	named map[string]*Needs
	// Elem is what is read of each element, nil where nothing goes over them.
	Elem *Needs
	// Calls are the queries that are called; only the root of the tree has them.
	Calls []string
}

// manyKids is from how many on they are found by their names.
const manyKids = 32

// need is the part of a value under one name.
type need struct {
	Name string
	Part *Needs
}

// Find returns the part under a name, nil if there is none.
// It is not inlined, as each of its callers would hold a copy: that is 90 kB of what is linked.
//
//go:noinline
func (n *Needs) Find(name string) *Needs {
	if n.named != nil {
		return n.named[name]
	}
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
	switch {
	case n.named != nil:
		n.named[name] = k
	case len(n.Kids) == manyKids:
		n.named = map[string]*Needs{}
		for _, kid := range n.Kids {
			n.named[kid.Name] = kid.Part
		}
	}
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
	case n.Elem == nil:
		return n.Find(name)
	case n.Find(name) == nil:
		return n.Elem
	}
	return Everything // by its name and as one of all
}

// Element returns the part of each element of a list.
func (n *Needs) Element() *Needs {
	switch {
	case n == nil:
		return nil
	case n.All || n.Elem == nil:
		return Everything
	}
	return n.Elem
}

// element is that part for noting what is read, made if there is none yet.
func (n *Needs) element() *Needs {
	if n == nil {
		return nil
	}
	if n.Elem == nil {
		n.Elem = &Needs{}
	}
	return n.Elem
}

// Whole reports whether all names of a directory, or all elements, are read.
func (n *Needs) Whole() bool { return n != nil && (n.All || n.Elem != nil) }

// Everything is the need of a whole value.
var Everything = &Needs{All: true}

// Size is how many of the attributes of a value are read, at most. Most are
// read in part, and room for all of them would be most of what a run allocates.
func (n *Needs) Size(all int) int {
	switch {
	case n == nil:
		return 0
	case n.Whole():
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
		case n.Whole():
			for name := range known {
				if !yield(name, n.Of(name)) {
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
	case n.Whole():
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
			if node, isPath := r.path(x.Args[0]); isPath {
				node.element() // they are counted and not read
				return
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
	if !isPath {
		r.read(x.CollExpr)
	}
	node = node.element()
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
		return node.element(), true
	case *hclsyntax.SplatExpr:
		node, isPath = r.path(x.Source)
		if !isPath {
			return nil, false
		}
		if r.anon == nil {
			r.anon = map[*hclsyntax.AnonSymbolExpr]*Needs{}
		}
		r.anon[x.Item] = node.element()
		return r.path(x.Each)
	case *hclsyntax.AnonSymbolExpr:
		node, isPath = r.anon[x]
		return node, isPath
	}
	return nil, false
}

// follow goes down a traversal. A numeric index goes to the elements.
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
			} else {
				node = node.element()
			}
		case hcl.TraverseSplat:
			node = node.element()
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

// IsObserved reports whether a root of expressions is what a run decides, and not what the
// file says, or a case of its bench.
func IsObserved(root string) bool {
	return !slices.Contains([]string{"var", "local", "each", "matrix", "case"}, root)
}

// HasQuery reports whether an expression calls a function that asks about the run as a whole.
func HasQuery(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		found = found || call && IsQuery(f.Name)
	})
	return found
}

// IsQuery reports whether a function asks about the run as a whole.
func IsQuery(name string) bool {
	switch name {
	case "overlaps", "metric", "metrics", "span", "spans", "events":
		return true
	}
	return AsksProgram(name)
}

// AsksProgram reports whether a function asks what the program under test said of
// itself.
func AsksProgram(name string) bool { return strings.HasPrefix(name, "sut.") }
