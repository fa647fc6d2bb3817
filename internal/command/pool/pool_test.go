package pool

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
		Ordered(500, workers, nil, func(i int) int { return i * i }, func(i, v int, s State) bool {
			if s != Finished || v != i*i {
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
		Ordered(1000, workers, nil, work, func(int, int, State) bool { return true })
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
		var states []State
		Ordered(50, workers, nil, func(i int) int { return i }, func(i, _ int, s State) bool {
			states = append(states, s)
			return i < 3
		})
		for i, s := range states {
			if want := map[bool]State{true: Finished, false: NotStarted}[i <= 3]; s != want {
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
	var states []State
	Ordered(4, 1, stop, work, func(i, v int, s State) bool {
		states = append(states, s)
		return true
	})
	want := []State{Finished, Finished, NotFinished, NotStarted}
	if !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
}

// Shows that pieces begin in the order that is asked for and are emitted in
// their own, that it is told how many are done, and that a stop tells what
// began from what did not.
func TestJumbled(t *testing.T) {
	var begun, emitted []int
	turns := []int{3, 1, 0, 4, 2}
	last := 0
	Jumbled(turns, 1, nil, func(i int) int {
		begun = append(begun, i)
		return i * i
	}, func(i, v int, s State) bool {
		if s != Finished || v != i*i {
			t.Errorf("piece %d is %d in state %d", i, v, s)
		}
		emitted = append(emitted, i)
		return true
	}, func(done int) {
		if done < last || done > 5 {
			t.Errorf("%d are done after %d", done, last)
		}
		last = done
	})
	if !slices.Equal(begun, turns) || !slices.Equal(emitted, []int{0, 1, 2, 3, 4}) {
		t.Errorf("begun %v, emitted %v", begun, emitted)
	}

	stop, hang := make(chan struct{}), make(chan struct{})
	defer close(hang)
	var states []State
	var once atomic.Bool
	Jumbled(turns, 1, stop, func(i int) int {
		if i == 0 && once.CompareAndSwap(false, true) {
			close(stop)
			<-hang
		}
		return i
	}, func(_, _ int, s State) bool {
		states = append(states, s)
		return true
	}, func(int) {})
	if want := []State{NotFinished, Finished, NotStarted, Finished, NotStarted}; !slices.Equal(states, want) {
		t.Errorf("states %v, want %v", states, want)
	}
}

// Shows that a result is that of its own piece wherever the work is stopped, and that what
// follows the first piece which was not started was not started either.
func TestOrderedStopsAnywhere(t *testing.T) {
	for at := range 300 {
		stop := make(chan struct{})
		last := Finished
		Ordered(300, 4, stop, func(i int) int {
			if i == at {
				close(stop)
			}
			return i
		}, func(i, v int, s State) bool {
			if s == Finished && v != i || s != Finished && v != 0 {
				t.Fatalf("stopped at %d, piece %d is %d in state %d", at, i, v, s)
			}
			if last == NotStarted && s != NotStarted {
				t.Fatalf("stopped at %d, piece %d is in state %d behind one that was not started", at, i, s)
			}
			last = s
			return true
		})
	}
}

// Shows that what the pieces of a large suite take is given out again: a channel for each
// would be megabytes.
func TestOrderedKeepsLittle(t *testing.T) {
	allocated := testing.AllocsPerRun(1, func() {
		Ordered(100_000, 2, nil, func(i int) int { return i }, func(int, int, State) bool { return true })
	})
	if allocated > 1000 {
		t.Errorf("it allocates %v times for 100,000 pieces", allocated)
	}
}
