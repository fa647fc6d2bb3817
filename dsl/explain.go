package dsl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/dsl/wording"
)

// maxListed bounds the attributes that a message lists.
const maxListed = 20

// Explain says why an expression could not be evaluated: of an index how many
// elements there are, of an attribute which ones there are instead. Where
// there is no more to say it is what the diagnostic says itself. Values are not
// shown, so there is nothing secret in it that is not in the diagnostic.
func Explain(d *hcl.Diagnostic) string {
	if why, ok := strings.CutPrefix(d.Detail, operationPrefix); ok {
		return why
	}
	if why := missing(d); why != "" {
		return why
	}
	if _, why := evaluated(d); why != "" {
		return why
	}
	return strings.TrimSpace(d.Summary + ": " + d.Detail)
}

// missing explains an element or attribute that is not there, "" for anything
// else.
func missing(d *hcl.Diagnostic) string {
	if d.EvalContext == nil {
		return ""
	}
	switch e := d.Expression.(type) {
	case *hclsyntax.ScopeTraversalExpr:
		for i := 1; i < len(e.Traversal); i++ {
			_, diags := e.Traversal[:i+1].TraverseAbs(d.EvalContext)
			if !diags.HasErrors() {
				continue
			}
			from, _ := e.Traversal[:i].TraverseAbs(d.EvalContext)
			return lacks(string(AppendSource(nil, &hclsyntax.ScopeTraversalExpr{Traversal: e.Traversal[:i]})), from, e.Traversal[i])
		}
	case *hclsyntax.RelativeTraversalExpr:
		from, diags := Evaluate(e.Source, d.EvalContext)
		if diags.HasErrors() {
			return ""
		}
		for i := range e.Traversal {
			_, diags := e.Traversal[:i+1].TraverseRel(from)
			if !diags.HasErrors() {
				continue
			}
			name := string(AppendSource(nil, &hclsyntax.RelativeTraversalExpr{Source: e.Source, Traversal: e.Traversal[:i]}))
			from, _ = e.Traversal[:i].TraverseRel(from)
			return lacks(name, from, e.Traversal[i])
		}
	case *hclsyntax.IndexExpr:
		from, diags := Evaluate(e.Collection, d.EvalContext)
		key, keyDiags := Evaluate(e.Key, d.EvalContext)
		if diags.HasErrors() || keyDiags.HasErrors() {
			return ""
		}
		return lacks(string(AppendSource(nil, e.Collection)), from, hcl.TraverseIndex{Key: key})
	}
	return ""
}

// lacks says that from, written as name, does not have what the step of a
// reference asks for.
func lacks(name string, from cty.Value, step hcl.Traverser) string {
	from, _ = from.Unmark()
	if !from.IsKnown() {
		return ""
	}
	key := cty.NilVal
	switch s := step.(type) {
	case hcl.TraverseAttr:
		key = cty.StringVal(s.Name)
	case hcl.TraverseIndex:
		key, _ = s.Key.Unmark()
	}
	if key == cty.NilVal || !key.IsKnown() || key.IsNull() {
		return ""
	}
	_, attr := step.(hcl.TraverseAttr)
	switch {
	case from.IsNull() && attr:
		return fmt.Sprintf("%s is null, and has no attribute %q.", name, key.AsString())
	case from.IsNull():
		return fmt.Sprintf("%s is null, and has no elements.", name)
	case isSequence(from.Type()) && key.Type() == cty.Number:
		return fmt.Sprintf("%s has %s, and %s is asked for.", name, wording.Elements(from.LengthInt()), render.Value(key, 20))
	case isSequence(from.Type()) && attr:
		return fmt.Sprintf("%s is a list, and has no attribute %q: pick an element, as in %s[0].", name, key.AsString(), name)
	case isMapping(from.Type()) && key.Type() == cty.String:
		return lacksAttr(name, from, key.AsString(), attr)
	case attr:
		return fmt.Sprintf("%s is %s, and has no attribute %q.", name, orValue(valueKind(from)), key.AsString())
	}
	return ""
}

// lacksAttr names the attributes that there are. A computed name may be
// anything, and is not repeated.
func lacksAttr(name string, from cty.Value, wanted string, written bool) string {
	known := slices.Sorted(maps.Keys(from.AsValueMap()))
	what := fmt.Sprintf("%s has no attribute of that name.", name)
	if written {
		what = fmt.Sprintf("%s has no attribute %q.", name, wanted)
	}
	if hint := DidYouMean(wanted, known); hint != "" {
		return what + hint
	}
	return what + whatThereIs(known)
}

func whatThereIs(names []string) string {
	switch {
	case len(names) == 0:
		return " It has none."
	case len(names) > maxListed:
		return fmt.Sprintf(" It has %s and %d more.", strings.Join(names[:maxListed], ", "), len(names)-maxListed)
	}
	return " It has " + strings.Join(names, ", ") + "."
}

func orValue(kind string) string {
	if kind == "" {
		return "a value"
	}
	return kind
}

func isSequence(t cty.Type) bool { return t.IsTupleType() || t.IsListType() || t.IsSetType() }
func isMapping(t cty.Type) bool  { return t.IsObjectType() || t.IsMapType() }
