package dsl

import "testing"

// A number that no float64 can hold is refused where it is written, because
// writing it out could take for ever; one that is a text or a name is none.
func TestAbsurdNumbers(t *testing.T) {
	for number, wrong := range map[string]bool{
		"1e99999999": true, "1e-99999999": true, "1E+400": true, "1.5e309": true, "[{ a = 2e1000 }]": true, "1e2000000000": true,
		"1e308": false, "1e-307": false, "0e999": false, "\"1e99999999\"": false, "local.b1e999": false, "1e9": false,
	} {
		_, diags := Parse("n.scenario.hcl", []byte("locals {\n  a = "+number+"\n}\n"))
		if got := diags.HasErrors(); got != wrong {
			t.Errorf("%s: refused: %v, want %v (%v)", number, got, wrong, diags)
		}
		if wrong && diags[0].Summary != "Number out of range" {
			t.Errorf("%s: %v", number, diags)
		}
	}
}

// Shows that a number whose exponent no number of the language can have, which
// the parser refuses and knows no value of, is one error and no panic.
func TestNumberWithoutValue(t *testing.T) {
	for _, number := range []string{"1e99999999999", "[1e100, 1.5.5]"} {
		_, diags := Parse("n.scenario.hcl", []byte("locals {\n  a = "+number+"\n}\n"))
		if len(diags) != 1 || diags[0].Summary != "Invalid number literal" {
			t.Errorf("%s: %v", number, diags)
		}
	}
}
