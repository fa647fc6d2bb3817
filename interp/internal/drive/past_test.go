package drive

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that a run which forgets nothing has every body up to its bound, and beyond it answers no more and
// says so, so that no check is true because something is not there; and that what is said again needs no room.
func TestWhatIsKeptIsBounded(t *testing.T) {
	const limit, size = 1 << 20, 100_000
	body := func(n int) string { return strings.Repeat(fmt.Sprintf("%09d ", n), size/10) }
	for _, c := range []struct {
		name            string
		asked, answered int
		body            func(n int) string
	}{
		{"under the bound", 10, 10, body},
		{"over the bound", 30, 11, body},
		{"the same again", 200, 200, func(int) string { return body(0) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := New(knownPlan(t), Options{Clock: wire.System(), Way: plan.Exec})
				r.past.limit = limit
				if err := r.Begin(); err != nil {
					t.Fatal(err)
				}
				refused := 0
				for n := range c.asked {
					req, _ := http.NewRequest(http.MethodPost, "https://one.test/stock", nil)
					x, err := r.Answer(t.Context(), Asked{Request: req, Body: []byte(c.body(n))})
					if err != nil {
						t.Fatal(err)
					}
					resp, err := x.Script().RoundTripWatched(r.Clock(), req, x)
					if err != nil {
						t.Fatal(err)
					}
					said, _ := io.ReadAll(resp.Body)
					resp.Body.Close()
					if resp.StatusCode == statusGate {
						refused++
						if !bytes.Contains(said, []byte("more than 1 MiB together")) {
							t.Errorf("the refusal says %s", said)
						}
					}
				}
				r.Finish("")
				n := 0
				for _, e := range r.Log.Events() {
					if p, is := e.Payload.(*event.AttemptStart); is {
						if p.Request.Body != c.body(n) {
							t.Errorf("the body of request %d is not there", n)
						}
						n++
					}
				}
				if n != c.answered || refused != c.asked-c.answered {
					t.Errorf("%d requests were answered and %d refused, want %d of %d", n, refused, c.answered, c.asked)
				}
				if told := len(r.Obs.Defects); (told == 1) != (refused > 0) || told > 1 {
					t.Errorf("%d requests were refused, and the run says %v", refused, r.Obs.Defects)
				}
			})
		})
	}
}

// Shows that what answers offered takes as long as there are different ones, however often one is given.
func TestAnswersAreLookedThroughOnce(t *testing.T) {
	effort := func(times int) (allocations float64) {
		synctest.Test(t, func(t *testing.T) {
			r := New(knownPlan(t), Options{Clock: wire.System(), Way: plan.Exec})
			if err := r.Begin(); err != nil {
				t.Fatal(err)
			}
			for range times {
				req, _ := http.NewRequest(http.MethodPost, "https://one.test/stock", nil)
				ask(t, r, req, "", true)
			}
			r.Finish("")
			r.plan.Sut = &plan.Sut{}
			allocations = testing.AllocsPerRun(1, func() { r.offered(nil) })
		})
		return allocations
	}
	if few, many := effort(20), effort(400); many > few+100 {
		t.Errorf("20 equal answers took %v allocations and 400 took %v", few, many)
	}
}
