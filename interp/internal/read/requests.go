package read

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// IsRequest reports whether a path goes through a request.
func IsRequest(t hcl.Traversal) bool {
	for i := range t {
		if name, _ := AttrName(t, i); name == "request" || i == 0 && !t.IsRelative() && t.RootName() == "request" {
			return true
		}
	}
	return false
}

// IsAttempts reports whether a path ends with attempts, or with one of them.
func IsAttempts(t hcl.Traversal) bool {
	if _, one := t[len(t)-1].(hcl.TraverseIndex); one {
		t = t[:len(t)-1]
	}
	name, _ := AttrName(t, len(t)-1)
	return name == "attempts"
}

// OnlyAttributes reports whether a loop reads of each element attributes, and none as a whole.
func OnlyAttributes(loop *hclsyntax.ForExpr) bool {
	whole := false
	for _, part := range []hclsyntax.Expression{loop.KeyExpr, loop.ValExpr, loop.CondExpr} {
		dsl.EachExpr(part, func(e hclsyntax.Expression) {
			x, is := e.(*hclsyntax.ScopeTraversalExpr)
			whole = whole || is && x.Traversal.RootName() == loop.ValVar && len(x.Traversal) == 1
		})
	}
	return !whole
}

// TypeOfEvents is what a call of events gives as the type of those that it asks for, nil where it asks for
// those of any.
func TypeOfEvents(call *hclsyntax.FunctionCallExpr) hclsyntax.Expression {
	if call.Name != "events" || len(call.Args) != 1 {
		return nil
	}
	if filter, is := call.Args[0].(*hclsyntax.ObjectConsExpr); is {
		for _, i := range filter.Items {
			if hcl.ExprAsKeyword(i.KeyExpr) == "type" {
				return i.ValueExpr
			}
		}
	}
	return nil
}

// Verb is the first word of a statement of SQL, in capitals.
func Verb(statement string) string {
	for word := range strings.FieldsSeq(statement) {
		return strings.ToUpper(strings.TrimRight(word, ";"))
	}
	return ""
}

// ReadsRequests reports whether conditions read a request of a result, or the whole of it or of an attempt.
func (n *Needs) ReadsRequests() bool {
	if n == nil {
		return false
	}
	for i := range n.Kids {
		k := &n.Kids[i]
		if k.Name == "request" || (k.Name == "attempts" || k.Name == "calls") && (k.Part.All || k.Part.Elem != nil && k.Part.Elem.All) || !k.Part.All && k.Part.ReadsRequests() {
			return true
		}
	}
	return n.All || n.Elem != nil && n.Elem.ReadsRequests()
}
