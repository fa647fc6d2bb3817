package trace

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// specTypes is the list of semantics.md §13.
const specTypes = `run_start step_start attempt_start fault attempt_end rejection retry_wait
fallback breaker timeout failure lock_wait lock unlock pool session_start session_end route
registry step_end gate run_end`

// ownTypes are those that are there besides, each behind which.
var ownTypes = map[string]string{"message": "attempt_end", "case_start": "step_end", "case_end": "case_start"}

// The schema describes the types of §13 in their order.
func TestSchemaTypes(t *testing.T) {
	var got []string
	for i, info := range Schema() {
		if after, own := ownTypes[string(info.Type)]; own && string(Schema()[i-1].Type) == after {
			continue
		}
		got = append(got, string(info.Type))
	}
	if diff := cmp.Diff(strings.Fields(specTypes), got); diff != "" {
		t.Error(diff)
	}
}

// Every attribute has a sentence and a known type, stands once, and takes no
// key of the event's own fields.
func TestSchemaAttrs(t *testing.T) {
	types := []string{"string", "bool", "int", "number", "duration", "list", "object", "any"}
	for _, info := range Schema() {
		if info.Doc == "" || Describe(info.Type) == nil {
			t.Errorf("%s has no description", info.Type)
		}
		for i, a := range info.Attrs {
			switch {
			case a.Doc == "" || !slices.Contains(types, a.Type):
				t.Errorf("%s.%s: type %q, doc %q", info.Type, a.Name, a.Type, a.Doc)
			case slices.Contains(fixedKeys, a.Name):
				t.Errorf("%s.%s is a field of the event", info.Type, a.Name)
			case i > 0 && info.Attrs[i-1].Name >= a.Name:
				t.Errorf("%s.%s is double or out of order", info.Type, a.Name)
			case (a.Type == "duration") != strings.HasSuffix(a.Name, "_ns") && a.Type != "list":
				t.Errorf("%s.%s: a duration, and nothing else, ends in _ns", info.Type, a.Name)
			}
		}
	}
}

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
	right := Event{Type: AttemptEnd, Attrs: []Attr{
		{"complete", true},
		{"cost_usd", 1},
		{"headers", map[string]string{}},
		{"kind", word("timeout")},
		{"message", nil},
		{"retry_after_ns", time.Second},
		{"status_code", int64(200)},
		{"usage", raw("{}")},
	}}
	if err := Check(right); err != nil {
		t.Error(err)
	}
	for want, e := range map[string]Event{
		`unknown type "nonsense"`: {Type: "nonsense"},
		`"colour" is not decl`:    {Type: Gate, Attrs: []Attr{{"colour", "red"}}},
		`is a string, declared`:   {Type: Gate, Attrs: []Attr{{"line", "12"}}},
		`declared as duration`:    {Type: RetryWait, Attrs: []Attr{{"delay_ns", int64(5)}}},
		`declared as int`:         {Type: RetryWait, Attrs: []Attr{{"retry", time.Second}}},
		`out of order`:            {Type: Gate, Attrs: []Attr{{"line", 1}, {"gate", "x"}}},
		`double`:                  {Type: Gate, Attrs: []Attr{{"gate", "x"}, {"gate", "y"}}},
	} {
		if err := Check(e); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
