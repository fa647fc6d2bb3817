package explore

import (
	"testing"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// Of a program on the real clock outages of services are tried first, then the commonest
// faults at first attempts, a request that must not be repeated before others, then
// silence, then the rest, a 400 and one of each group before the second of any, and what makes the
// program wait as the last.
func TestPromisingFirst(t *testing.T) {
	strike := func(address string, n int, kind string, rank int, outage bool) Set {
		x := Strike{Address: address, N: n, Fault: faults.Lookup(kind), Args: faults.Lookup(kind).Usual(), rank: rank}
		if outage {
			x.Outage = &Outage{Provider: address}
		}
		return Set{x}
	}
	status := func(code int) Set {
		set := strike("llm", 1, "http_error", 0, false)
		set[0].Args["status_code"] = code
		return set
	}
	want := []Set{
		strike("llm", 1, "connection_refused", 1, true),
		strike("shop", 1, "connection_refused", 1, false),
		strike("llm", 1, "connection_refused", 1, false),
		strike("llm", 1, "timeout", 1, false),
		status(400),
		strike("shop", 1, "garbage", 0, false),
		status(401),
		strike("llm", 1, "redirect_loop", 0, false),
		strike("shop", 1, "bad_gzip", 0, false),
		status(404),
		strike("llm", 2, "connection_refused", 1, false),
		strike("llm", 1, "timeout", 1, true),
		strike("llm", 1, "hang", 0, false),
	}
	s := &search{report: &Report{Base: &interp.Result{Events: []trace.Event{
		{Type: trace.StepStart, Step: "shop", Payload: trace.Attrs{{Key: "kind", Value: "http"}}},
		{Type: trace.AttemptStart, Step: "shop", Payload: trace.Attrs{{Key: "method", Value: "POST"}}},
		{Type: trace.StepStart, Step: "llm", Payload: trace.Attrs{{Key: "kind", Value: "llm"}}},
		{Type: trace.AttemptStart, Step: "llm", Payload: trace.Attrs{{Key: "method", Value: "POST"}}},
	}}}}
	// As a search makes them: by point, the commonest kinds first.
	sets := []Set{want[0], want[11], want[2], want[3], want[6], want[4], want[9], want[7], want[12], want[1], want[5], want[8], want[10]}
	s.promisingFirst(sets)
	for i := range want {
		if sets[i].String() != want[i].String() {
			t.Errorf("%d: %s, want %s", i, sets[i], want[i])
		}
	}
}
