package sent

import (
	"cmp"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// reads are the steps, or the endpoints, of which something in a file may read the request: an attribute
// named request, a query, or a list of attempts as it is.
type reads struct {
	root string // step or endpoint
	any  bool   // of any one
	have map[string]bool
	// of are the steps of which the variables of loops have parts, and splat that of the innermost [*].
	of    map[string]string
	splat string
}

// request reports whether anything may read what a step asks.
func (r *reads) request(step string) bool { return r.any || r.have[step] }

// readsIn goes over a file for what reads the requests of steps, or of endpoints.
func readsIn(file *dsl.File, root string) *reads {
	r := &reads{root: root, have: map[string]bool{}, of: map[string]string{}}
	for _, b := range file.Body.Blocks {
		if b.Type != "scenario" && b.Type != "invariant" && b.Type != "workflow" || root == "endpoint" && stdlib.IsModule(dsl.Place(b.DefRange).Filename) {
			continue // what the library reads of requests is how often they come
		}
		b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			switch {
			case name == "depends_on", name == "fallback", name == "step": // they name it
				return
			case name != "attempts":
			case in.Type == "expect":
				r.note(in.Name())
			default:
				r.any = true
			}
			r.add(e)
		})
	}
	return r
}

// note notes that the request of a step may be read, that of any for "".
func (r *reads) note(step string) {
	r.any = r.any || step == ""
	r.have[step] = true
}

// owner is the step of whose result an expression is a part, "" where that is not known: the one that it
// begins with, as of several each list of attempts counts for itself.
func (r *reads) owner(e hclsyntax.Expression) string {
	for e != nil {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			if name, _ := read.AttrName(x.Traversal, 1); x.Traversal.RootName() == r.root {
				return name
			}
			return r.of[x.Traversal.RootName()]
		case *hclsyntax.AnonSymbolExpr:
			return r.splat
		}
		var first hclsyntax.Expression
		dsl.EachPart(e, func(p hclsyntax.Expression) { first = cmp.Or(first, p) })
		e = first
	}
	return ""
}

// isRequest reports whether a path goes through a request, or has the key that a step sends. The method
// alone does not tell what a program asks.
func (r *reads) isRequest(t hcl.Traversal) bool {
	name, _ := read.AttrName(t, len(t)-1)
	if r.root == "step" {
		return read.IsRequest(t) || name == "idempotency_key"
	}
	return read.IsRequest(t) && name != "method"
}

// add notes what an expression may read.
func (r *reads) add(e hclsyntax.Expression) {
	passed := map[hclsyntax.Expression]bool{} // lists of which only the length, or some attributes, are read
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			r.any = r.any || read.IsQuery(x.Name) && x.Name != "metric" && x.Name != "metrics" && x.Name != "overlaps" && (r.root == "step" || asksRequests(x) && !read.AsksProgram(x.Name))
			if x.Name == "length" && len(x.Args) == 1 {
				passed[dsl.Bare(x.Args[0])] = true
			}
		case *hclsyntax.ForExpr:
			passed[dsl.Bare(x.CollExpr)] = read.OnlyAttributes(x)
			r.of[x.ValVar] = r.owner(x.CollExpr)
		case *hclsyntax.SplatExpr:
			r.splat = r.owner(x.Source)
		case *hclsyntax.RelativeTraversalExpr:
			if r.isRequest(x.Traversal) {
				r.note(r.owner(x))
			}
		case *hclsyntax.ScopeTraversalExpr:
			ofStep := x.Traversal.RootName() == r.root
			switch reads := r.isRequest(x.Traversal) || !passed[x] && read.IsAttempts(x.Traversal); {
			case reads, ofStep && len(x.Traversal) <= 2:
				r.note(r.owner(x))
			case !passed[x] && x.Traversal.RootName() == r.root+"s" && len(x.Traversal) == 1:
				r.any = true
			}
		}
	})
}
