package explore

import (
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/trace"
)

// Runs that are made at one time hold no more events together than a search may, whatever
// a fault makes of a run: at least one is made, and all are taken in their order.
func TestRunsHoldSoManyEvents(t *testing.T) {
	text := world(planted[0].text, nil)
	for _, c := range []struct {
		name   string
		limit  int           // at how many events a run ends
		events func(int) int // how many the nth set has
		most   int           // how many runs are held at one time
	}{
		{"short ones", 45, func(int) int { return 1 }, 64},
		{"long ones", 1_000, func(int) int { return 1_000 }, 3},
		{"longer than all may be", 10_000, func(int) int { return 2_000 }, 1},
		{"some are long", 400, func(n int) int { return 1 + n%8/7*399 }, 64},
	} {
		for _, parallel := range []int{1, 2, 8} {
			var running, peak atomic.Int64
			s := newSearch(Interpreted(plansOf(t, text)[0], nil), &Options{Parallel: parallel})
			s.limit, s.room = c.limit, 3_000
			filler := make([]trace.Event, 2_000)
			s.world.Run = func(inject func(interp.Point) *interp.Injection, _ int) *interp.Result {
				peak.Store(max(peak.Load(), running.Add(1)))
				defer running.Add(-1)
				by := inject(interp.Point{Address: "ask", N: 1}).Args["by"].(time.Duration)
				return &interp.Result{Events: filler[:c.events(int(by/time.Second))], Injected: interp.Injected{Strikes: 1}}
			}
			var sets []Set
			for n := range 64 {
				sets = append(sets, Set{{Address: "ask", N: 1, Fault: faults.Late(), Args: schema.Values{"by": time.Duration(n) * time.Second}}})
			}
			for rest := sets; len(rest) > 0; {
				list := s.playSome(rest)
				held := 0
				for _, o := range list {
					held += len(o.events)
				}
				if len(list) == 0 || len(list) > c.most || len(list) > 1 && held > s.room {
					t.Fatalf("%s, %d at a time: %d runs hold %d events", c.name, parallel, len(list), held)
				}
				rest = rest[len(list):]
			}
			if most := max(1, s.room/c.limit); int(peak.Load()) > min(parallel, most) {
				t.Errorf("%s, %d at a time: %d runs at once", c.name, parallel, peak.Load())
			}
			var taken []string
			s.playAll(sets, func(o *outcome) bool {
				taken = append(taken, o.set.String())
				return len(taken) < 60
			})
			for i, set := range sets[:60] {
				if taken[i] != set.String() {
					t.Fatalf("%s, %d at a time: run %d is %s, want %s", c.name, parallel, i, taken[i], set)
				}
			}
			if len(taken) != 60 {
				t.Errorf("%d were taken, and no more were wanted than 60", len(taken))
			}
		}
	}
}

// A search that keeps no points of its runs, and makes them again for their pairs, tries
// and finds the same.
func TestForgottenPoints(t *testing.T) {
	for _, p := range planted {
		if p.k == 1 {
			continue
		}
		kinds := few
		if p.event {
			kinds = append([]string{KindEvent}, few...)
		}
		o := Options{MaxK: 2, Parallel: 2, Kinds: kinds}
		want := searched(t, world(p.text, nil), o)
		o.forgetful = true
		got := searched(t, world(p.text, nil), o)
		if diff := cmp.Diff(want.Account, got.Account); diff != "" || !slices.Equal(findsOf(want), findsOf(got)) {
			t.Errorf("%s: %q, want %q:\n%s", p.name, findsOf(got), findsOf(want), diff)
		}
	}
}
