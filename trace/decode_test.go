package trace

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// Shows that an event read from a trace file has the payload of its type, that
// what no payload has a place for stays as it stands there, and that both are
// encoded to the same bytes.
func TestReadEvent(t *testing.T) {
	for _, c := range []struct {
		line string
		want Event
	}{
		{
			`{"seq":7,"at_ns":1500000001,"type":"sky","step":"answer","call":"c","actor":"a","attempt":2,"round":3,"turn":4,"iteration":5,"target":"t","drops":1,"lasts_ns":2000000000,"wet":true}`,
			Event{
				Seq: 7, At: 1500000001, Type: "sky", Step: "answer", Call: "c", Actor: "a", Attempt: 2, Round: 3, Turn: 4, Iteration: 5, Target: "t",
				Payload: &weather{Drops: 1, Lasts: 2 * time.Second, Wet: true},
			},
		},
		// An attribute that the payload does not know, one of another type, and a
		// number that a float cannot hold.
		{
			`{"seq":1,"at_ns":0,"type":"sky","colour":"a\u0001é","drops":1}`,
			Event{Seq: 1, Type: "sky", Payload: Attrs{{"colour", "a\x01é"}, {"drops", 1}}},
		},
		{
			`{"seq":1,"at_ns":0,"type":"sky","drops":"none","lasts_ns":5,"share":0.5}`,
			Event{Seq: 1, Type: "sky", Payload: Attrs{{"drops", "none"}, {"lasts_ns", time.Duration(5)}, {"share", 0.5}}},
		},
		{
			`{"seq":1,"at_ns":0,"type":"sky","drops":1,"share":0.10000000000000000001}`,
			Event{Seq: 1, Type: "sky", Payload: Attrs{{"drops", 1}, {"share", Encoded("0.10000000000000000001")}}},
		},
		{`{"seq":1,"at_ns":0,"type":"later","x":[1],"y":null}`, Event{Seq: 1, Type: "later", Payload: Attrs{{"x", Encoded("[1]")}, {"y", Encoded("null")}}}},
		{`{"seq":1,"at_ns":0,"type":"later"}`, Event{Seq: 1, Type: "later"}},
	} {
		got, err := ReadEvent([]byte(c.line), sky)
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
		if _, err := ReadEvent([]byte(line), sky); err == nil {
			t.Errorf("%q is read as an event", line)
		}
	}
}

// Shows that a line is read as the same event whether it is believed to be canonical
// or taken apart, and that one which is damaged is never believed.
func TestCanonicalLinesAreBelieved(t *testing.T) {
	lines := []string{
		`{"seq":7,"at_ns":1500000001,"type":"sky","step":"answer","call":"c","actor":"a","attempt":2,"round":3,"turn":4,"iteration":5,"target":"t","drops":1,"lasts_ns":2000000000,"wet":true}`,
		`{"seq":18446744073709551615,"at_ns":0,"type":"sky","drops":1,"wet":true}`,
		`{"seq":1,"at_ns":0,"type":"sky","step":"a\"b\\c,d}e","drops":1,"wet":true}`,
	}
	believed := 0
	for _, line := range lines {
		for at := range len(line) + 1 {
			for _, b := range []byte("\x00 \"\\{}[],:019-ate\xff") {
				changed := []byte(line)
				if at < len(line) {
					changed[at] = b
				}
				fast, ok := readCanonical(changed, sky)
				if !ok {
					continue
				}
				believed++
				slow, err := readAny(changed, sky)
				if err != nil || !reflect.DeepEqual(fast, slow) {
					t.Fatalf("%s\nis read as %+v, and taken apart as %+v, %v", changed, fast, slow, err)
				}
			}
		}
	}
	if believed < 100 {
		t.Errorf("only %d lines are believed", believed)
	}
}
