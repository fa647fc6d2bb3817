package explore

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// Of a program on the real clock outages of services are tried first, then the commonest
// faults at first attempts, a request that must not be repeated before others, then
// silence, and then the rest.
func TestPromisingFirst(t *testing.T) {
	strike := func(address string, n int, kind string, rank int, outage bool) Set {
		x := Strike{Address: address, N: n, Fault: faults.Lookup(kind), Args: faults.Lookup(kind).Usual(), rank: rank}
		if outage {
			x.Outage = &Outage{Provider: address}
		}
		return Set{x}
	}
	sets := []Set{
		strike("llm", 1, "redirect_loop", 0, false),
		strike("llm", 2, "connection_refused", 1, false),
		strike("llm", 1, "timeout", 1, true),
		strike("llm", 1, "connection_refused", 1, false),
		strike("shop", 1, "connection_refused", 1, false),
		strike("llm", 1, "connection_refused", 1, true),
	}
	want := []string{
		sets[5].String(), sets[4].String(), sets[3].String(), sets[2].String(), sets[0].String(), sets[1].String(),
	}
	s := &search{report: &Report{Base: &interp.Result{Events: []trace.Event{
		{Type: trace.StepStart, Step: "shop", Payload: trace.Attrs{{Key: "kind", Value: "http"}}},
		{Type: trace.AttemptStart, Step: "shop", Payload: trace.Attrs{{Key: "method", Value: "POST"}}},
		{Type: trace.StepStart, Step: "llm", Payload: trace.Attrs{{Key: "kind", Value: "llm"}}},
		{Type: trace.AttemptStart, Step: "llm", Payload: trace.Attrs{{Key: "method", Value: "POST"}}},
	}}}}
	s.promisingFirst(sets)
	var got []string
	for _, set := range sets {
		got = append(got, set.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
