package read

import (
	"testing"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// The normal form is what a value becomes when it is sent and read again, the
// precision of its numbers included.
func TestNormalise(t *testing.T) {
	parts := []cty.Value{
		cty.StringVal("a"), cty.True, cty.NumberFloatVal(0.1), cty.NumberIntVal(7), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("9007199254740993"),
		cty.MustParseNumberVal("1e400"), cty.PositiveInfinity, cty.NullVal(cty.String), Null, cty.ListVal([]cty.Value{cty.True}), cty.ListValEmpty(cty.String),
		cty.MapVal(map[string]cty.Value{"k": cty.StringVal("v")}), cty.SetVal([]cty.Value{cty.StringVal("z"), cty.StringVal("b")}), cty.EmptyTupleVal, cty.EmptyObjectVal, cty.StringVal("m").Mark("secret"),
	}
	values := append([]cty.Value{}, parts...)
	for i, a := range parts {
		b := parts[(i+5)%len(parts)]
		values = append(values, cty.TupleVal([]cty.Value{cty.False, a, b}), cty.ObjectVal(map[string]cty.Value{"x": a, "y": cty.TupleVal([]cty.Value{b})}))
	}
	for _, v := range values {
		got, want := Normalise(v), dsl.CtyValue(dsl.GoValue(v))
		if !got.RawEquals(want) {
			t.Errorf("%#v became %#v, not %#v", v, got, want)
		}
		if want.Type() == cty.Number && !want.IsNull() && got.AsBigFloat().Prec() != want.AsBigFloat().Prec() {
			t.Errorf("%#v has the precision %d, not %d", v, got.AsBigFloat().Prec(), want.AsBigFloat().Prec())
		}
	}
	for _, v := range []cty.Value{cty.DynamicVal, cty.TupleVal([]cty.Value{cty.ListVal([]cty.Value{cty.UnknownVal(cty.String)})})} {
		if got := Normalise(v); !got.RawEquals(v) {
			t.Errorf("%#v, which is not known, became %#v", v, got)
		}
	}
}
