package stdlib

import (
	"fmt"
	"testing"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// Shows that no function takes a list, a map or a set as such: to make one of a
// tuple HCL holds the types of all elements against each other, and a list of a
// hundred thousand is a minute's work.
func TestNoFunctionTakesAList(t *testing.T) {
	for _, f := range List() {
		params := f.impl.Params()
		if rest := f.impl.VarParam(); rest != nil {
			params = append(params, *rest)
		}
		for _, p := range params {
			if p.Type.IsCollectionType() {
				t.Errorf("%s takes %s as a %s: wrap it in ofTexts", f.Name, p.Name, p.Type.FriendlyName())
			}
		}
	}
}

// Shows that lists of strings are taken as HCL would take them: with numbers among
// them, unknown, empty, and refused with the same words.
func TestTextsOfALists(t *testing.T) {
	text, number := cty.StringVal("a"), cty.NumberIntVal(1)
	for _, c := range []struct {
		list cty.Value
		want string
	}{
		{cty.TupleVal([]cty.Value{text, number, cty.True}), "a-1-true"},
		{cty.EmptyTupleVal, ""},
		{cty.ListVal([]cty.Value{text, text}), "a-a"},
		{cty.TupleVal([]cty.Value{text, cty.EmptyObjectVal}), "element 1: string required, but have object"},
		{cty.TupleVal([]cty.Value{text, cty.NullVal(cty.String)}), "element 1 is null; cannot concatenate null values"},
		{number, "list of string required, but have number"},
		{cty.TupleVal([]cty.Value{text, cty.UnknownVal(cty.String)}), "unknown"},
		{cty.TupleVal([]cty.Value{text, number}).Mark("secret"), "a-1 marked"},
	} {
		v, err := joinOf(cty.StringVal("-"), c.list)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case !v.IsKnown():
			got = "unknown"
		default:
			bare, marks := v.Unmark()
			got = bare.AsString()
			if len(marks) > 0 {
				got += " marked"
			}
		}
		if got != c.want {
			t.Errorf("%#v: %s, want %s", c.list, got, c.want)
		}
	}
}

func joinOf(args ...cty.Value) (cty.Value, error) {
	for _, f := range List() {
		if f.Name == "join" {
			return f.impl.Call(args)
		}
	}
	return cty.NilVal, fmt.Errorf("there is no join: %w", function.NewArgErrorf(0, "none"))
}
