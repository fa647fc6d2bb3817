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

// Shows that a string which is read as it stands is what a decoder makes of it,
// and that everything else is left to one.
func TestPlainString(t *testing.T) {
	for text, plain := range map[string]bool{
		`""`: true, `"a b/λ🌈"`: true, `"<&>"`: true, `"\n"`: false, `"a\u0041"`: false, "\"\xff\"": false, `null`: false, `1`: false, `["a"]`: false, ``: false, `"`: false,
	} {
		got, ok := PlainString([]byte(text))
		var want string
		if err := json.Unmarshal([]byte(text), &want); ok != plain || ok && (err != nil || got != want) {
			t.Errorf("%s: got %q, %t, want %q (%v)", text, got, ok, want, err)
		}
	}
}
