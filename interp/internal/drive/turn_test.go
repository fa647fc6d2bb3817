package drive

import (
	"slices"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/interp/internal/exchange"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a request waits while another is before it in its lane, also where it meets
// nobody and whoever runs first: the one before holds its place until the test takes it
// away. It asks what strikes it only then, since that is a matter of order, too.
func TestARequestWaitsForThoseBeforeIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := New(knownPlan(t), Options{Clock: wire.System(), Way: plan.Embedded})
		if err := r.Begin(); err != nil {
			t.Fatal(err)
		}
		e := r.endpoints[slices.IndexFunc(r.endpoints, func(e *endpoint) bool { return e.Name == "chat" })]
		l := e.lane("")
		r.mu.Lock()
		before := l.queue(r.Now())
		r.mu.Unlock()
		var asked exchange.Asked
		var got, over bool
		go func() {
			r.mu.Lock()
			defer r.mu.Unlock()
			got, _ = r.turn(t.Context(), l, nil, exchange.Wanted{}, &asked)
			over = true
		}()
		for range 2 { // whatever changes in the lane: its place does not
			synctest.Wait()
			r.mu.Lock()
			if over || asked.Posed || len(l.waiting) != 2 || l.waiting[0] != before {
				t.Errorf("over %v, posed %v, with %d in the line: it did not wait", over, asked.Posed, len(l.waiting))
			}
			l.wake()
			r.mu.Unlock()
		}
		r.mu.Lock()
		l.waiting = l.waiting[:copy(l.waiting, l.waiting[1:])]
		l.wake()
		r.mu.Unlock()
		synctest.Wait()
		if !over || !got || !asked.Posed {
			t.Errorf("over %v, its turn %v, posed %v, when nobody is before it", over, got, asked.Posed)
		}
	})
}
