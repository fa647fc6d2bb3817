package stdlib

import (
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
)

// Shows that numbers which a program of jq reads from a text are numbers.
func TestNumbersOfFromJSON(t *testing.T) {
	got, err := Functions()["jq"].Call([]cty.Value{cty.StringVal(`{"a": [1, 2.5, -3e2]}`), cty.StringVal("fromjson.a")})
	if err != nil {
		t.Fatal(err)
	}
	want := cty.TupleVal([]cty.Value{cty.NumberIntVal(1), cty.NumberFloatVal(2.5), cty.NumberIntVal(-300)})
	if !got.RawEquals(want) {
		t.Errorf("the program gave %#v", got)
	}
	if v, err := Functions()["jq"].Call([]cty.Value{cty.StringVal("1e999999"), cty.StringVal("fromjson")}); err == nil || !strings.Contains(err.Error(), errOutOfRange.Error()) {
		t.Errorf("a number beyond all others is %#v, and the error %v", v, err)
	}
}
