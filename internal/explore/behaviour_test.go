package explore

import (
	"testing"

	"github.com/scenario-lang/scenario/trace"
)

// Runs of a program that draws its keys are alike where the same key comes back in the
// same places, and only there.
func TestDrawnKeysAreAlike(t *testing.T) {
	key := func(of string, same bool) behaviour {
		second := of
		if !same {
			second = of + "x"
		}
		body := `{"id":"6f1c2d3e-0000-4000-8000-00000000000` + of + `"}`
		events := []trace.Event{
			{Type: trace.AttemptStart, Step: "charge", Attempt: 1, Payload: trace.Attrs{{Key: "idempotency_key", Value: "k-" + of}, {Key: "body", Value: body}}},
			{Type: trace.AttemptStart, Step: "charge", Attempt: 2, Payload: trace.Attrs{{Key: "idempotency_key", Value: "k-" + second}, {Key: "body", Value: body}}},
		}
		return newReader(nil).of(&World{Program: &Program{}}).behaviour(events)
	}
	if key("1", true) != key("2", true) {
		t.Error("two runs that differ in what they draw are not alike")
	}
	if key("1", true) == key("1", false) {
		t.Error("a second key is not told from the first")
	}
}
