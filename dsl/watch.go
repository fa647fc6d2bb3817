package dsl

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/scenario-lang/scenario/schema"
)

// A Name is a name in an expression, as an inference met it: what an editor
// shows about it, or offers in its place.
type Name struct {
	Text string
	// Range ends where the name does; it may begin with the dot before it.
	Range hcl.Range
	// Of is the value that the name is an attribute of, nil for the name that
	// a reference begins with.
	Of *schema.Shape
	// Shape is what the name stands for, nil where there is no such thing.
	Shape *schema.Shape
	// Env is what may be referred to at this place; nil for a name that is
	// written as an attribute of an expect block.
	Env   *Env
	scope *scope
}

// Bound are the variables of the for expressions around a name, by name.
func (n Name) Bound() map[string]*schema.Shape {
	bound := map[string]*schema.Shape{}
	for s := n.scope; s != nil; s = s.outer {
		if _, hidden := bound[s.name]; !hidden {
			bound[s.name] = s.shape
		}
	}
	return bound
}

// watch tells whoever looks on of a name; shape is nil for an unknown one.
func (in *inference) watch(text string, rng hcl.Range, of, shape *schema.Shape, sc *scope) {
	if in.env.Watch != nil {
		in.env.Watch(Name{Text: text, Range: rng, Of: of, Shape: shape, Env: in.env, scope: sc})
	}
}
