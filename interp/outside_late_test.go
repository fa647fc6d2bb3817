package interp

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/trace"
	"github.com/scenario-lang/scenario/wire"
)

// Shows that an answer has ended when its last bytes were given out, however late
// the server comes to say so: a program that waits for a second is seen to wait for
// no less. What another request brought meanwhile moves the event, since time never goes
// back in a trace, and not the end that conditions read; an answer that its client left has
// ended when that is known.
func TestAnswersEndBeforeTheirClientsGoOn(t *testing.T) {
	plan := compileAt(t, "endless.scenario.hcl", endless)[0]
	for _, c := range []struct {
		name      string
		meanwhile bool
		by        wire.EndedBy
		want      time.Duration // of the event
		read      string
	}{
		{"alone", false, wire.ByServer, 10 * time.Millisecond, "[10,10]"},
		{"with another", true, wire.ByServer, 12 * time.Millisecond, "[10,10]"},
		{"left", false, wire.ByClient, 15 * time.Millisecond, "[15,15]"},
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
				result, seen := run.Finish("")
				events := result.Events
				v, diags := seen.Value(`jsonencode([endpoint.data.attempts[0].ended_at_ms, endpoint.data.attempts[0].elapsed_ms])`)
				if diags.HasErrors() || v.AsString() != c.read {
					t.Errorf("conditions read %#v, want %s (%v)", v, c.read, diags)
				}
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
		said    int // operations of its script
		retries string
		order   []int
	}{
		{"given out", 2, "2", []int{1, 2, 3}},
		{"begun, and without a wait to come", 1, "2", []int{1, 2, 3}},
		{"still to give", 0, "1", []int{1, 3, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Serve})
				served := func(x *Exchange) { x.Served(wire.Served{Sent: len(x.Script().Bytes()), By: wire.ByServer}) }
				first := began(t, run, 1)
				gives(first)
				served(first)
				second := began(t, run, 2)
				for op := range c.said {
					second.Reached(op)
					second.Sending()
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

// Shows the same where what the client asked next has ended before it is seen leaving: the
// attempt that was left comes first in the call, with its place, and the gap after it is
// none. That goes for what may follow it alone.
func TestLeavingIsSeenAfterTheNextHasEnded(t *testing.T) {
	const ms = time.Millisecond
	hang, reply := `fault "hang" {}`, "reply {}\n"
	slow := "reply {\n  latency = \"1m\"\n}\n"
	for _, c := range []struct {
		name           string
		first, second  string
		patience, late time.Duration // how long after the second request the first is over
		header         http.Header   // of the second request
		want           string        // of the result, where the events have what was known as they ended
		events         string
	}{
		{"a silence", hang, reply, 50 * ms, 50 * ms, nil, "[[[1,1,null],[2,2,0]]]", "2:1 1:1"},
		{"a silence, later", hang, reply, 50 * ms, 50*ms + 1, nil, "[[[1,1,null]],[[2,1,null]]]", "2:1 1:1"},
		{"a silence, where nothing is late", hang, reply, 0, 1, nil, "[[[1,1,null]],[[2,1,null]]]", "2:1 1:1"},
		{"a silence, at that instant", hang, reply, 0, 0, nil, "[[[1,1,null],[2,2,0]]]", "2:1 1:1"},
		{"before a count of 0", hang, reply, 50 * ms, 10 * ms, http.Header{"X-Stainless-Retry-Count": {"0"}}, "[[[1,1,null]],[[2,1,null]]]", "2:1 1:1"},
		{"before a count of 1", hang, reply, 50 * ms, 10 * ms, http.Header{"X-Stainless-Retry-Count": {"1"}}, "[[[1,1,null],[2,2,0]]]", "2:1 1:1"},
		{"before another key", hang, reply, 50 * ms, 10 * ms, http.Header{"Idempotency-Key": {"k"}}, "[[[1,1,null]],[[2,1,null]]]", "2:1 1:1"},
		{"a healthy answer", slow, reply, 50 * ms, 10 * ms, nil, "[[[1,1,null],[2,2,0]]]", "2:1 1:1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := lateRun(t, c.first+"\n"+c.second, c.patience)
				first := asked(t, run, "1", nil)
				time.Sleep(100*ms - c.late)
				second := asked(t, run, "1", c.header)
				gives(second)
				second.Served(wire.Served{Sent: len(second.Script().Bytes()), By: wire.ByServer})
				time.Sleep(c.late)
				first.Served(wire.Served{By: wire.ByClient})
				got, events := lateCalls(t, run, "[a.n, a.round, a.gap_ms]")
				if got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
				var ends []string
				for _, e := range events {
					if e.Type == trace.AttemptEnd {
						ends = append(ends, fmt.Sprintf("%d:%d", e.Attempt, e.Round))
					}
				}
				if got := strings.Join(ends, " "); got != c.events {
					t.Errorf("the events have the rounds %s, want %s", got, c.events)
				}
			})
		})
	}
}

