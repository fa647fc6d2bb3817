package observe

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// Sessions overlap when each starts before the other ends (V81: sessions that
// follow each other at one instant do not).
func TestV81Overlaps(t *testing.T) {
	for expr, want := range map[string]string{
		`overlaps([])`: "0",
		`overlaps([{started_ms = 0, ended_ms = 30}, {started_ms = 30, ended_ms = 60}, {started_ms = 60, ended_ms = 90}])`: "0",
		`overlaps([{started_ms = 0, ended_ms = 30}, {started_ms = 30, ended_ms = 60}, {started_ms = 1, ended_ms = 31}])`:  "2",
		`overlaps([{started_ms = 0, ended_ms = 9}, {started_ms = 1, ended_ms = 2}, {started_ms = 1, ended_ms = 2}])`:      "3",
		`overlaps([{started_ms = 5, ended_ms = 5}, {started_ms = 0, ended_ms = 9}, {started_ms = 5, ended_ms = 5}])`:      "2",
		`overlaps([{started_ms = null, ended_ms = null}, {started_ms = 0, ended_ms = 9}])`:                                "0",
		`overlaps([{started_ms = 3, ended_ms = null}, {started_ms = 0, ended_ms = 3}, {started_ms = 90, ended_ms = 91}])`: "1",
		`overlaps({})`:                                 "a list of sessions",
		`overlaps([1])`:                                "element 0: it is no object",
		`overlaps([{started_ms = 1}])`:                 "it has no ended_ms",
		`overlaps([{started_ms = 1, ended_ms = "2"}])`: "its ended_ms is no number",
	} {
		e, diags := hclsyntax.ParseExpression([]byte(expr), "test", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		v, diags := e.Value(&hcl.EvalContext{Functions: map[string]function.Function{"overlaps": Query(Overlaps)}})
		switch {
		case diags.HasErrors():
			if !strings.Contains(plan.FirstError(diags), want) {
				t.Errorf("%s: %s, want %s", expr, plan.FirstError(diags), want)
			}
		case v.Type() != cty.Number || v.AsBigFloat().String() != want:
			t.Errorf("%s = %#v, want %s", expr, v, want)
		}
	}
}
