package stdlib

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
)

// Shows that a part of a template is written as go-cty writes it, at any precision, and that
// what is no number, or not to be written yet, is left to it.
func TestWritten(t *testing.T) {
	minusZero := cty.MustParseNumberVal("-0")
	for _, v := range []cty.Value{
		cty.Zero, minusZero, cty.NumberIntVal(-42), cty.MustParseNumberVal("1000"), cty.MustParseNumberVal("-9223372036854775808"),
		cty.MustParseNumberVal("9223372036854775807"), cty.MustParseNumberVal("9223372036854775808"), cty.MustParseNumberVal("1e20"),
		cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("-1.50"), cty.NumberFloatVal(1e15), cty.NumberIntVal(1).Divide(cty.NumberIntVal(3)),
		cty.StringVal("007"), cty.True,
	} {
		want, err := convert.Convert(v, cty.String)
		if err != nil {
			t.Fatal(err)
		}
		got, err := convert.Convert(Written(v), cty.String)
		if err != nil || !got.RawEquals(want) {
			t.Errorf("%#v: %#v, want %#v", v, got, want)
		}
	}
	for _, v := range []cty.Value{cty.UnknownVal(cty.Number), cty.NullVal(cty.Number), cty.DynamicVal, cty.NumberIntVal(1).Mark("secret"), cty.EmptyTupleVal} {
		if got := Written(v); !got.RawEquals(v) {
			t.Errorf("%#v: %#v", v, got)
		}
	}
	if got := Written(cty.MustParseNumberVal("1000")); got.Type() != cty.String {
		t.Errorf("%#v is left to go-cty", got)
	}
}
