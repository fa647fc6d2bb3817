package dsl

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
)

// What is wrong with a block is said with the right articles and plurals.
func TestBlockMessages(t *testing.T) {
	for _, c := range []struct{ src, summary, detail string }{
		{"scenario {\n}\n", "Wrong number of labels", "A scenario block has no labels here and takes 1: write `scenario \"NAME\" { … }`."},
		{"scenario \"a\" \"b\" {\n}\n", "Wrong number of labels", "A scenario block has 2 labels here and takes 1:"},
		{"telemetry {\n}\ntelemetry {\n}\n", "Too many blocks", "There may be at most 1 telemetry block here; the first is at line 1."},
		{"workflow \"w\" {\n}\n", "Missing block", "A workflow block needs at least 1 nested step block:"},
		{"scenario \"s\" {\n  run = workflow.w\n  assert \"a\" {\n  }\n}\n", "Missing attribute", "An assert block needs the attribute \"condition\""},
		{"workflow \"w\" {\n  step \"wait\" \"a\" {\n    for = null\n  }\n}\n", "Missing attribute", `A step "wait" block needs the attribute "for"`},
		{"scenario \"s\" {\n  run = workflow.w\n  on \"a\" {\n    colour = 1\n  }\n}\n", "Unknown attribute", "An on block has no attribute \"colour\"."},
		{"workflow \"w\" {\n  step \"valeu\" \"a\" {\n    value = 1\n  }\n}\n", "Unknown kind", `Did you mean "value"?`},
		{"bench \"b\" {\n  for_each = [1]\n}\n", "Unknown attribute", "A bench block has no attribute \"for_each\". Several of them are `dynamic \"bench\" { … }`, which has for_each."},
		{"workflow \"w\" {\n  step \"wait\" \"a\" {\n    for_each = [1]\n    for = \"1s\"\n  }\n}\n", "Unknown attribute", "Several of them are `dynamic \"step\" { … }`, which has for_each."},
		{"workflow \"w\" {\n  step \"openai\" \"a\" {\n    prompt = \"x\"\n  }\n}\n", "Unknown kind", "It is a kind of provider: write `step \"llm\"`, with the `provider` that it asks."},
		{"workflow \"w\" {\n  step \"a\" {\n    value = 1\n  }\n}\n", "Wrong number of labels", "has 1 label here and takes 2"},
		{"locals {\n  a = 1\n  b = 2\n  a = 3\n}\n", "Attribute set twice", "The attribute \"a\" was set before at a.hcl:2."},
	} {
		_, diags := Parse("a.hcl", []byte(c.src))
		if len(diags) != 1 {
			t.Errorf("%q:\n got %v\nwant %s: … %s", c.src, diags, c.summary, c.detail)
			continue
		}
		wantMessage(t, c.src, diags[0], c.summary, c.detail)
	}
}

// wantMessage compares a diagnostic with its summary and a part of its detail.
func wantMessage(t *testing.T, src string, d *hcl.Diagnostic, summary, detail string) {
	t.Helper()
	if d.Summary != summary || !strings.Contains(d.Detail, detail) {
		t.Errorf("%q:\n got %s: %s\nwant %s: … %s", src, d.Summary, d.Detail, summary, detail)
	}
}

// A value of the wrong type is named with its article.
func TestWrongTypes(t *testing.T) {
	tuple, object := cty.EmptyTupleVal, cty.EmptyObjectVal
	for _, c := range []struct {
		typ  schema.Type
		v    cty.Value
		want string
	}{
		{schema.Number, tuple, "must be a number, not a list"},
		{schema.Int, object, "must be a number, not an object"},
		{schema.Bool, cty.Zero, "must be true or false, not a number"},
		{schema.String, tuple, "must be a string, not a list"},
		{schema.Strings, cty.True, `must be a list of strings ["…"], not a bool`},
		{schema.Map, cty.StringVal("x"), `must be an object { name = value, … }, not the string "x"`},
		{schema.Map, cty.StringVal(strings.Repeat("x", 99)), `must be an object { name = value, … }, not a string`},
	} {
		if _, err := Convert(c.v, &schema.Attr{Type: c.typ}); err == nil || err.Error() != c.want {
			t.Errorf("%#v: %v, want %s", c.v, err, c.want)
		}
	}
}
