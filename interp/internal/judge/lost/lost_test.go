package lost_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/judge/lost"
)

// Shows that a member for which a jq program asks is told of where no object has it, and not where it may
// be missing, where the program makes it, and where there are no objects.
func TestMembersThatNothingHas(t *testing.T) {
	orders := cty.ObjectVal(map[string]cty.Value{"orders": cty.TupleVal([]cty.Value{
		cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("o-1"), "state": cty.StringVal("paid")}),
		cty.ObjectVal(map[string]cty.Value{"id": cty.StringVal("o-2"), "note": cty.StringVal("late")}),
	})})
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"x": orders, "flat": cty.TupleVal([]cty.Value{cty.Zero})}}
	for _, c := range []struct{ condition, want string }{
		{`jq(x, "[.orders[] | select(.status == \"failed\")] | length") == 0`, `asks for .status`},
		{`jq(x, "[.orders[] | select(.status == \"failed\")] | length") == 0`, `Did you mean "state"?`},
		{`a && jq(x, ".order | length") == 0`, `asks for .order,`},
		{`jq(x, "[.orders[] | select(.state == \"failed\")] | length") == 0`, ""},
		{`jq(x, "[.orders[] | .note] | length") == 2`, ""},
		{`jq(x, "[.orders[] | .refund?] | length") == 2`, ""},
		{`jq(x, "[.orders[] | .refund // 0] | add") == 0`, ""},
		{`jq(x, "[.orders[] | {key: .id} | .key]") == ["o-1", "o-2"]`, ""},
		{`jq(x, "[.orders[] | has(\"refund\"), .refund]") == []`, ""},
		{`jq(x, "[.orders[].id] | map(select(. == \".status\"))") == []`, ""},
		{`jq(flat, "map(.status?)") == []`, ""},
		{`jq(flat, ".status") == null`, ""},
		{`jq(x, program) == 0`, ""},
		{`[for o in x.orders : jq(o, ".status")] == []`, ""},
	} {
		e, diags := hclsyntax.ParseExpression([]byte(c.condition), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if !lost.Asks(e) {
			t.Errorf("%s is no jq", c.condition)
		}
		if why := lost.Why(e, ctx); c.want == "" && why != "" || !strings.Contains(why, c.want) {
			t.Errorf("%s: said %q, want %q", c.condition, why, c.want)
		}
	}
}
