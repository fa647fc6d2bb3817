package dsl

import (
	"strings"
	"sync"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/tally"
	"github.com/scenario-lang/scenario/stdlib"
)

// Shows that what an expression goes over in a run counts where it leaves nothing of it: the
// turns of each loop, and what a call makes of next to nothing; and that this costs nothing
// where there is little.
func TestWhatLeavesNothingCounts(t *testing.T) {
	list := make([]cty.Value, 100)
	for i := range list {
		list[i] = cty.NumberIntVal(int64(i))
	}
	for _, c := range []struct {
		text        string
		least, most int64
	}{
		{`[for x in l : x if x == -1] == []`, 100 * bytesInRun, 1 << 20},
		{`[for x in l : x if false] == []`, 100 * bytesInRun, 1 << 20},
		{`length({for i, x in l : "${x}" => x if x < 0}) == 0`, 100 * bytesInRun, 1 << 20},
		{`length(o[*].a) == 0`, 100 * bytesInRun, 1 << 20},
		{`alltrue([for x in l : true]) && length([for x in l : x if x == 7]) == 1`, 200 * bytesInRun, 1 << 20},
		{`length(range(1000)) == 1000`, 1000 * bytesInRun, 1 << 20},
		{`length(range(0, 1, 0.001)) == 1000`, 1000 * bytesInRun, 1 << 20},
		{`format("%9000d", 1) == ""`, 9000, 1 << 20},
		{`join("` + strings.Repeat("-", 100) + `", s) == ""`, 9000, 1 << 20},
		{`n > 3`, 0, 200},
		{`length(l) == 100`, 0, 200},
		{`length(range(3)) == 3`, 0, 200},
		{`join(", ", s) == ""`, 0, 1000},
		{`format("%05d", 1) == ""`, 0, 200},
		{`[for x in [1, 2] : x if x > n] == []`, 0, 1000},
	} {
		work := tally.New(1 << 30)
		m := &Meter{value: bytesInRun, many: manyInRun, work: work, copies: &sync.Map{}}
		ctx := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{"n": cty.NumberIntVal(2)}}
		ctx.Variables["l"] = cty.TupleVal(list)
		ctx.Variables["s"] = cty.TupleVal(append([]cty.Value{cty.StringVal("")}, list...))
		ctx.Variables["o"] = cty.TupleVal(repeat(cty.ObjectVal(map[string]cty.Value{"a": cty.Zero}), 100))
		ctx.Variables[meterVar] = cty.CapsuleVal(meterType, m)
		if _, diags := Evaluate(parseExpr(t, c.text), ctx); diags.HasErrors() {
			t.Errorf("%s: %v", c.text, diags)
		}
		if spent := work.Spent(); spent < c.least || spent > c.most {
			t.Errorf("%s: counts %d, not %d to %d", c.text, spent, c.least, c.most)
		}
	}
}

func repeat(v cty.Value, n int) []cty.Value {
	list := make([]cty.Value, n)
	for i := range list {
		list[i] = v
	}
	return list
}
