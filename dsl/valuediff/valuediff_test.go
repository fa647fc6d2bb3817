package valuediff

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// value is what an expression comes to.
func value(t *testing.T, expr string) cty.Value {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(expr), "test.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", expr, diags)
	}
	v, _ := e.Value(nil)
	return v
}

// A difference names the place, what is there and what should be; equal values
// have none.
func TestOf(t *testing.T) {
	for _, c := range []struct{ actual, expected, want string }{
		{`[0, 1000]`, `[0, 1000]`, ``},
		{`{ attempts = [{ at_ms = 0 }, { at_ms = 2000 }] }`, `{ attempts = [{ at_ms = 0 }, { at_ms = 1000 }] }`, `.attempts[1].at_ms: 2000, want 1000`},
		{`[1, 2, 3]`, `[1, 5]`, "[1]: 2, want 5\n[2]: 3, want nothing there"},
		{`[1]`, `[1, null]`, `[1]: missing, want null`},
		{`{ a = 1, b = 2 }`, `{ a = 1, c = 3 }`, ".b: 2, want nothing there\n.c: missing, want 3"},
		{`{ "x y" = 1 }`, `{ "x y" = 2 }`, `["x y"]: 1, want 2`},
		{`1`, `"1"`, `1, want "1"`},
		{`null`, `0`, `null, want 0`},
		{`null`, `null`, ``},
		{`[]`, `{}`, `[], want {}`},
		{`true`, `false`, `true, want false`},
		{`"a"`, `"b"`, `"a", want "b"`},
		{`{ t = "one\ntwo\nthree\nfour\nfive\nsix" }`, `{ t = "one\ntwo\nthree\n4\nfive\nsix" }`, ".t: (- actual, + expected)\n    two\n    three\n  - four\n  + 4\n    five\n    six"},
		{`"a\nb\nc"`, `"b\nc\nd"`, "(- actual, + expected)\n  - a\n    b\n    c\n  + d"},
	} {
		a := value(t, c.actual)
		e := value(t, c.expected)
		if got := Of(a, e); got != c.want {
			t.Errorf("Of(%s, %s):\n%s\nwant:\n%s", c.actual, c.expected, got, c.want)
		}
	}
}

// Lists and maps, which a provider's value may still be, compare by content.
func TestDiffOfOtherTypes(t *testing.T) {
	list, tuple := cty.ListVal([]cty.Value{cty.Zero}), cty.TupleVal([]cty.Value{cty.Zero})
	if got := Of(list, tuple); got != "" {
		t.Errorf("a list and a tuple: %s", got)
	}
	if got := Of(cty.UnknownVal(cty.String), cty.StringVal("a")); got != `(not known), want "a"` {
		t.Errorf("an unknown value: %s", got)
	}
}

// Two numbers that differ only beyond the digits of a float64 are written with
// the digits that tell them apart.
func TestDiffOfAlmostEqualNumbers(t *testing.T) {
	third := cty.NumberIntVal(1).Divide(cty.NumberIntVal(3))
	got := Of(third, cty.MustParseNumberVal("0.3333333333333333"))
	if actual, expected, ok := strings.Cut(got, ", want "); !ok || actual == expected {
		t.Errorf("a third and 0.3333333333333333: %q", got)
	}
}

// The difference of secrets is said without showing them.
func TestDiffHidesSecrets(t *testing.T) {
	secret := cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("hunter2")}).Mark("sensitive")
	got := Of(secret, cty.ObjectVal(map[string]cty.Value{"token": cty.StringVal("other")}))
	if got != ".token: (sensitive), want (sensitive)" {
		t.Errorf("%s", got)
	}
}

