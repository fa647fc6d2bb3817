package guard_test

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/judge/guard"
	"github.com/scenario-lang/scenario/stdlib"
)

// What is asked of elements by their index shows nothing where that leaves none of them.
func TestLeavesNone(t *testing.T) {
	list := func(ms ...int64) cty.Value {
		var all []cty.Value
		for _, n := range ms {
			all = append(all, cty.NumberIntVal(n))
		}
		return cty.TupleVal(all)
	}
	for _, c := range []struct {
		condition string
		one, two  bool // of lists of so many elements
	}{
		{`alltrue([for i, d in delays : i == 0 || d >= delays[i - 1] * 2])`, true, false},
		{`alltrue([for i, d in delays : d >= delays[i - 1] * 2 || i < 1])`, true, false},
		{`alltrue([for i, d in delays : i == 0 ? true : d > delays[i - 1]])`, true, false},
		{`alltrue([for i, d in delays : i > 0 ? d > delays[i - 1] : true])`, true, false},
		{`alltrue([for i, d in delays : i < 2 || d > delays[i - 1]])`, true, true},
		{`[for i, d in delays : d if i > 0 && d <= delays[i - 1]] == []`, true, false},
		{`0 == length([for i, d in delays : d if i > 0 && d <= delays[i - 1]])`, true, false},
		{`!anytrue([for i, d in delays : d < 0 if i >= 1 && d > 0])`, true, false},

		{`alltrue([for i, d in delays : i == 0 ? d == 1 : d > 1])`, false, false},
		{`alltrue([for i, d in delays : d == pow(2, i)])`, false, false},
		{`alltrue([for i, d in delays : d > 0 || d > delays[i - 1]])`, false, false},
		{`[for i, d in delays : d if i > 0] == []`, false, false}, // that there is one
		{`[for i, d in delays : d if i > 0 && d > 5] == [7]`, false, false},
		{`length([for i, d in delays : d if i > 0 && d > 5]) == 1`, false, false},
		{`alltrue([for d in delays : d > 0])`, false, false},
		{`alltrue([for i, d in none : i == 0 || d > 0])`, false, false}, // 0 of 0 is told by itself
		{`alltrue([for k, d in named : k == "a" || d > 0])`, false, false},
	} {
		e, diags := hclsyntax.ParseExpression([]byte(c.condition), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		for n, want := range map[int]bool{1: c.one, 2: c.two} {
			ctx := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{
				"delays": list([]int64{1, 2}[:n]...), "none": cty.EmptyTupleVal, "named": cty.ObjectVal(map[string]cty.Value{"a": cty.NumberIntVal(1)}),
			}}
			if got := guard.LeavesNone(e, ctx); got != want {
				t.Errorf("%s of %d: %v, want %v", c.condition, n, got, want)
			}
		}
	}
}

// A value that is compared with the default of what finds nothing is compared with itself.
func TestIsItsDefault(t *testing.T) {
	ctx := &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{
		"n": cty.NumberIntVal(2), "local": cty.NumberIntVal(2), "row": cty.ObjectVal(map[string]cty.Value{"retry": cty.NumberIntVal(2)}),
		"of": cty.MapVal(map[string]cty.Value{"retry": cty.NumberIntVal(2)}),
	}}
	for condition, want := range map[string]bool{
		`n == lookup(row, "retries", n)`:  true,
		`lookup(row, "retries", n) == n`:  true,
		`n <= lookup(of, "retries", (n))`: true,
		`n == try(row.retries, n)`:        true,

		`n == lookup(row, "retry", n)`:    false,
		`n == lookup(of, "retry", n)`:     false,
		`n == try(row.retry, n)`:          false,
		`n == lookup(row, "retries", 2)`:  false,
		`2 == try(row.retries, 2)`:        false,
		`local == try(row.x, local)`:      false,
		`n == coalesce(row.retry, n)`:     false,
		`n == 2`:                          false,
		`n + 1 == lookup(row, "x", n)`:    false,
		`n == lookup(row, null, n)`:       false,
		`n == lookup(null, "retries", n)`: false,
	} {
		e, diags := hclsyntax.ParseExpression([]byte(condition), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := guard.IsItsDefault(e, ctx); got != want {
			t.Errorf("%s: %v, want %v", condition, got, want)
		}
	}
}
