package providers

import (
	"encoding/json"
	"testing"
)

// Shows that an encoder that was used before, also for a value that failed or
// inside of another, leaves no trace in the next text.
func TestAppendJSON(t *testing.T) {
	if got, err := AppendJSON([]byte("x"), map[string]any{"b": "<&>", "a": func() {}}); err == nil || string(got) != "x" {
		t.Errorf("a function: %s, %v", got, err)
	}
	want := `x{"a":{"c":[1,"<&>"]},"b":"\u2028"}`
	if got, err := AppendJSON([]byte("x"), map[string]any{"b": "\u2028", "a": nested{}}); err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
	first, _ := EncodeJSON("first")
	if _, err := EncodeJSON("other"); err != nil || string(first) != `"first"` {
		t.Errorf("the first text is %s now, %v", first, err)
	}
}

type nested struct{}

func (nested) MarshalJSON() ([]byte, error) {
	return EncodeJSON(map[string]json.RawMessage{"c": json.RawMessage(`[1,"<&>"]`)})
}
