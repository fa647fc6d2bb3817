package drive

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// unseen reports of its endpoints on which nothing in a scenario depends that tells one request from the
// next: no check reads a request, no lane and no entry of a script is chosen by one, and a match looks at
// most at what all of them have alike, such as the path.
func (r *Run) unseen() map[string]bool {
	needs := &read.Needs{}
	for _, e := range r.plan.Conditions() {
		needs.Add(dsl.Replaced(e, counted))
	}
	unseen := map[string]bool{}
	if r.plan.Recording != nil || r.plan.Sut != nil && r.plan.Sut.Until != nil || readsAny(needs) {
		return unseen
	}
	for _, e := range r.endpoints {
		script := r.plan.ScriptFor(e.Name, "")
		unseen[e.Name] = script != nil && e.Step.Endpoint.Lane == nil && e.Step.Endpoint.Match.Condition == nil &&
			!slices.ContainsFunc(e.Step.Endpoint.Match.Leaves, func(l plan.Leaf) bool { return slices.Contains(telling, l.Path[0]) }) &&
			!slices.ContainsFunc(script.Entries, func(e *plan.Entry) bool { return !e.Match.Empty() }) &&
			!needs.Of("endpoint").Of(e.Name).ReadsRequests() && !needs.Of("step").Of(e.Name).ReadsRequests() &&
			!slices.ContainsFunc(r.plan.Expects, func(x *plan.Expectation) bool {
				return x.Address == e.Name && slices.ContainsFunc(x.Attrs, func(a *dsl.Attr) bool { return a.Name == "attempts" })
			})
	}
	return unseen
}

// counted is a list of the elements for which something holds without what it lists, where only its length
// is read; nil for any other expression.
func counted(e hclsyntax.Expression) hclsyntax.Expression {
	f, is := e.(*hclsyntax.FunctionCallExpr)
	if !is || f.Name != "length" || len(f.Args) != 1 {
		return nil
	}
	loop, is := dsl.Bare(f.Args[0]).(*hclsyntax.ForExpr)
	if !is || loop.CondExpr == nil || loop.KeyExpr != nil {
		return nil
	}
	if x, is := dsl.Bare(loop.ValExpr).(*hclsyntax.ScopeTraversalExpr); !is || x.Traversal.RootName() != loop.ValVar || len(x.Traversal) != 1 {
		return nil
	}
	bare := *loop
	bare.ValExpr = &hclsyntax.LiteralValueExpr{Val: cty.True, SrcRange: loop.SrcRange}
	return &bare
}

// telling are the parts of a match that tell requests to one place from each other.
var telling = []string{"query", "headers", "json", "prompt"}

// readsAny reports whether conditions may read the request of any endpoint.
func readsAny(n *read.Needs) bool {
	return n.Of("target").ReadsRequests() || n.Of("endpoints") != nil || n.Of("steps") != nil ||
		slices.ContainsFunc(n.Calls, func(f string) bool { return f == "events" || f == "span" || f == "spans" })
}
