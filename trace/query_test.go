package trace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// An event's object has what applies, in milliseconds too.
func TestObject(t *testing.T) {
	e := Event{
		Seq: 3, At: 1999999 * time.Microsecond, Type: RetryWait, Step: "a", Round: 1,
		Payload: Attrs{{"delay_ns", 1500 * time.Microsecond}, {"policy", nil}, {"retry", 1}},
	}
	want := map[string]any{
		"seq": int64(3), "at_ns": int64(1999999000), "at_ms": int64(1999), "type": "retry_wait",
		"step": "a", "round": int64(1), "delay_ns": int64(1500000), "delay_ms": int64(1), "retry": 1,
	}
	if diff := cmp.Diff(want, e.Object()); diff != "" {
		t.Error(diff)
	}
}

// The typed readers of attributes give zero for what is absent or of another
// type.
func TestAttrReaders(t *testing.T) {
	e := Event{Payload: Attrs{{"i", 3}, {"kind", word("timeout")}, {"n", int64(4)}, {"s", "x"}, {"wait_ns", time.Second}}}
	if e.Text("s") != "x" || e.Text("kind") != "timeout" || e.Text("i") != "" || e.Text("none") != "" {
		t.Error("Text")
	}
	if e.Int("i") != 3 || e.Int("n") != 4 || e.Int("wait_ns") != 1e9 || e.Int("s") != 0 || e.Int("none") != 0 {
		t.Error("Int")
	}
}

// A filter matches partially, nested objects included, and numbers by value.
func TestMatch(t *testing.T) {
	e := Event{
		At: 2 * time.Second, Type: AttemptEnd, Step: "a", Attempt: 2,
		Payload: Attrs{
			{"chunks", []string{"x", "y"}},
			{"kind", word("timeout")},
			{"retry_after_ns", 3 * time.Second},
			{"usage", raw(`{"total_tokens":11,"prompt_tokens":10}`)},
			{"headers", map[string]any{"a": map[string]any{"b": 1, "c": 2}}},
		},
	}
	for _, tc := range []struct {
		filter map[string]any
		want   bool
	}{
		{nil, true},
		{map[string]any{"type": "attempt_end", "step": "a", "attempt": 2.0}, true},
		{map[string]any{"type": "attempt_start"}, false},
		{map[string]any{"type": 5}, false},
		{map[string]any{"step": "b"}, false},
		{map[string]any{"attempt": "2"}, false},
		{map[string]any{"at_ms": 2000}, true},
		{map[string]any{"retry_after_ms": uint64(3000)}, true},
		{map[string]any{"kind": "timeout"}, true},
		{map[string]any{"chunks": []any{"x", "y"}}, true},
		{map[string]any{"chunks": []any{"x"}}, false},
		{map[string]any{"chunks": "x"}, false},
		{map[string]any{"usage": map[string]any{"total_tokens": 11}}, true},
		{map[string]any{"usage": map[string]any{"total_tokens": 12}}, false},
		{map[string]any{"headers": map[string]any{"a": map[string]any{"c": 2}}}, true},
		{map[string]any{"headers": map[string]any{"a": map[string]any{"d": 2}}}, false},
		{map[string]any{"headers": map[string]any{"a": map[string]any{"d": nil}}}, true},
		{map[string]any{"message": nil}, true},
		{map[string]any{"kind": nil}, false},
	} {
		if got := Match(tc.filter, &e); got != tc.want {
			t.Errorf("Match(%v) = %v", tc.filter, got)
		}
	}
}

// Large integers are compared exactly, and not as floats.
func TestMatchValueIsExact(t *testing.T) {
	if MatchValue(int64(9007199254740993), 9007199254740992.0) || !MatchValue(int64(9007199254740992), 9007199254740992.0) {
		t.Error("neighbours of 2^53 were confused")
	}
	if MatchValue(true, 1) || MatchValue(0, false) || MatchValue("", nil) {
		t.Error("values of different types match")
	}
}
