package dsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl/render"
	"github.com/scenario-lang/scenario/stdlib"
)

func numbers(all ...int64) cty.Value {
	values := make([]cty.Value, len(all))
	for i, n := range all {
		values[i] = cty.NumberIntVal(n)
	}
	return cty.TupleVal(values)
}

func object(attrs ...any) cty.Value {
	m := map[string]cty.Value{}
	for i := 0; i < len(attrs); i += 2 {
		m[attrs[i].(string)] = attrs[i+1].(cty.Value)
	}
	return cty.ObjectVal(m)
}

func runContext() *hcl.EvalContext {
	attempts := cty.TupleVal([]cty.Value{object("at_ms", cty.Zero, "n", cty.NumberIntVal(1)), object("at_ms", cty.NumberIntVal(1000), "n", cty.NumberIntVal(2))})
	answer := object("status", cty.StringVal("failed"), "attempts", attempts, "error", cty.NullVal(cty.DynamicPseudoType))
	return &hcl.EvalContext{
		Functions: stdlib.Functions(),
		Variables: map[string]cty.Value{
			"step": object("answer", answer),
			"var":  object("i", cty.NumberIntVal(1), "token", cty.StringVal("x").Mark("sensitive"), "limits", numbers(3, 4)),
		},
	}
}

// A failing condition lists what it is made of: references, calls with their
// own operands, for expressions with their collections, in the order of the
// source and each once; no literals, nothing that has a value only inside a for
// expression, and only the branch that was taken.
func TestOperands(t *testing.T) {
	const attempts = `step.answer.attempts = [{ at_ms = 0, n = 1 }, { at_ms = 1000, n = 2 }]`
	for expr, want := range map[string][]string{
		`step.answer.status == "success"`:                  {`step.answer.status = "failed"`},
		`1 == 2`:                                           nil,
		`step.answer.error.kind == "x"`:                    {`step.answer.error.kind fails: step.answer.error is null, and has no attribute "kind".`},
		`length(step.answer.attempts) == 2`:                {`length(step.answer.attempts) = 2`, attempts},
		`[for a in step.answer.attempts : a.at_ms] == [0]`: {`[for a in step.answer.attempts : a.at_ms] = [0, 1000]`, attempts},
		"[for k, a in step.answer.attempts :\n  max(a.n, k, var.i) if a.n > var.limits[0]\n] == []": {
			`[for k, a in step.answer.attempts : max(a.n, k, var.i) if a.n > var.limits[0]] = []`, attempts, `var.i = 1`, `var.limits[0] = 3`,
		},
		`step.answer.attempts[*].n == [1]`:                       {`step.answer.attempts[*].n = [1, 2]`},
		`step.answer.attempts[var.i].n == 1`:                     {`step.answer.attempts[var.i].n = 2`, `step.answer.attempts[var.i] = { at_ms = 1000, n = 2 }`, `var.i = 1`},
		`step.answer.status == "a" || step.answer.status == "b"`: {`step.answer.status = "failed"`},
		`(step.answer.status) == "${var.i}x"`:                    {`step.answer.status = "failed"`, `var.i = 1`},
		`var.i == 1 ? step.answer.status == "a" : var.nope`:      {`var.i = 1`, `step.answer.status = "failed"`},
		`try(step.answer.error.kind, "none") == "x"`:             {`try(step.answer.error.kind, "none") = "none"`},
		`var.token == "y"`:                                       {`var.token = (sensitive)`},
		`!contains(["a  b"], var.i)`:                             {`var.i = 1`},
		"max(\n  var.i, # why\n  2,\n) == 3":                     {`max(var.i, 2,) = 2`, `var.i = 1`},
		`{ (var.i) = 1, b = var.limits }`:                        {`var.i = 1`, `var.limits = [3, 4]`},
		`"%{ for a in var.limits }${a}%{ endfor }" == ""`:        {`var.limits = [3, 4]`},
		`[for a in var.limits : [for a in a : a]]`:               {`[for a in var.limits : [for a in a : a]] fails: A value of type number cannot be used as the collection in a 'for' expression.`, `var.limits = [3, 4]`},
	} {
		src := "x = " + expr
		e, diags := hclsyntax.ParseExpression([]byte(src)[4:], "test.hcl", hcl.Pos{Line: 1, Column: 5, Byte: 4})
		if diags.HasErrors() {
			t.Fatalf("%s: %s", expr, diags)
		}
		var got []string
		for _, o := range Operands(e, runContext(), []byte(src), nil) {
			if o.Err != "" {
				got = append(got, fmt.Sprintf("%s fails: %s", o.Text, o.Err))
				continue
			}
			got = append(got, fmt.Sprintf("%s = %s", o.Text, render.Value(o.Value, 0)))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", expr, d)
		}
	}
}

// Shows that after an evaluation that took too much only references have values: what is
// computed would take as much again.
func TestOperandsOfTooMuch(t *testing.T) {
	const src = `length([for a in var.many : a if length([for b in var.many : b if b == var.n]) > 1]) == length(var.few) && alltrue([for a in var.many : a == length(var.many)])`
	many := make([]int64, 4096)
	ctx := &hcl.EvalContext{Variables: map[string]cty.Value{"var": object("n", cty.Zero, "few", numbers(1, 2, 3), "many", numbers(many...))}, Functions: stdlib.Functions()}
	NewMeter(t.Context()).Running().Install(ctx)
	e := parseExpr(t, src)
	_, diags := Evaluate(e, ctx)
	if !isTooMuch(diags) {
		t.Fatal(diags)
	}
	var texts []string
	for _, o := range Operands(e, ctx, []byte(src), diags) {
		texts = append(texts, o.Text+o.Err)
	}
	if got := strings.Join(texts, " "); got != "var.many var.n var.few" {
		t.Errorf("after too much there are %s", got)
	}
	first := Operands(e, ctx, []byte(src), nil)
	if len(first) != 4 || first[0].Err == "" || first[3].Text != "var.few" {
		t.Errorf("without it there are %v", first)
	}
}
