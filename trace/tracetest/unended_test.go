package tracetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/trace"
)

// Every start has its end: what has none, and an end without a start, are
// found among several of one step (V104).
func TestV104Unended(t *testing.T) {
	events := []trace.Event{
		{Seq: 1, Type: trace.RunStart},
		{Seq: 2, Type: trace.StepStart, Step: "a"},
		{Seq: 3, Type: trace.AttemptStart, Step: "a", Attempt: 1},
		{Seq: 4, Type: trace.AttemptStart, Step: "a", Attempt: 2},
		{Seq: 5, Type: trace.Fault, Step: "a", Attempt: 2},
		{Seq: 6, Type: trace.AttemptEnd, Step: "a", Attempt: 2},
		{Seq: 7, Type: trace.Lock, Actor: "x", Payload: trace.Attrs{{Key: "lock", Value: "l"}}},
		{Seq: 8, Type: trace.Unlock, Actor: "x", Payload: trace.Attrs{{Key: "lock", Value: "m"}}},
		{Seq: 9, Type: trace.StepEnd, Step: "a"},
		{Seq: 10, Type: trace.StepStart, Step: "l", Iteration: 1},
		{Seq: 11, Type: trace.StepEnd, Step: "l", Iteration: 1},
		{Seq: 12, Type: trace.RunEnd},
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
	events := []trace.Event{
		{Seq: 1, Type: trace.StepStart, Step: "a"},
		{Seq: 2, Type: trace.StepEnd, Step: "a", Attempt: 4, Payload: trace.Attrs{{Key: "status", Value: "failed"}}},
		{Seq: 3, Type: trace.StepEnd, Step: "b", Payload: trace.Attrs{{Key: "status", Value: "skipped"}}},
		{Seq: 4, Type: trace.StepEnd, Step: "a", Attempt: 4, Payload: trace.Attrs{{Key: "status", Value: "failed"}}},
	}
	lost := Unended(events)
	if len(lost) != 1 || lost[0].Seq != 4 {
		t.Errorf("got %v, expected event 4 alone", lost)
	}
}
