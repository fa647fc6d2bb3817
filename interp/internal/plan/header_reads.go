package plan

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// HeaderReads are the header fields of answers that expressions of a file read
// by name, in lower case and sorted. A recording keeps them, as its replay
// would else come to another verdict.
type HeaderReads struct {
	names []string
	// computed says that fields are read whose names only a run knows.
	computed bool
}

// ReadHeaders looks at every expression of a block and the blocks in it.
func (h *HeaderReads) ReadHeaders(b *dsl.Block) {
	for _, a := range b.Attrs {
		h.readIn(a.Expr)
	}
	for _, n := range b.Blocks {
		h.ReadHeaders(n)
	}
}

func (h *HeaderReads) readIn(e hclsyntax.Expression) {
	named := map[hclsyntax.Expression]bool{} // read by names that a function is given
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			h.readCall(x, named)
		case *hclsyntax.ScopeTraversalExpr:
			if !slices.Contains(givenRoots, x.Traversal.RootName()) {
				h.follow(x.Traversal, named[e])
			}
		case *hclsyntax.RelativeTraversalExpr:
			h.follow(x.Traversal, named[e])
		}
	})
}

// givenRoots hold what a file is given, and no answers.
var givenRoots = []string{"var", "local", "input", "each", "matrix"}

// readCall is for lookup(step.a.headers, "etag", "") and its like.
func (h *HeaderReads) readCall(x *hclsyntax.FunctionCallExpr, named map[hclsyntax.Expression]bool) {
	if x.Name != "lookup" || len(x.Args) < 2 {
		return
	}
	if name, diags := dsl.Evaluate(x.Args[1], nil); !diags.HasErrors() && name.Type() == cty.String && !name.IsNull() {
		if t, ok := x.Args[0].(*hclsyntax.ScopeTraversalExpr); ok && endsInHeaders(t.Traversal) {
			named[t] = true
			h.add(name.AsString())
		}
	}
}

func endsInHeaders(t hcl.Traversal) bool {
	name, ok := read.AttrName(t, len(t)-1)
	return ok && name == "headers"
}

// follow notes the name behind a step "headers". named says that the last one
// of them is no unknown.
func (h *HeaderReads) follow(t hcl.Traversal, named bool) {
	for i := range t {
		if name, ok := read.AttrName(t, i); !ok || name != "headers" {
			continue
		}
		if field, ok := read.AttrName(t, i+1); ok {
			h.add(field)
			return
		}
		h.computed = h.computed || !named
	}
}

func (h *HeaderReads) add(name string) {
	name = strings.ToLower(name)
	if at, found := slices.BinarySearch(h.names, name); !found {
		h.names = slices.Insert(h.names, at, name)
	}
}

// ComputesHeaders reports whether the file of the scenario reads header fields
// of answers by names that only a run knows.
func (p *Plan) ComputesHeaders() bool { return p.HeaderReads.computed }