// Shows that an attempt which is seen to be left goes before no attempt whose call had
// something under way when it began, or which it cannot be a retry of itself.
func TestWhoIsLeftBesideACallIsNotOfIt(t *testing.T) {
	const ms = time.Millisecond
	fail := "reply {\n  status_code = 503\n  latency = \"20ms\"\n}\n"
	for _, c := range []struct {
		name   string
		began  time.Duration // the second of three attempts, which is left
		header http.Header   // of that
		want   string
	}{
		{"beside the first", 10 * ms, nil, "[[[1,1],[3,2]],[[2,1]]]"},
		{"after the first", 20 * ms, nil, "[[[1,1],[2,2],[3,3]]]"},
		{"with a count of 0", 20 * ms, http.Header{"X-Stainless-Retry-Count": {"0"}}, "[[[1,1],[3,2]],[[2,1]]]"},
		{"with a count of 1", 20 * ms, http.Header{"X-Stainless-Retry-Count": {"1"}}, "[[[1,1],[2,2],[3,3]]]"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				run := lateRun(t, fail+"fault \"hang\" {}\nreply {}\n", 50*ms)
				answered := func(x *Exchange) {
					gives(x)
					x.Served(wire.Served{Sent: len(x.Script().Bytes()), By: wire.ByServer})
				}
				first := asked(t, run, "1", nil)
				time.Sleep(c.began)
				var second *Exchange
				if c.began < 20*ms {
					second = asked(t, run, "1", c.header)
				}
				time.Sleep(20*ms - c.began)
				answered(first)
				if second == nil {
					second = asked(t, run, "1", c.header)
				}
				time.Sleep(10 * ms)
				answered(asked(t, run, "1", nil))
				second.Served(wire.Served{By: wire.ByClient})
				if got, _ := lateCalls(t, run, "[a.n, a.round]"); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			})
		})
	}
}

