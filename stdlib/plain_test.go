package stdlib

import (
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Whether a value is kept or built anew, Plain gives the same.
func TestPlainKeepsWhatIsPlain(t *testing.T) {
	parts := []cty.Value{
		cty.StringVal("a"), cty.Zero, cty.PositiveInfinity, cty.NullVal(cty.DynamicPseudoType), cty.NullVal(cty.String), cty.UnknownVal(cty.String),
		cty.ListVal([]cty.Value{cty.True}), cty.MapValEmpty(cty.String), cty.SetValEmpty(cty.Bool), cty.MustParseNumberVal("1e400"), cty.True.Mark("secret"),
	}
	values := append([]cty.Value{}, parts...)
	for _, v := range parts {
		values = append(values, cty.TupleVal([]cty.Value{cty.True, v}), cty.ObjectVal(map[string]cty.Value{"a": cty.True, "b": v}))
	}
	for _, v := range values {
		got, err := Plain(v)
		nodes := 0
		want, wantErr := plain(v, &nodes)
		if (err == nil) != (wantErr == nil) || err == nil && !got.RawEquals(want) {
			t.Errorf("%#v became %#v, %v, not %#v, %v", v, got, err, want, wantErr)
		}
	}
}

// Elements are found beyond the places that are kept as numbers, too.
func TestAt(t *testing.T) {
	elems := make([]cty.Value, len(indexes)+2)
	for i := range elems {
		elems[i] = cty.NumberIntVal(int64(i))
	}
	tuple := cty.TupleVal(elems)
	for i := range elems {
		if got := At(tuple, i); !got.RawEquals(elems[i]) {
			t.Errorf("element %d is %#v", i, got)
		}
	}
}
