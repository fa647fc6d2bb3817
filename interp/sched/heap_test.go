package sched

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The heap gives back what was pushed in sorted order, also after withdrawals
// and a compaction.
func TestHeapSorts(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		s := New()
		var want []int64
		for range rng.IntN(400) {
			ev, at := &event{}, rng.Int64N(50)
			s.schedule(ev, at, Completion, 0)
			if rng.IntN(3) > 0 {
				s.kill(ev)
				continue
			}
			want = append(want, at)
		}
		slices.Sort(want)
		var got []int64
		for e := s.peek(); e != nil; e = s.peek() {
			got = append(got, e.at)
			s.kill(e.ev)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %v, want %v", got, want)
		}
	}
}

// Timeouts that were cancelled in time do not pile up until they would have
// struck.
func TestWithdrawnEventsTakeNoSpace(t *testing.T) {
	play(t, func(ctx context.Context, s *Scheduler, _ *journal) {
		for range 100_000 {
			_, cancel := s.WithTimeout(ctx, time.Hour)
			cancel()
		}
		if len(s.heap) > 2*deadKept {
			t.Errorf("%d entries are left", len(s.heap))
		}
		if s.root.first != nil {
			t.Error("the root still knows a cancelled child")
		}
	})
}
