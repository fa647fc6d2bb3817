package trace

import "testing"

// Shows that the status of a run is that of its own end, not of a run inside of
// it, and that a run without an end has none.
func TestStatus(t *testing.T) {
	end := func(status string) Event {
		return Event{Type: RunEnd, Payload: Attrs{{Key: "status", Value: status}}}
	}
	for _, c := range []struct {
		events []Event
		want   string
	}{
		{nil, ""},
		{[]Event{{Type: RunStart}}, ""},
		{[]Event{{Type: RunStart}, end("failed"), {Type: StepEnd}, end("completed")}, "completed"},
		{[]Event{end("cancelled"), {Type: StepEnd}}, "cancelled"},
	} {
		if got := Status(c.events); got != c.want {
			t.Errorf("%v: %q, want %q", c.events, got, c.want)
		}
	}
}
