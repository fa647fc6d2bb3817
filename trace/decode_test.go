package trace

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Shows that an event read from a trace file has its attributes in the types
// that the schema names, and is encoded to the same bytes.
func TestReadEvent(t *testing.T) {
	for _, c := range []struct {
		line string
		want Event
	}{
		{
			`{"seq":7,"at_ns":1500000001,"type":"attempt_end","step":"answer","call":"c","actor":"a","attempt":2,"round":3,"turn":4,"iteration":5,"target":"t","complete":true,"cost_usd":0.5,"kind":"http_status","retry_after_ns":2000000000,"status_code":503,"usage":{"prompt_tokens":3}}`,
			Event{
				Seq: 7, At: 1500000001, Type: AttemptEnd, Step: "answer", Call: "c", Actor: "a", Attempt: 2, Round: 3, Turn: 4, Iteration: 5, Target: "t",
				Attrs: []Attr{
					{"complete", true},
					{"cost_usd", 0.5},
					{"kind", "http_status"},
					{"retry_after_ns", 2 * time.Second},
					{"status_code", 503},
					{"usage", Encoded(`{"prompt_tokens":3}`)},
				},
			},
		},
		// A text may stand where anything may; of a type that the schema does not
		// expect there, and of an attribute that it does not know, only the bytes
		// are kept, and so are numbers that a float cannot hold.
		{
			`{"seq":1,"at_ns":0,"type":"attempt_end","attempts_left":1,"content":"a\u0001é","cost_usd":0.10000000000000000001,"json":null,"status_code":"none"}`,
			Event{Seq: 1, Type: AttemptEnd, Attrs: []Attr{
				{"attempts_left", Encoded("1")},
				{"content", "a\x01é"},
				{"cost_usd", Encoded("0.10000000000000000001")},
				{"json", Encoded("null")},
				{"status_code", Encoded(`"none"`)},
			}},
		},
		{`{"seq":1,"at_ns":0,"type":"later","x":[1]}`, Event{Seq: 1, Type: "later", Attrs: []Attr{{"x", Encoded("[1]")}}}},
	} {
		got, err := ReadEvent([]byte(c.line))
		if err != nil {
			t.Errorf("%s: %v", c.line, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s:\n%s", c.line, diff)
		}
		if again := string(got.AppendJSON(nil)); again != c.line {
			t.Errorf("encoded again it is %s, want %s", again, c.line)
		}
	}
}

// Shows that a header is read as it was written, and that other versions and
// other lines are refused.
func TestReadHeader(t *testing.T) {
	want := Header{File: "a.scenario.hcl", Scenario: "one", Seed: 1<<64 - 1, Plan: "sha256:00", RunID: "f"}
	got, err := ReadHeader(want.AppendJSON(nil))
	if err != nil || got != want {
		t.Errorf("read %+v, %v", got, err)
	}
	for _, line := range []string{``, `7`, `{}`, `{"trace":2}`, `{"trace":1,"seed":-1}`} {
		if _, err := ReadHeader([]byte(line)); err == nil {
			t.Errorf("%q is read as a header", line)
		}
	}
	for _, line := range []string{``, `7`, `{}`, `{"seq":1}`, `{"type":"run_end"}`, `{"seq":1,"type":7}`, `{"seq":-1,"type":"run_end"}`, `{"seq":1,"type":"run_end","at_ns":"now"}`} {
		if _, err := ReadEvent([]byte(line)); err == nil {
			t.Errorf("%q is read as an event", line)
		}
	}
}
