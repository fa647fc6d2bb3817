package constant

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// A binding is a for expression with what its variable can be.
type binding struct {
	loop *hclsyntax.ForExpr
	variable
}

// A variable is what is known of that of a for expression.
type variable struct {
	text  text     // what it can be where it is a string
	words []string // what it can be where a list of texts is written
	list  string   // the list of a result of which it is an element
}

// bind notes what the variables of a for expression can be. The caller calls what it
// returns where they end.
func (f *finder) bind(x *hclsyntax.ForExpr) (end func()) {
	outer := f.loops
	v := variable{text: f.elementOf(x.CollExpr)}
	switch list := dsl.Bare(x.CollExpr).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		v.list = f.fixed(list)
	case *hclsyntax.FunctionCallExpr: // events, spans
		v.list = list.Name
	case *hclsyntax.TupleConsExpr:
		v.words = textsOf(list)
	}
	f.loops = append(f.loops, binding{x, v})
	return func() { f.loops = outer }
}

// textsOf are the texts of a written list, nil where it has anything else.
func textsOf(list *hclsyntax.TupleConsExpr) []string {
	var words []string
	for _, e := range list.Exprs {
		s, ok := written(e)
		if !ok {
			return nil
		}
		words = append(words, s)
	}
	return words
}

// variable is what is known of a variable of the for expressions around a part, nothing
// for a name that is none or counts elements.
func (f *finder) variable(name string) variable {
	for i := len(f.loops) - 1; i >= 0; i-- {
		switch l := f.loops[i]; name {
		case l.loop.ValVar:
			return l.variable
		case l.loop.KeyVar:
			return variable{}
		}
	}
	return variable{}
}

// isBound reports whether a name is a variable of a for expression around a part.
func (f *finder) isBound(name string) bool {
	for _, l := range f.loops {
		if name == l.loop.ValVar || name == l.loop.KeyVar {
			return true
		}
	}
	return false
}
