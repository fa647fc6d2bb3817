package dsl

import (
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
)

// A conditional makes lists and typed nulls of tuples whose types differ; they
// equal what is written out all the same, and nothing else.
func TestStrictConditional(t *testing.T) {
	for source, want := range map[string]bool{
		`(true ? ["a", null] : ["b", "c"]) == ["a", null]`:     true,
		`(false ? ["a", null] : ["b", "c"]) == ["b", "c"]`:     true,
		`(true ? ["a", null] : ["b", "c"]) == ["a", "c"]`:      false,
		`(true ? ["a", null] : ["b", "c"]) != ["a", null]`:     false,
		`(true ? [] : ["b"]) == []`:                            true,
		`(true ? { a = null } : { a = "x" }) == { a = null }`:  true,
		`(true ? [["a"], []] : [["b"], ["c"]]) == [["a"], []]`: true,
		`[(true ? null : "x"), 1] == [null, 1]`:                true,
	} {
		e, diags := hclsyntax.ParseExpression([]byte(source), "", hcl.InitialPos)
		Strict(e)
		v, more := e.Value(nil)
		if diags = append(diags, more...); diags.HasErrors() {
			t.Fatalf("%s: %v", source, diags)
		}
		if got := v.True(); got != want {
			t.Errorf("%s is %v", source, got)
		}
	}
}

// What == answers without the rules of go-cty is what these answer: any two
// values that a file can write are equal where they are there.
func TestStrictEqualsAsCty(t *testing.T) {
	values := []cty.Value{
		cty.StringVal(""), cty.StringVal("a"), cty.StringVal("b"), cty.True, cty.False, cty.Zero, cty.NumberIntVal(1), cty.NumberFloatVal(1),
		cty.NumberFloatVal(0.1), cty.MustParseNumberVal("0.1"), cty.MustParseNumberVal("9007199254740993"), cty.PositiveInfinity, cty.NegativeInfinity,
		cty.NullVal(cty.DynamicPseudoType), cty.NullVal(cty.String),
	}
	for _, v := range values[:9] {
		values = append(values, cty.TupleVal([]cty.Value{v}), cty.TupleVal([]cty.Value{v, cty.StringVal("a")}), cty.ObjectVal(map[string]cty.Value{"a": v}))
	}
	values = append(values, cty.EmptyTupleVal, cty.EmptyObjectVal, cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.True})}), cty.TupleVal([]cty.Value{cty.TupleVal([]cty.Value{cty.False})}))
	sure := 0
	for _, a := range values {
		for _, b := range values {
			equal, ok := simplyEqual(a, b)
			if !ok {
				continue
			}
			sure++
			if want := a.Equals(b); want.IsKnown() && equal != want.True() {
				t.Errorf("%#v == %#v is %v", a, b, equal)
			}
		}
	}
	if sure < 70 {
		t.Errorf("only %d pairs were compared", sure)
	}
}

// What is different is so whatever the unknown turns out to be, and only then.
func TestDifferDespiteTheUnknown(t *testing.T) {
	one, two, open := cty.NumberIntVal(1), cty.NumberIntVal(2), cty.DynamicVal
	tuple := func(list ...cty.Value) cty.Value { return cty.TupleVal(list) }
	for _, c := range []struct {
		a, b cty.Value
		want bool
	}{
		{tuple(open, one), tuple(one, one), false},
		{tuple(open, one), tuple(one, two), true},
		{tuple(one, open), tuple(two, open), true},
		{tuple(open), tuple(one, one), true},
		{tuple(tuple(open, one), open), tuple(tuple(two, two), one), true},
		{tuple(tuple(open, one), open), tuple(tuple(two, one), one), false},
		{tuple(open, cty.NullVal(cty.String)), tuple(one, one), true},
		{tuple(open, cty.NullVal(cty.String)), tuple(one, cty.NullVal(cty.Number)), false},
		{open, one, false},
		{open, open, false},
	} {
		for _, sides := range [][2]cty.Value{{c.a, c.b}, {c.b, c.a}} {
			got, err := strictEqual.Impl.Call(sides[:])
			if err != nil {
				t.Fatal(err)
			}
			if different := got.IsKnown() && got.False(); different != c.want {
				t.Errorf("%#v and %#v differ: %v, want %v", sides[0], sides[1], different, c.want)
			}
			if got.IsKnown() && got.True() {
				t.Errorf("%#v equals %#v", sides[0], sides[1])
			}
		}
	}
}
