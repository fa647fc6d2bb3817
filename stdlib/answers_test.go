package stdlib

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/zclconf/go-cty/cty"
	ctystdlib "github.com/zclconf/go-cty/cty/function/stdlib"
)

// editDistance is the textbook's recurrence (Wagner and Fischer 1974), in full.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range a {
		above := row[0]
		row[0] = i + 1
		for j := range b {
			change := above
			if a[i] != b[j] {
				change++
			}
			above, row[j+1] = row[j+1], min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Shows that similarity is 1 less the edit distance in characters as a share of the
// longer text, whatever the texts are, the same either way round.
func TestSimilarityIsTheEditDistance(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		var b strings.Builder
		for range random.IntN(40) {
			b.WriteRune([]rune("abcäß日 ")[random.IntN(7)])
		}
		return b.String()
	}
	for range 2000 {
		a, b := word(), word()
		got, err := similarity([]cty.Value{cty.StringVal(a), cty.StringVal(b)})
		if err != nil {
			t.Fatal(err)
		}
		n, _ := got.AsBigFloat().Float64()
		want := 1.0
		if longer := max(len([]rune(a)), len([]rune(b))); longer > 0 {
			want = 1 - float64(editDistance([]rune(a), []rune(b)))/float64(longer)
		}
		if math.Abs(n-want) > 1e-12 {
			t.Errorf("%q and %q: %v, want %v", a, b, n, want)
		}
		back, _ := similarity([]cty.Value{cty.StringVal(b), cty.StringVal(a)})
		if !back.RawEquals(got) {
			t.Errorf("%q and %q: %v the other way round", a, b, back.AsBigFloat())
		}
	}
	long := cty.StringVal(strings.Repeat("a", maxCompared+1))
	if _, err := similarity([]cty.Value{cty.StringVal(""), long}); err == nil {
		t.Error("a text of any length is compared")
	}
}

// Shows that values are held to a schema with its keywords, that a schema is an
// object or text, and that none which is wrong or refers to elsewhere holds.
func TestSchemaErrors(t *testing.T) {
	for _, c := range []struct{ value, schema, want string }{
		{`{"a":1}`, `{"type":"object","required":["a"],"properties":{"a":{"type":"integer"}}}`, ""},
		{`{"a":1.5}`, `{"properties":{"a":{"type":"integer"}}}`, "type"},
		{`{"b":1}`, `{"additionalProperties":false}`, "additional"},
		{`["x"]`, `{"items":{"enum":["x","y"]}}`, ""},
		{`["z"]`, `{"items":{"enum":["x","y"]}}`, "enum"},
		{`"2024"`, `{"pattern":"^[0-9]{4}$"}`, ""},
		{`"24"`, `{"pattern":"^[0-9]{4}$"}`, "pattern"},
		{`null`, `{"type":"string"}`, "type"},
		{`1`, `{"type":7}`, "is no JSON schema"},
		{`1`, `{"$ref":"https://example.test/schema.json"}`, "is no JSON schema"},
		{`1`, `[]`, "is no JSON schema"},
		{`{"a":{"c":"x"}}`, `{"$defs":{"A":{"properties":{"c":{"$ref":"#/$defs/C"}}},"C":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/A"}}}`, "type"},
		{`{"a":{"c":3}}`, `{"$defs":{"A":{"properties":{"c":{"$ref":"#/$defs/C"}}},"C":{"type":"integer"}},"properties":{"a":{"$ref":"#/$defs/A","required":["c"]}}}`, ""},
		{`{"a":{}}`, `{"$defs":{"A":{"type":"object"}},"properties":{"a":{"$ref":"#/$defs/A","required":["c"],"allOf":[true]}}}`, "required"},
		{`1`, `{"$ref":"#"}`, "does it refer to itself?"},
		{`1`, `{"$ref":"#/$defs/none"}`, "nowhere in the schema"},
		{`1`, `{"$dynamicRef":"#x"}`, "is not followed"},
	} {
		value, err := ctystdlib.JSONDecode(cty.StringVal(c.value))
		if err != nil {
			t.Fatal(err)
		}
		got, err := schemaError([]cty.Value{value, cty.StringVal(c.schema)})
		said := ""
		if err != nil {
			said = err.Error()
		} else if !got.IsNull() {
			said = got.AsString()
		}
		if (c.want == "") != (said == "") || !strings.Contains(said, c.want) {
			t.Errorf("%s by %s: %q, want %q", c.value, c.schema, said, c.want)
		}
	}
}

// Shows that a schema whose references double at each step is refused, and held to
// nothing: it would take for ever.
func TestSchemaThatDoublesIsRefused(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/$defs/s0","$defs":{`)
	for i := range 14 {
		fmt.Fprintf(&b, `"s%d":{"anyOf":[{"$ref":"#/$defs/s%d"},{"$ref":"#/$defs/s%[2]d"}]},`, i, i+1)
	}
	b.WriteString(`"s14":{"type":"string"}}}`)
	if _, err := schemaError([]cty.Value{cty.NumberIntVal(1), cty.StringVal(b.String())}); err == nil || !strings.Contains(err.Error(), "parts") {
		t.Errorf("%v", err)
	}
}
