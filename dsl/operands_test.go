package dsl

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

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
			got = append(got, fmt.Sprintf("%s = %s", o.Text, Render(o.Value, 0)))
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", expr, d)
		}
	}
}

// A value is written as in a file, on one line, and reads back as itself; a
// long one says how much is missing.
func TestRender(t *testing.T) {
	for want, v := range map[string]cty.Value{
		`null`: cty.NullVal(cty.String), `true`: cty.True, `0`: cty.Zero, `-1500`: cty.NumberIntVal(-1500),
		`0.1`: cty.NumberFloatVal(0.1), `0.30000000000000004`: cty.NumberFloatVal(0.30000000000000004),
		`1e+300`:                                cty.MustParseNumberVal("1e300"),
		`1000000000000000000000`:                cty.MustParseNumberVal("1e21"),
		`0.3333333333333333`:                    cty.NumberIntVal(1).Divide(cty.NumberIntVal(3)),
		`"a\n\"b\"\\\t$${x}%%{y}\u001b\u0000é"`: cty.StringVal("a\n\"b\"\\\t${x}%{y}\x1b\x00é"),
		`[1, "a", [], {}]`:                      cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal("a"), cty.EmptyTupleVal, cty.EmptyObjectVal}),
		`{ a = 1, "b c" = null }`:               object("b c", cty.NullVal(cty.Bool), "a", cty.NumberIntVal(1)),
		`{ a = (sensitive) }`:                   object("a", cty.StringVal("x").Mark("sensitive")),
		`(not known)`:                           cty.UnknownVal(cty.String),
		`["b"]`:                                 cty.ListVal([]cty.Value{cty.StringVal("b")}),
	} {
		got := Render(v, 0)
		if got != want {
			t.Errorf("Render = %s, want %s", got, want)
		}
		if v.IsWhollyKnown() && !v.ContainsMarked() && !strings.Contains(want, "333") && !v.Type().IsListType() {
			back, diags := parseExpr(t, got).Value(nil)
			if diags.HasErrors() || Render(back, 0) != want {
				t.Errorf("%s reads back as %#v, %v", got, back, diags)
			}
		}
	}
	long := Render(cty.StringVal(strings.Repeat("é", 2100)), 70)
	if want := `"` + strings.Repeat("é", 69) + "… 2,032 more characters"; long != want {
		t.Errorf("Render of a long text = %s, want %s", long, want)
	}
	if got := Render(cty.StringVal("abc"), 5); got != `"abc"` {
		t.Errorf("a text of exactly the limit is cut: %s", got)
	}
}

// Shows that of a large value so much is written as is shown and counted, and that
// what is written of it is the beginning of the whole, wherever it is cut.
func TestRenderLarge(t *testing.T) {
	const shown = 50
	wide := cty.StringVal(strings.Repeat("é", 700))
	element := cty.ObjectVal(map[string]cty.Value{"a b": wide, "c": cty.TupleVal([]cty.Value{cty.True, wide}), "d": cty.EmptyObjectVal})
	for n := range 40 {
		elements := make([]cty.Value, n)
		for i := range elements {
			elements[i] = element
		}
		for _, last := range []string{"", strings.Repeat("ü", 32*n), strings.Repeat("x", countedMax-37), strings.Repeat("x", 3*countedMax)} {
			v := cty.TupleVal(append([]cty.Value{cty.StringVal(last)}, elements...))
			whole := Render(v, 0)
			got, length := Render(v, shown), utf8.RuneCountInString(whole)
			if len(whole) < shown+countedMax {
				if want := Shorten(whole, shown); got != want {
					t.Fatalf("%d elements behind %d bytes: %s, want %s", n, len(last), got, want)
				}
				continue
			}
			var more string
			text, rest, _ := strings.Cut(got, "… more than ")
			more, _, ok := strings.Cut(rest, " more characters")
			missing, err := strconv.Atoi(strings.ReplaceAll(more, ",", ""))
			if !ok || err != nil || text != string([]rune(whole)[:shown]) || missing > length-shown || missing < countedMax/3 {
				t.Fatalf("%d elements behind %d bytes, %d characters: %s", n, len(last), length, got)
			}
		}
	}
	shared := cty.TupleVal([]cty.Value{cty.True})
	for range 60 { // 2^60 elements
		shared = cty.TupleVal([]cty.Value{shared, shared})
	}
	if got := Render(shared, 5); !strings.HasPrefix(got, "[[[[[… more than 6") {
		t.Errorf("a value that holds itself many times: %s", got)
	}
}

// Shows that what hides a value is asked for no element of a list that is not written,
// and for each that is, and that the text is that of the hidden list.
func TestRenderShown(t *testing.T) {
	list := make([]cty.Value, 3000)
	for i := range list {
		list[i] = cty.ObjectVal(map[string]cty.Value{"text": cty.StringVal(strings.Repeat("x", 100)), "n": cty.NumberIntVal(int64(i))})
	}
	asked := 0
	hide := func(v cty.Value) cty.Value {
		asked++
		if v.Type().IsObjectType() {
			return cty.ObjectVal(map[string]cty.Value{"n": v.GetAttr("n"), "text": cty.StringVal("hidden, and what hides it is no part of it")})
		}
		return cty.StringVal("hidden")
	}
	if got := RenderShown(cty.TupleVal(list[:2]), 0, hide); got != `[{ n = 0, text = "hidden, and what hides it is no part of it" }, { n = 1, text = "hidden, and what hides it is no part of it" }]` || asked != 2 {
		t.Errorf("%s, asked %d times", got, asked)
	}
	asked = 0
	if got := RenderShown(cty.TupleVal(list), 30, hide); !strings.HasPrefix(got, `[{ n = 0, text = "hidden, and … more than 65,`) || asked > 1300 {
		t.Errorf("%s, asked %d times", got, asked)
	}
	nested := cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.True, cty.EmptyTupleVal}), cty.StringVal("a")})
	if got := RenderShown(nested, 0, hide); got != `[["hidden", []], "hidden"]` {
		t.Errorf("a list in a list: %s", got)
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
