package render

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A value is written as in a file, on one line, and reads back as itself; a
// long one says how much is missing.
func TestValue(t *testing.T) {
	for want, v := range map[string]cty.Value{
		`null`: cty.NullVal(cty.String), `true`: cty.True, `0`: cty.Zero, `-1500`: cty.NumberIntVal(-1500),
		`0.1`: cty.NumberFloatVal(0.1), `0.30000000000000004`: cty.NumberFloatVal(0.30000000000000004),
		`1e+300`:                                cty.MustParseNumberVal("1e300"),
		`1000000000000000000000`:                cty.MustParseNumberVal("1e21"),
		`0.3333333333333333`:                    cty.NumberIntVal(1).Divide(cty.NumberIntVal(3)),
		`"a\n\"b\"\\\t$${x}%%{y}\u001b\u0000é"`: cty.StringVal("a\n\"b\"\\\t${x}%{y}\x1b\x00é"),
		`[1, "a", [], {}]`:                      cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.StringVal("a"), cty.EmptyTupleVal, cty.EmptyObjectVal}),
		`{ a = 1, "b c" = null }`:               cty.ObjectVal(map[string]cty.Value{"b c": cty.NullVal(cty.Bool), "a": cty.NumberIntVal(1)}),
		`{ a = (sensitive) }`:                   cty.ObjectVal(map[string]cty.Value{"a": cty.StringVal("x").Mark("sensitive")}),
		`(not known)`:                           cty.UnknownVal(cty.String),
		`["b"]`:                                 cty.ListVal([]cty.Value{cty.StringVal("b")}),
	} {
		got := Value(v, 0)
		if got != want {
			t.Errorf("Value = %s, want %s", got, want)
		}
		if v.IsWhollyKnown() && !v.ContainsMarked() && !strings.Contains(want, "333") && !v.Type().IsListType() {
			e, diags := hclsyntax.ParseExpression([]byte(got), "", hcl.InitialPos)
			if diags.HasErrors() {
				t.Fatal(diags)
			}
			back, diags := e.Value(nil)
			if diags.HasErrors() || Value(back, 0) != want {
				t.Errorf("%s reads back as %#v, %v", got, back, diags)
			}
		}
	}
	long := Value(cty.StringVal(strings.Repeat("é", 2100)), 70)
	if want := `"` + strings.Repeat("é", 69) + "… 2,032 more characters"; long != want {
		t.Errorf("Value of a long text = %s, want %s", long, want)
	}
	if got := Value(cty.StringVal("abc"), 5); got != `"abc"` {
		t.Errorf("a text of exactly the limit is cut: %s", got)
	}
}

// Shows that of a large value so much is written as is shown and counted, and that
// what is written of it is the beginning of the whole, wherever it is cut.
func TestValueLarge(t *testing.T) {
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
			whole := Value(v, 0)
			got, length := Value(v, shown), utf8.RuneCountInString(whole)
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
	if got := Value(shared, 5); !strings.HasPrefix(got, "[[[[[… more than 6") {
		t.Errorf("a value that holds itself many times: %s", got)
	}
}

// Shows that what hides a value is asked for no element of a list that is not written,
// and for each that is, and that the text is that of the hidden list.
func TestShown(t *testing.T) {
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
	if got := Shown(cty.TupleVal(list[:2]), 0, hide); got != `[{ n = 0, text = "hidden, and what hides it is no part of it" }, { n = 1, text = "hidden, and what hides it is no part of it" }]` || asked != 2 {
		t.Errorf("%s, asked %d times", got, asked)
	}
	asked = 0
	if got := Shown(cty.TupleVal(list), 30, hide); !strings.HasPrefix(got, `[{ n = 0, text = "hidden, and … more than 65,`) || asked > 1300 {
		t.Errorf("%s, asked %d times", got, asked)
	}
	nested := cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.True, cty.EmptyTupleVal}), cty.StringVal("a")})
	if got := Shown(nested, 0, hide); got != `[["hidden", []], "hidden"]` {
		t.Errorf("a list in a list: %s", got)
	}
}
