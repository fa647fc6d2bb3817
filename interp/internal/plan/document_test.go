package plan

import (
	"encoding/json"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/trace"
)

// A document is canonical JSON in whatever order it was written: members by
// name, what is nil left out, at every level.
func TestDocumentIsCanonical(t *testing.T) {
	d := Document{{Name: "b", Value: 1}, {Name: "a", Value: Document{{Name: "z", Value: nil}, {Name: "y", Value: "text"}, {Name: "x", Value: true}}}, {Name: "nothing", Value: nil}}
	d.Add("aa", []any{Document{{Name: "d", Value: 2}, {Name: "c", Value: nil}}})
	const want = `{"a":{"x":true,"y":"text"},"aa":[{"d":2}],"b":1}`
	if got := string(trace.AppendValue(nil, d)); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// A usage tells the metrics the tokens that its encoding names.
func TestUsageTellsItsTokens(t *testing.T) {
	u := UsageAttr{Usage: providers.Usage{Set: true, Prompt: 3, Completion: 5, Total: 8}}
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
