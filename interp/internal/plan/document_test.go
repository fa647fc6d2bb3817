package plan

import (
	"testing"

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
