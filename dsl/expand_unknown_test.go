package dsl

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/schema"
)

// A value that is not known before the run generates nothing and is complained
// about, once: not again where its source was.
func TestUnknownValues(t *testing.T) {
	file, diags := Parse("unknown.scenario.hcl", []byte("locals {\n  a = [var.names]\n}\n"))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	expr := file.Body.First("locals").Attr("a").Expr
	for _, reported := range []bool{false, true} {
		x := &Expander{
			Ctx:      &hcl.EvalContext{Variables: map[string]cty.Value{"var": cty.ObjectVal(map[string]cty.Value{"names": cty.DynamicVal})}},
			Env:      &Env{Roots: map[string]*schema.Shape{"var": schema.OpenObject()}},
			Reported: reported,
		}
		_, ok := x.Value(expr, nil, "a matrix")
		want := "unknown.scenario.hcl:2,7-18: Value that is not known; What a matrix gives must be known before the run."
		if reported {
			want = "no diagnostics"
		}
		if got := x.Diags.Error(); ok || got != want {
			t.Errorf("reported %v: got %v, %s; want %s", reported, ok, got, want)
		}
	}
}