// Shows that the calls of a run are those that its clients made: several ask beside each
// other, for the same after a while or for something else, and again at once where they
// got a failure or gave up, which is seen up to 50 ms later: when what they asked then,
// and what came after that, may have ended. What is expected is what the clients meant.
func TestCallsAreThoseThatTheirClientsMade(t *testing.T) {
	const ms = time.Millisecond
	type attempt struct {
		asks        string
		kind        int // a failure, a good answer, or a silence that is left
		began, seen time.Duration
		call        int
	}
	entries := []string{"fault \"http_error\" { status_code = 503 }\n", "reply {}\n", "fault \"hang\" {}\n"}
	late := 0
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 1))
		var all []attempt
		call := 0
		for client := range 3 {
			at := time.Duration(client)*ms/10 + time.Duration(r.IntN(40))*ms
			for range 3 {
				call++
				for kind := -1; kind != 1; {
					kind = []int{0, 1, 2, 2}[r.IntN(4)]
					a := attempt{asks: string(rune('a' + client)), kind: kind, began: at, seen: at, call: call}
					if kind == 2 {
						at += time.Duration(5+r.IntN(30)) * ms
						a.seen = at + time.Duration(r.IntN(int(50*ms)+1))
						at += time.Microsecond
					} else {
						at += time.Duration(r.IntN(3)) * ms
					}
					at += time.Microsecond
					all = append(all, a)
				}
				at += 60 * ms
			}
		}
		slices.SortStableFunc(all, func(a, b attempt) int { return cmp.Compare(a.began, b.began) })
		script := ""
		want := map[int][]string{}
		var order []int
		for i, a := range all {
			script += entries[a.kind]
			if want[a.call] == nil {
				order = append(order, a.call)
			}
			want[a.call] = append(want[a.call], fmt.Sprintf("[%d,%d]", i+1, len(want[a.call])+1))
			if a.kind == 2 && i+1 < len(all) && slices.ContainsFunc(all[i+1:], func(o attempt) bool { return o.call == a.call && o.kind != 2 && o.seen < a.seen }) {
				late++
			}
		}
		var texts []string
		for _, n := range order {
			texts = append(texts, "["+strings.Join(want[n], ",")+"]")
		}
		synctest.Test(t, func(t *testing.T) {
			run := lateRun(t, script, 50*ms)
			start := time.Now()
			until := func(at time.Duration) { time.Sleep(at - time.Since(start)) }
			type open struct {
				attempt
				*Exchange
			}
			var left []open
			leave := func(before time.Duration) {
				slices.SortStableFunc(left, func(a, b open) int { return cmp.Compare(a.seen, b.seen) })
				for len(left) > 0 && left[0].seen < before {
					until(left[0].seen)
					left[0].Served(wire.Served{By: wire.ByClient})
					left = left[1:]
				}
			}
			for _, a := range all {
				leave(a.began)
				until(a.began)
				x := asked(t, run, a.asks, nil)
				if a.kind == 2 {
					left = append(left, open{a, x})
					continue
				}
				gives(x)
				x.Served(wire.Served{Sent: len(x.Script().Bytes()), By: wire.ByServer})
			}
			leave(time.Hour)
			got, _ := lateCalls(t, run, "[a.n, a.round]")
			if want := "[" + strings.Join(texts, ",") + "]"; got != want {
				t.Fatalf("seed %d:\n got %s\nwant %s\n%v", seed, got, want, all)
			}
		})
	}
	if late < 300 {
		t.Errorf("%d attempts were seen to be left after the call had gone on: the class was not tried", late)
	}
}

// lateRun is a run of a script for one endpoint of which requests may overlap.
func lateRun(t *testing.T, script string, patience time.Duration) *Outside {
	t.Helper()
	plan := compileAt(t, "a.scenario.hcl", "provider \"http\" \"data\" { base_url = \"https://data.test\" }\nendpoint \"e\" {\n  provider = provider.data\n  concurrent = \"arrival\"\n}\nscenario \"s\" {\n  on \"e\" {\n"+script+"  }\n  expect \"run\" { status = \"success\" }\n}\n")[0]
	return NewOutside(plan, OutsideOptions{Clock: wire.System(), Way: Exec, Patience: patience})
}

// lateCalls are the calls of a run, in the order of their first attempts, as lists of what an
// expression says of each attempt a.
func lateCalls(t *testing.T, run *Outside, of string) (string, []trace.Event) {
	t.Helper()
	result, seen := run.Finish("")
	v, diags := seen.Value("jsonencode([for c in endpoint.e.calls : concat([c.attempts[0].n], [for a in c.attempts : " + of + "])])")
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var calls [][]any
	if err := json.Unmarshal([]byte(v.AsString()), &calls); err != nil {
		t.Fatal(err)
	}
	slices.SortStableFunc(calls, func(a, b []any) int { return cmp.Compare(a[0].(float64), b[0].(float64)) })
	for i := range calls {
		calls[i] = calls[i][1:]
	}
	text, err := json.Marshal(calls)
	if err != nil {
		t.Fatal(err)
	}
	return string(text), result.Events
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
	return askedOver(t, run, "1", nil, connection)
}

// asked is an exchange under way, of a path and with a header.
func asked(t *testing.T, run *Outside, path string, header http.Header) *Exchange {
	t.Helper()
	return askedOver(t, run, path, header, 1)
}

func askedOver(t *testing.T, run *Outside, path string, header http.Header, connection int) *Exchange {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://data.test/"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if header != nil {
		req.Header = header
	}
	x, err := run.Answer(t.Context(), Asked{Request: req, Connection: connection})
	if err != nil {
		t.Fatal(err)
	}
	return x
}
