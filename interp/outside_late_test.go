package interp

import (
	"net/http"
	"slices"
	"strconv"
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

// Shows that attempts end in the order in which they were given out, however late a
// server comes to say so: a success ends after the failure before it, and both are
// known as attempts of one call. One that still has something to give is not ended by what
// comes after it.
func TestAttemptsEndInTheirOrder(t *testing.T) {
	plan := compileAt(t, "endless.scenario.hcl", endless)[0]
	for _, c := range []struct {
		name    string
		said    bool
		retries string
		order   []int
	}{
		{"given out", true, "2", []int{1, 2, 3}},
		{"still to give", false, "1", []int{1, 3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Serve})
				served := func(x *Exchange) { x.Served(wire.Served{Sent: len(x.Script().Bytes()), By: wire.ByServer}) }
				first := began(t, run, 1)
				gives(first)
				served(first)
				second := began(t, run, 2)
				if c.said {
					gives(second)
				}
				time.Sleep(time.Millisecond)
				third := began(t, run, 3) // a success, which ends the call
				gives(third)
				served(third)
				served(second)
				result, seen := run.Finish("")
				var order []int
				for _, e := range result.Events {
					if e.Type == trace.AttemptEnd {
						order = append(order, e.Attempt)
					}
				}
				if !slices.Equal(order, c.order) {
					t.Errorf("the attempts ended in the order %v, want %v", order, c.order)
				}
				v, diags := seen.Value("tostring(endpoint.data.retries)")
				if diags.HasErrors() || v.AsString() != c.retries {
					t.Errorf("%#v retries, want %s %v", v, c.retries, diags)
				}
			})
		})
	}
}

// Shows which attempts are one call where a client is seen leaving after the next request
// that asks the same: up to the patience of the run it may be the same client, which gave
// up and asked again, and later it is another one, or one that asks twice at once. An
// answer that was given out has no such allowance: when it was over is known exactly.
func TestOnlyWhoLeavesIsSeenLate(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name           string
		entry          string
		patience, late time.Duration // how long after the second request the first is over
		left           bool
		calls          int
	}{
		{"a silence that was left", `fault "hang" { times = 2 }`, 50 * ms, 50 * ms, true, 1},
		{"a silence that was left later", `fault "hang" { times = 2 }`, 50 * ms, 50*ms + 1, true, 2},
		{"a silence that was left before", `fault "hang" { times = 2 }`, 50 * ms, 0, true, 1},
		{"a healthy answer that was left", "reply {\n latency = \"1m\"\n times = 2\n}", 50 * ms, 50 * ms, true, 1},
		{"a healthy answer that was left later", "reply {\n latency = \"1m\"\n times = 2\n}", 50 * ms, 50*ms + 1, true, 2},
		{"where nothing is late", `fault "hang" { times = 2 }`, 0, 1, true, 2},
		{"where nothing is late, at that instant", `fault "hang" { times = 2 }`, 0, 0, true, 1},
		{"where time is scaled", `fault "hang" { times = 2 }`, 500 * ms, 500 * ms, true, 1},
		{"an answer", "reply {\n status_code = 503\n latency = \"100ms\"\n times = 2\n}", 50 * ms, 1, false, 2},
		{"an answer, at that instant", "reply {\n status_code = 503\n latency = \"100ms\"\n times = 2\n}", 50 * ms, 0, false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				plan := compileAt(t, "a.scenario.hcl", "provider \"http\" \"data\" { base_url = \"https://data.test\" }\nscenario \"s\" {\n  on \"data\" {\n"+c.entry+"\n}\n  expect \"run\" { status = \"success\" }\n}\n")[0]
				run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Exec, Patience: c.patience})
				first := began(t, run, 1)
				time.Sleep(100*ms - c.late)
				second := began(t, run, 2)
				time.Sleep(c.late)
				if c.left {
					first.Served(wire.Served{By: wire.ByClient})
				} else {
					gives(first)
					first.Served(wire.Served{Sent: len(first.Script().Bytes()), By: wire.ByServer})
				}
				second.Served(wire.Served{By: wire.ByClient})
				_, seen := run.Finish("")
				v, diags := seen.Value("tostring(length(endpoint.data.calls))")
				if diags.HasErrors() || v.AsString() != strconv.Itoa(c.calls) {
					t.Errorf("%#v calls, want %d %v", v, c.calls, diags)
				}
			})
		})
	}
}

// gives plays an exchange as far as a server does before it says so.
func gives(x *Exchange) {
	for op := range x.Script().Ops {
		x.Reached(op)
	}
	x.Sending()
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
