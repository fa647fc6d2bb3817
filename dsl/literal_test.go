package dsl

import "testing"

// Literal knows what stands for itself, with the value that evaluating gives,
// and nothing else.
func TestLiteral(t *testing.T) {
	for expr, want := range map[string]bool{
		`1`: true, `1.5e3`: true, `true`: true, `null`: true, `""`: true, `"a text"`: true, `"a\n\"b\""`: true, `"$${a}"`: true,
		`"${1}"`: false, `"a${1}"`: false, `"${1}a"`: false, `-1`: false, `(1)`: false, `[1]`: false, `{}`: false, `a`: false,
	} {
		e := parseExpr(t, expr)
		got, is := Literal(e)
		if is != want {
			t.Errorf("Literal(%s) says %v, want %v", expr, is, want)
		}
		if !is {
			continue
		}
		if evaluated, diags := e.Value(nil); diags.HasErrors() || !got.RawEquals(evaluated) {
			t.Errorf("Literal(%s) is %#v, evaluated %#v", expr, got, evaluated)
		}
	}
}
