package interp

import (
	"encoding/json"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// A document is canonical JSON in whatever order it was written: members by
// name, what is nil left out, at every level.
func TestDocumentIsCanonical(t *testing.T) {
	d := document{{"b", 1}, {"a", document{{"z", nil}, {"y", "text"}, {"x", true}}}, {"nothing", nil}}
	d.add("aa", []any{document{{"d", 2}, {"c", nil}}})
	const want = `{"a":{"x":true,"y":"text"},"aa":[{"d":2}],"b":1}`
	if got := string(trace.AppendValue(nil, d)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A plan is the bytes that reading it and writing it again through maps gives.
func TestPlanIsCanonical(t *testing.T) {
	for _, p := range compileFile(t, typicalFile) {
		var v any
		if err := json.Unmarshal(p.JSON(), &v); err != nil {
			t.Fatal(err)
		}
		if again := trace.AppendValue(nil, v); string(again) != string(p.JSON()) {
			t.Errorf("got  %s\nwant %s", p.JSON(), again)
		}
	}
}

// A usage tells the metrics the tokens that its encoding names.
func TestUsageTellsItsTokens(t *testing.T) {
	u := usageAttr{providers.Usage{Set: true, Prompt: 3, Completion: 5, Total: 8}}
	var named struct {
		In  int64 `json:"prompt_tokens"`
		Out int64 `json:"completion_tokens"`
	}
	if err := json.Unmarshal(u.AppendJSON(nil), &named); err != nil {
		t.Fatal(err)
	}
	if in, out := u.Tokens(); in != named.In || out != named.Out || in != 3 {
		t.Errorf("tells %d and %d, encodes %d and %d", in, out, named.In, named.Out)
	}
}
