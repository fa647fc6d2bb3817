// Package sealed tells of conditions that found nothing in the bodies of a program's requests
// because nobody could read these: they were compressed in a way that is not undone, or
// damaged.
package sealed

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// looking are the functions that look into texts.
var looking = []string{"strcontains", "startswith", "endswith", "word", "regexmatch", "regexall", "split"}

// Unread says why a condition that holds shows nothing: its value rests on what was not found
// in a body that nobody could read. "" where it does not. ctx is what the condition reads of
// a run that o observed.
func Unread(e hclsyntax.Expression, o *observe.Observed, ctx *hcl.EvalContext) string {
	if !o.SomeEncoded() {
		return ""
	}
	var bodies, codings []string
	for _, s := range o.Steps {
		for _, a := range s.Asked() {
			if a.Request.Encoded != "" {
				bodies, codings = append(bodies, a.Request.Body), append(codings, a.Request.Encoded)
			}
		}
	}
	if len(bodies) == 0 || !searches(e, bodies, ctx) && !readsNoJSON(e, o) {
		return ""
	}
	slices.Sort(codings)
	return fmt.Sprintf("it holds because the body in which it looks for something is compressed (%s) and could not be read, so it shows nothing here: gzip and deflate are undone, where they are whole.\nhint: have the program send it uncompressed, or compressed with gzip", strings.Join(slices.Compact(codings), ", "))
}

// searches reports whether the value of a condition rests on what was not found in some
// bodies.
func searches(e hclsyntax.Expression, bodies []string, ctx *hcl.EvalContext) bool {
	var forms []string // as they are, and as JSON has them
	for _, b := range bodies {
		text := cty.StringVal(b)
		forms = append(forms, text.AsString())
		if v, err := stdlib.Functions()["jsonencode"].Call([]cty.Value{text}); err == nil {
			forms = append(forms, strings.Trim(v.AsString(), `"`))
		}
	}
	own := ctx.NewChild()
	own.Functions = map[string]function.Function{}
	for _, name := range looking {
		own.Functions[name] = unfound(stdlib.Functions()[name], forms)
	}
	v, diags := dsl.Evaluate(e, own)
	return !diags.HasErrors() && !v.IsKnown()
}

// unfound is a function that looks into texts: of what it does not find in one that has one
// of some bodies in it nothing is known.
func unfound(f function.Function, bodies []string) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: function.StaticReturnType(cty.DynamicPseudoType),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil || v.RawEquals(cty.True) || !slices.ContainsFunc(args, func(a cty.Value) bool { return holds(a, bodies) }) {
				return v, err
			}
			return cty.DynamicVal, nil
		},
	})
}

// holds reports whether one of some texts is in a value.
func holds(v cty.Value, texts []string) bool {
	v, _ = v.Unmark()
	switch {
	case v.IsNull() || !v.IsKnown():
	case v.Type() == cty.String:
		return slices.ContainsFunc(texts, func(t string) bool { return strings.Contains(v.AsString(), t) })
	case v.CanIterateElements():
		for it := v.ElementIterator(); it.Next(); {
			if _, e := it.Element(); holds(e, texts) {
				return true
			}
		}
	}
	return false
}

// readsNoJSON reports whether a condition reads JSON of requests of which none could be read.
func readsNoJSON(e hclsyntax.Expression, o *observe.Observed) bool {
	reads := false
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			reads = reads || ofRequest(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			reads = reads || ofRequest(x.Traversal)
		}
	})
	if !reads {
		return false
	}
	for t := range dsl.Variables(e) {
		name, _ := read.AttrName(t, 1)
		for _, s := range o.Steps {
			if !slices.Contains([]string{"endpoint", "step"}, t.RootName()) || s.Name != name {
				continue
			}
			for _, a := range s.Asked() {
				if a.Request.Encoded == "" && a.Request.Body != "" {
					return false
				}
			}
		}
	}
	return true
}

// ofRequest reports whether a path is one to the JSON of a request.
func ofRequest(t hcl.Traversal) bool {
	for i := range t {
		if name, _ := read.AttrName(t, i); name != "json" || i == 0 {
			continue
		}
		if before, _ := read.AttrName(t, i-1); before == "request" {
			return true
		}
	}
	return false
}
