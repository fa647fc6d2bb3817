package mistakes

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"
)

// awkward is JSON whose numbers, names and strings are not written in a file as they are.
const awkward = `{"n": 12345678901234567890, "f": 0.1, "my key": "a\u0007\"b\"\\", "t": "costs ${5} and %{6}", "h": "<é>"}`

// Shows that JSON which a message writes as a value of a file has the same value there.
func TestJSONIsTheSameValue(t *testing.T) {
	implied, err := ctyjson.ImpliedType([]byte(awkward))
	if err != nil {
		t.Fatal(err)
	}
	want, err := ctyjson.Unmarshal([]byte(awkward), implied)
	if err != nil {
		t.Fatal(err)
	}
	e, diags := hclsyntax.ParseExpression([]byte(AsObject(awkward)), "x", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(AsObject(awkward), diags)
	}
	if got, diags := e.Value(nil); diags.HasErrors() || !got.RawEquals(want) {
		t.Errorf("%s is %#v, want %#v: %v", AsObject(awkward), got, want, diags)
	}
}

// Shows that a file of JSON is shown as one of variables that has its values, and that one
// with a name that no variable has is not.
func TestFileOfJSON(t *testing.T) {
	_, lines, found := strings.Cut(asFileOfJSON([]byte(`{"n": 12345678901234567890, "t": "costs ${5}"}`)), "write\n")
	if want := "  n = 12345678901234567890\n  t = \"costs $${5}\""; !found || lines != want {
		t.Errorf("%s, want %s", lines, want)
	}
	if said := asFileOfJSON([]byte(awkward)); strings.Contains(said, "my key") || !strings.HasPrefix(said, "This file is JSON.") {
		t.Error(said)
	}
}

// Shows that the elements of a list of YAML keep their values as those of a list here.
func TestItemsAreTheSameValues(t *testing.T) {
	list := items("- plain words\n- ${HOME}/a\n- 5\n")
	e, diags := hclsyntax.ParseExpression([]byte(list), "x", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(list, diags)
	}
	want := cty.TupleVal([]cty.Value{cty.StringVal("plain words"), cty.StringVal("${HOME}/a"), cty.NumberIntVal(5)})
	if got, _ := e.Value(nil); !got.RawEquals(want) {
		t.Errorf("%s is %#v", list, got)
	}
}
