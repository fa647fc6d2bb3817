package dsl

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// A conditional makes lists and typed nulls of tuples whose types differ; they
// equal what is written out all the same, and nothing else.
func TestStrictConditional(t *testing.T) {
	for source, want := range map[string]bool{
		`(true ? ["a", null] : ["b", "c"]) == ["a", null]`:     true,
		`(false ? ["a", null] : ["b", "c"]) == ["b", "c"]`:     true,
		`(true ? ["a", null] : ["b", "c"]) == ["a", "c"]`:      false,
		`(true ? ["a", null] : ["b", "c"]) != ["a", null]`:     false,
		`(true ? [] : ["b"]) == []`:                            true,
		`(true ? { a = null } : { a = "x" }) == { a = null }`:  true,
		`(true ? [["a"], []] : [["b"], ["c"]]) == [["a"], []]`: true,
		`[(true ? null : "x"), 1] == [null, 1]`:                true,
	} {
		e, diags := hclsyntax.ParseExpression([]byte(source), "", hcl.InitialPos)
		Strict(e)
		v, more := e.Value(nil)
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatalf("%s: %v", source, diags)
		}
		if got := v.True(); got != want {
			t.Errorf("%s is %v", source, got)
		}
	}
}
