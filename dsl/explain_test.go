package dsl

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// An expression that cannot be evaluated says what there is in place of what
// it asks for.
func TestExplain(t *testing.T) {
	two := cty.TupleVal([]cty.Value{cty.StringVal("x"), cty.StringVal("y")})
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{
		"step": cty.ObjectVal(map[string]cty.Value{"a": cty.ObjectVal(map[string]cty.Value{
			"attempts": two, "status": cty.StringVal("success"), "error": cty.NullVal(cty.DynamicPseudoType), "none": cty.EmptyTupleVal, "empty": cty.EmptyObjectVal,
		})}),
		"n": cty.NumberIntVal(2), "word": cty.StringVal("secret").Mark("x"),
	}}
	for src, want := range map[string]string{
		"step.a.attempts[2]":          "step.a.attempts has 2 elements; the first has the index 0, and 2 is asked for.",
		"step.a.attempts[n]":          "step.a.attempts has 2 elements; the first has the index 0, and 2 is asked for.",
		"step.a.attempts[-1]":         "step.a.attempts has 2 elements; the first has the index 0, and -1 is asked for.",
		"step.a.none[0]":              "step.a.none has no elements, and 0 is asked for.",
		"step.a.attempts.x":           `step.a.attempts is a list, and has no attribute "x": pick an element, as in step.a.attempts[0].`,
		"step.a.statsu":               `step.a has no attribute "statsu". Did you mean "status"?`,
		"step.a.colour":               `step.a has no attribute "colour". It has attempts, empty, error, none, status.`,
		"step.a.empty.x":              `step.a.empty has no attribute "x". It has none.`,
		"step.a.error.kind":           `step.a.error is null, and has no attribute "kind".`,
		"step.a.error[0]":             "step.a.error is null, and has no elements.",
		"step.a.status.x":             `step.a.status is a string, and has no attribute "x".`,
		"(step.a).colour":             `(step.a) has no attribute "colour". It has attempts, empty, error, none, status.`,
		"step.a[word]":                "step.a has no attribute of that name. It has attempts, empty, error, none, status.",
		"unknown.x":                   `Unknown variable: There is no variable named "unknown".`,
		"step.a.attempts[null]":       "Invalid index: Can't use a null value as an indexing key.",
		"[for a in step.a.none: a].x": `[for a in step.a.none : a] is a list, and has no attribute "x": pick an element, as in [for a in step.a.none : a][0].`,
	} {
		e, diags := hclsyntax.ParseExpression([]byte(src), "a.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		_, diags = e.Value(ctx)
		if len(diags) != 1 {
			t.Errorf("%s: %v", src, diags)
			continue
		}
		if got := Explain(diags[0]); got != want {
			t.Errorf("%s:\n got %s\nwant %s", src, got, want)
		}
	}
}

// What a strict comparison says is not preceded by the evaluator's words.
func TestExplainOperation(t *testing.T) {
	e, _ := hclsyntax.ParseExpression([]byte(`1 == "1"`), "a.hcl", hcl.InitialPos)
	Strict(e)
	_, diags := e.Value(nil)
	if want := `the two sides can never be equal: 1 is a number, and "1" is a string.`; len(diags) != 1 || Explain(diags[0]) != want {
		t.Errorf("%v", diags)
	}
}
