package lint

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/cassette/redact"
	"github.com/scenario-lang/scenario/dsl"
)

// hidden warns of comparisons of what the file says with a part of a request that is
// hidden by its name: a placeholder stands in its place.
func (c *checker) hidden(e hclsyntax.Expression) {
	compared := func(whole, one, other hclsyntax.Expression) {
		name := hiddenName(one)
		if name == "" || observes(other) || isNothing(other) {
			return
		}
		c.warnf(whole.Range(), "Comparison with a hidden value", "What a request has under the name %q is hidden, and a placeholder stands in its place when this is evaluated. Compare the hidden values of two attempts, which are equal where the secrets are, or let a match block ask for it: it compares what was sent.", name)
	}
	switch x := e.(type) {
	case *hclsyntax.BinaryOpExpr:
		if dsl.IsComparison(x.Op) {
			compared(x, x.LHS, x.RHS)
			compared(x, x.RHS, x.LHS)
		}
	case *hclsyntax.FunctionCallExpr:
		if at, known := looks[x.Name]; known && len(x.Args) > max(at.through, at.lookFor) {
			compared(x, x.Args[at.through], x.Args[at.lookFor])
		}
	}
}

// hiddenName is the name under which a part of a request is hidden, "" where it is not.
func hiddenName(e hclsyntax.Expression) string {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		if len(x.Traversal) < 4 {
			return ""
		}
		names := namesOf(x.Traversal)
		at := slices.Index(names, "request")
		if at < 1 || len(names) < at+3 { // the root request is what a match reads, in which nothing is hidden
			return ""
		}
		return hiddenIn(names[at+1], names[len(names)-1])
	case *hclsyntax.RelativeTraversalExpr:
		names := namesOf(x.Traversal)
		f, call := dsl.Bare(x.Source).(*hclsyntax.FunctionCallExpr)
		if !call || f.Name != "jsondecode" || len(f.Args) != 1 || len(names) == 0 {
			return ""
		}
		body, path := dsl.Bare(f.Args[0]).(*hclsyntax.ScopeTraversalExpr)
		if !path || body.Traversal.RootName() == "request" {
			return ""
		}
		if of := namesOf(body.Traversal); len(of) > 2 && of[len(of)-2] == "request" {
			return hiddenIn("json", names[len(names)-1])
		}
	}
	return ""
}

// hiddenIn is a name where what stands under it in a part of a request is hidden.
func hiddenIn(part, name string) string {
	if part == "headers" && redact.IsSecretField(name) || part == "json" && redact.IsSecretName(name) {
		return name
	}
	return ""
}

// namesOf are the names of a path, "" for each index that is no string.
func namesOf(t hcl.Traversal) []string {
	var names []string
	for _, step := range t {
		name := ""
		switch s := step.(type) {
		case hcl.TraverseRoot:
			name = s.Name
		case hcl.TraverseAttr:
			name = s.Name
		case hcl.TraverseIndex:
			if s.Key.Type() == cty.String {
				name = s.Key.AsString()
			}
		}
		names = append(names, name)
	}
	return names
}

// isNothing reports whether a value that is written out is null, empty, or stands for a
// secret itself.
func isNothing(e hclsyntax.Expression) bool {
	v, literal := dsl.Literal(dsl.Bare(e))
	if !literal || v.IsNull() {
		return literal
	}
	return v.Type() == cty.String && (v.AsString() == "" || redact.IsPlaceholder(v.AsString()))
}