// Long texts show the place where they part, and many differences are counted.
func TestDiffIsBounded(t *testing.T) {
	same := strings.Repeat("x", 5000)
	got := Of(cty.StringVal(same+"1"+same), cty.StringVal(same+"2"+same))
	if len(got) > 700 || !strings.HasPrefix(got, `after 4,980 equal characters "`+strings.Repeat("x", 20)+"1") {
		t.Errorf("long texts: %s", got)
	}
	many := Of(cty.TupleVal(make200(cty.Zero)), cty.TupleVal(make200(cty.True)))
	if lines := strings.Split(many, "\n"); len(lines) != 51 || lines[50] != "… 150 more differences" {
		t.Errorf("200 differences: %d lines, the last %q", len(lines), lines[len(lines)-1])
	}
	lines := cty.StringVal(strings.Repeat("a\n", 3000))
	other := cty.StringVal(strings.Repeat("b\n", 3000))
	if got := Of(lines, other); !strings.Contains(got, "- a") || !strings.Contains(got, "+ b") {
		t.Errorf("texts of many different lines: %.200s", got)
	}
}

// Of long texts that differ in a word the word is shown with a little of what is
// around it, and how much is equal before and behind: in texts of one line, and in
// one long line of several.
func TestDiffOfOneWord(t *testing.T) {
	const before, behind = "It was a bright cold day in ", ", and the clocks were striking thirteen. "
	long := strings.Repeat("Winston Smith slipped quickly through the glass doors. ", 6) // 330 bytes
	want := `after 8 equal characters " bright cold day in April, and the clocks wer", want " bright cold day in May, and the clocks wer", then 351 equal characters`
	if got := Of(cty.StringVal(before+"April"+behind+long), cty.StringVal(before+"May"+behind+long)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := Of(cty.StringVal("One\n"+before+"April"+behind+long+"\nThree"), cty.StringVal("One\n"+before+"May"+behind+long+"\nThree")); got != "line 2: "+want {
		t.Errorf("got  %s\nwant line 2: %s", got, want)
	}
	if got := Of(cty.StringVal(long), cty.StringVal(long+long)); !strings.HasPrefix(got, `after 310 equal characters "gh the glass doors. ", want "gh the glass doors. Winston`) {
		t.Errorf("got %s", got)
	}
}

func make200(v cty.Value) []cty.Value {
	values := make([]cty.Value, 200)
	for i := range values {
		values[i] = v
	}
	return values
}

// What an expect block gives must match: objects partially at every depth,
// tuples element by element, null only null.
func TestPartial(t *testing.T) {
	actual := `{ status = "failed", error = { kind = "timeout", status_code = null }, attempts = [{ n = 1, at_ms = 0 }, { n = 2, at_ms = 5 }] }`
	for expected, want := range map[string]string{
		`{}`:                                        ``,
		`{ status = "failed" }`:                     ``,
		`{ status = "success" }`:                    `.status: "failed", want "success"`,
		`{ error = { kind = "timeout" } }`:          ``,
		`{ error = { kind = "cancelled" } }`:        `.error.kind: "timeout", want "cancelled"`,
		`{ error = { status_code = null } }`:        ``,
		`{ error = { status_code = 500 } }`:         `.error.status_code: null, want 500`,
		`{ error = null }`:                          `.error: { kind = "timeout", status_code = null }, want null`,
		`{ error = {} }`:                            ``,
		`{ attempts = [{ n = 1 }, { at_ms = 5 }] }`: ``,
		`{ attempts = [{ n = 1 }] }`:                `.attempts[1]: { at_ms = 5, n = 2 }, want nothing there`,
		`{ attempts = [{ n = 1 }, { n = 3 }, {}] }`: ".attempts[1].n: 2, want 3\n.attempts[2]: missing, want {}",
		`{ attempts = 2 }`:                          `.attempts: [{ at_ms = 0, n = 1 }, { at_ms = 5, n = 2 }], want 2`,
		`{ nothing = null }`:                        `.nothing: missing, want null`,
	} {
		a := value(t, actual)
		e := value(t, expected)
		if got := Format(Partial(a, e)); got != want {
			t.Errorf("expect %s:\n%s\nwant:\n%s", expected, got, want)
		}
	}
}
