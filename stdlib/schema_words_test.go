package stdlib

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// Shows that a schema which would let everything pass because of how it is written
// is refused, at any depth, and that words for readers are not.
func TestSchemasThatSayNothing(t *testing.T) {
	ctx := &hcl.EvalContext{Functions: Functions()}
	for schema, want := range map[string]string{
		`{}`: "empty schema",
		`{ type = "object", require = ["name"] }`:      `Did you mean "required"?`,
		`{ propertys = { a = { type = "string" } } }`:  `Did you mean "properties"?`,
		`{ properties = { a = { minLenght = 3 } } }`:   `Did you mean "minLength"?`,
		`{ items = { anyOf = [{ typ = "string" }] } }`: `Did you mean "type"?`,
		`{ type = "string", nullable = true }`:         `"nullable" is no keyword`,

		`{ type = "object", x-owner = "me", description = "d", example = {} }`: "",
		`{ properties = { a = {} }, required = ["a"] }`:                        "",
		`{ type = ["object", "null"], items = { type = "string" } }`:           "",
	} {
		e, diags := hclsyntax.ParseExpression([]byte(`schemaerror({ a = 1 }, `+schema+`)`), "x.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		_, diags = e.Value(ctx)
		if want == "" && diags.HasErrors() || want != "" && !strings.Contains(diags.Error(), want) {
			t.Errorf("%s: %v, want %q", schema, diags, want)
		}
	}
}
