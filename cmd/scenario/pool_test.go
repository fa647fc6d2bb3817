package main

import (
	"slices"
	"sync/atomic"
	"testing"
)

// Shows that results come in order whatever the workers, and that emit never
// runs at the same time as itself.
func TestOrdered(t *testing.T) {
	for _, workers := range []int{1, 2, 7, 100} {
		var got []int
		ordered(500, workers, nil, func(i int) int { return i * i }, func(i, v int, s progressState) bool {
			if s != finished || v != i*i {
				t.Fatalf("%d workers: piece %d is %d in state %d", workers, i, v, s)
			}
			got = append(got, i)
			return true
		})
		if len(got) != 500 || !slices.IsSorted(got) {
			t.Errorf("%d workers: %d results, sorted %v", workers, len(got), slices.IsSorted(got))
		}
	}
}

// Shows that nothing runs far ahead of a slow first piece, so that memory is
// bounded by the workers and not by the suite.
func TestOrderedBoundsWhatIsAhead(t *testing.T) {
	const workers = 2
	slow, full := make(chan struct{}), make(chan struct{})
	var others atomic.Int64
	work := func(i int) int {
		if i == 0 {
			<-slow
			return 0
		}
		// All but the token of the slow piece are taken by finished ones.
		if others.Add(1) == workers*aheadPerWorker-1 {
			close(full)
		}
		return 0
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ordered(1000, workers, nil, work, func(int, int, progressState) bool { return true })
	}()
	<-full
	if n := others.Load(); n != workers*aheadPerWorker-1 {
		t.Errorf("%d pieces ran ahead, at most %d may", n, workers*aheadPerWorker-1)
	}
	close(slow)
	<-done
}

// Shows that after emit said no, everything counts as not started, also what
// had been.
func TestOrderedEndsEarly(t *testing.T) {
	for _, workers := range []int{1, 8} {
		var states []progressState
		ordered(50, workers, nil, func(i int) int { return i }, func(i, _ int, s progressState) bool {
			states = append(states, s)
			return i < 3
		})
		for i, s := range states {
			if want := map[bool]progressState{true: finished, false: notStarted}[i <= 3]; s != want {
				t.Errorf("%d workers: piece %d has state %d, want %d", workers, i, s, want)
			}
		}
		if len(states) != 50 {
			t.Errorf("%d workers: %d pieces were emitted, want all 50", workers, len(states))
		}
	}
}

// Shows that a stop ends the waiting at once: what is finished is handed over,
// what hangs is given up, the rest is not started.
func TestOrderedStops(t *testing.T) {
	stop, hang := make(chan struct{}), make(chan struct{})
	defer close(hang)
	work := func(i int) int {
		if i == 2 {
			close(stop)
			<-hang
		}
		return i
	}
	var states []progressState
	ordered(4, 1, stop, work, func(i, v int, s progressState) bool {
		states = append(states, s)
		return true
	})
	want := []progressState{finished, finished, notFinished, notStarted}
	if !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
}
