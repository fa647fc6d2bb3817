package interp

import (
	"net/http"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that an answer has ended when its last bytes were given out, however late
// the server comes to say so: a program that waits for a second is seen to wait for
// no less. What another request brought meanwhile moves the end, since time never
// goes back in a trace; an answer that its client left has ended when that is known.
func TestAnswersEndBeforeTheirClientsGoOn(t *testing.T) {
	plan := compileAt(t, "endless.scenario.hcl", endless)[0]
	for _, c := range []struct {
		name      string
		meanwhile bool
		by        wire.EndedBy
		want      time.Duration
	}{
		{"alone", false, wire.ByServer, 10 * time.Millisecond},
		{"with another", true, wire.ByServer, 12 * time.Millisecond},
		{"left", false, wire.ByClient, 15 * time.Millisecond},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Serve})
				x := began(t, run, 1)
				time.Sleep(10 * time.Millisecond)
				x.Sending()
				time.Sleep(2 * time.Millisecond)
				if c.meanwhile {
					began(t, run, 2)
				}
				time.Sleep(3 * time.Millisecond)
				served := wire.Served{By: c.by}
				if c.by == wire.ByServer {
					served.Sent, served.Status = len(x.Script().Bytes()), http.StatusServiceUnavailable
				}
				x.Served(served)
				result, _ := run.Finish("")
				events := result.Events
				ended := slices.IndexFunc(events, func(e trace.Event) bool { return e.Type == trace.AttemptEnd && e.Attempt == 1 })
				if got := events[ended].At; got != c.want {
					t.Errorf("ended at %s, want %s", got, c.want)
				}
				for i := range events[1:] {
					if events[i+1].At < events[i].At {
						t.Errorf("event %d is before the one that it follows", i+1)
					}
				}
			})
		})
	}
}

// began is an exchange under way.
func began(t *testing.T, run *Outside, connection int) *Exchange {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://data.test/1", nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := run.Answer(t.Context(), Asked{Request: req, Connection: connection})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
