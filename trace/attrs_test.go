package trace

import (
	"strings"
	"testing"
	"time"
)

// The keys no attribute may have are the keys that the encoder writes.
func TestFixedKeys(t *testing.T) {
	full := Event{Seq: 1, At: 1, Type: "t", Step: "s", Call: "c", Actor: "a", Attempt: 1, Round: 1, Turn: 1, Iteration: 1, Target: "t"}
	for _, key := range fixedKeys {
		if !strings.Contains(string(full.AppendJSON(nil)), `"`+key+`":`) {
			t.Errorf("%s is not encoded", key)
		}
	}
	if n := strings.Count(string(full.AppendJSON(nil)), `":`); n != len(fixedKeys) {
		t.Errorf("%d keys are encoded, %d are known", n, len(fixedKeys))
	}
}

// Check finds each way in which an event can be wrong, and nothing in a right
// one.
func TestCheck(t *testing.T) {
	info := TypeInfo{Type: Gate, Attrs: []AttrInfo{
		{"complete", "bool", ""},
		{"cost_usd", "number", ""},
		{"delay_ns", "duration", ""},
		{"gate", "string", ""},
		{"headers", "object", ""},
		{"kind", "string", ""},
		{"line", "int", ""},
		{"message", "string", ""},
	}}
	right := Event{Type: Gate, Payload: Attrs{
		{"complete", true},
		{"cost_usd", 1},
		{"delay_ns", time.Second},
		{"headers", map[string]string{}},
		{"kind", word("timeout")},
		{"line", int64(200)},
		{"message", nil},
	}}
	if err := info.Check(right); err != nil {
		t.Error(err)
	}
	for want, p := range map[string]Payload{
		`"colour" is not decl`:  Attrs{{"colour", "red"}},
		`is a string, declared`: Attrs{{"line", "12"}},
		`declared as duration`:  Attrs{{"delay_ns", int64(5)}},
		`declared as int`:       Attrs{{"line", time.Second}},
		`out of order`:          Attrs{{"line", 1}, {"gate", "x"}},
		`double`:                Attrs{{"gate", "x"}, {"gate", "y"}},
		`the payload of "sky"`:  &weather{},
	} {
		if err := info.Check(Event{Type: Gate, Payload: p}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
