package trace

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Every start has its end: what has none, and an end without a start, are
// found among several of one step (V104).
func TestV104Unended(t *testing.T) {
	events := []Event{
		{Seq: 1, Type: RunStart},
		{Seq: 2, Type: StepStart, Step: "a"},
		{Seq: 3, Type: AttemptStart, Step: "a", Attempt: 1},
		{Seq: 4, Type: AttemptStart, Step: "a", Attempt: 2},
		{Seq: 5, Type: Fault, Step: "a", Attempt: 2},
		{Seq: 6, Type: AttemptEnd, Step: "a", Attempt: 2},
		{Seq: 7, Type: Lock, Actor: "x", Attrs: []Attr{{"lock", "l"}}},
		{Seq: 8, Type: Unlock, Actor: "x", Attrs: []Attr{{"lock", "m"}}},
		{Seq: 9, Type: StepEnd, Step: "a"},
		{Seq: 10, Type: StepStart, Step: "l", Iteration: 1},
		{Seq: 11, Type: StepEnd, Step: "l", Iteration: 1},
		{Seq: 12, Type: RunEnd},
	}
	var lost []uint64
	for _, e := range Unended(events) {
		lost = append(lost, e.Seq)
	}
	if diff := cmp.Diff([]uint64{3, 7, 8}, lost); diff != "" {
		t.Error(diff)
	}
	if rest := Unended(nil); rest != nil {
		t.Errorf("of nothing: %v", rest)
	}
}

// A step whose failure names its attempt has its end, and so has a skipped one,
// which never began; a second end of the first has no start.
func TestV104Steps(t *testing.T) {
	events := []Event{
		{Seq: 1, Type: StepStart, Step: "a"},
		{Seq: 2, Type: StepEnd, Step: "a", Attempt: 4, Attrs: []Attr{{"status", "failed"}}},
		{Seq: 3, Type: StepEnd, Step: "b", Attrs: []Attr{{"status", "skipped"}}},
		{Seq: 4, Type: StepEnd, Step: "a", Attempt: 4, Attrs: []Attr{{"status", "failed"}}},
	}
	lost := Unended(events)
	if len(lost) != 1 || lost[0].Seq != 4 {
		t.Errorf("got %v, expected event 4 alone", lost)
	}
}
