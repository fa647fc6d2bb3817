package scenario_test

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
)

// A sequence is what one client of a test does: it asks for one thing, and again where
// it got a failure or gave up, until it has an answer or no tries are left.
type sequence struct {
	begins time.Duration // from the start of the run
	asks   string
	waits  []time.Duration // before each attempt after the first
	gives  time.Duration   // after which it gives up, 0 for never
	// keeps says that it reads none of its answers, and closes them in the end, as a loop
	// with a deferred Close does.
	keeps bool
}

// tell is one attempt as its client saw it.
type tell struct {
	began, ended time.Duration
	status       int // 0 where it gave up
}

// play is the client. It tells of every attempt.
func (s *sequence) play(ctx context.Context, start time.Time, transport http.RoundTripper) []tell {
	var told []tell
	for n := range len(s.waits) + 1 {
		if n > 0 {
			time.Sleep(s.waits[n-1])
		} else {
			time.Sleep(s.begins)
		}
		t := tell{began: time.Since(start)}
		own, cancel := ctx, context.CancelFunc(func() {})
		if s.gives > 0 {
			own, cancel = context.WithTimeout(ctx, s.gives)
		}
		req, err := http.NewRequestWithContext(own, http.MethodPost, "https://web.test/"+s.asks, http.NoBody)
		if err != nil {
			panic(err)
		}
		if resp, err := transport.RoundTrip(req); err == nil {
			if s.keeps {
				defer resp.Body.Close()
			} else {
				_, _ = io.Copy(io.Discard, resp.Body)
				resp.Body.Close()
			}
			t.status = resp.StatusCode
		}
		if s.keeps {
			defer cancel()
		} else {
			cancel()
		}
		t.ended = time.Since(start)
		told = append(told, t)
		if t.status == http.StatusOK || t.status == 599 {
			break
		}
	}
	return told
}

// An entry of a random script.
type dealt struct {
	status  int
	latency time.Duration
	times   int
}

func script(entries []dealt, concurrent string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "provider \"http\" \"web\" { base_url = \"https://web.test\" }\nendpoint \"e\" {\n  provider   = provider.web\n  concurrent = %q\n}\nscenario \"s\" {\n  allow = [\"unused_reply\", \"unfired_fault\", \"over_consumed\", \"ambiguous\"]\n  on \"e\" {\n", concurrent)
	for _, e := range entries {
		fmt.Fprintf(&b, "    reply {\n      status_code = %d\n      latency = %q\n      times = %d\n    }\n", e.status, e.latency, e.times)
	}
	return b.String() + "  }\n  expect \"run\" { status = \"success\" }\n}\n"
}

// driveAll lets clients ask in a bubble and returns what each of them met, and the result.
func driveAll(t *testing.T, source string, clients []sequence) (told [][]tell, r *scenario.Result) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, source, scenario.DriveOptions{Patience: time.Nanosecond})
		told = make([][]tell, len(clients))
		start := time.Now()
		var all sync.WaitGroup
		for i := range clients {
			all.Go(func() { told[i] = clients[i].play(t.Context(), start, d.Transport()) })
		}
		all.Wait()
		r = d.Finish()
	})
	return told, r
}

// someClients are clients of which no two do anything at the same instant, so that the
// order of everything is known: client i does all it does at i/100 of a millisecond.
// Retries without a wait begin at the instant at which the attempt before ended.
func someClients(r *rand.Rand) []sequence {
	ms := func(n int) time.Duration { return time.Duration(r.IntN(n)) * time.Millisecond }
	clients := make([]sequence, 2+r.IntN(5))
	for i := range clients {
		c := &clients[i]
		c.begins = ms(20) + time.Duration(i)*10*time.Microsecond
		c.asks, c.keeps = string(rune('a'+r.IntN(2))), r.IntN(3) == 0
		for range r.IntN(4) {
			c.waits = append(c.waits, ms(3)*ms(2)/time.Millisecond)
		}
		if r.IntN(3) == 0 {
			c.gives = time.Duration(1+r.IntN(8))*time.Millisecond + time.Duration(200+10*len(clients))*time.Microsecond
			for n := range c.waits {
				c.waits[n] = 0
			}
		}
	}
	return clients
}

// Shows that a retry loop with a deferred Close, whose answers nobody reads to their end,
// is seen as one whose client reads them: an answer is over when its last wait is, so that
// a wait before the next attempt is told in full, and an answer that is never closed is
// told of all the same.
func TestAnswersThatAreClosedInTheEnd(t *testing.T) {
	for _, entry := range []string{`fault "http_error" { status_code = 503 }`, "reply {\n status_code = 503\n latency = \"1ms\"\n}"} {
		synctest.Test(t, func(t *testing.T) {
			d := driven(t, "provider \"http\" \"web\" { base_url = \"https://web.test\" }\nscenario \"s\" {\n  on \"web\" {\n"+entry+"\n    reply { body = \"hello\" }\n    reply { body = \"open\" }\n  }\n  expect \"run\" { status = \"success\" }\n}\n", scenario.DriveOptions{})
			start := time.Now()
			(&sequence{asks: "a", waits: []time.Duration{30 * time.Second}, keeps: true}).play(t.Context(), start, d.Transport())
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "https://web.test/b", http.NoBody)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := d.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			r := d.Finish()
			if got := value(t, r, "[for c in endpoint.web.calls : [for a in c.attempts : [a.n, a.outcome, a.gap_ms]]]"); got != `[[[1,"failure",null],[2,"success",30000]],[[3,"success",null]]]` {
				t.Errorf("%s: %s", entry, got)
			}
			if got := problems(r); !slices.Equal(got, []string{"gate open_body"}) {
				t.Errorf("%s: %q, want the one answer that is open", entry, got)
			}
		})
	}
}

// modelCalls is which attempts are one call, by the words of the design: an attempt goes
// on with the latest call that asked the same and has nothing under way when it begins,
// unless that ended in success. They are put together as they end.
func modelCalls(clients []sequence, told [][]tell) []string {
	type attempt struct {
		asks string
		tell
	}
	var ended []attempt
	for i, list := range told {
		for _, one := range list {
			if one.status != 599 {
				ended = append(ended, attempt{clients[i].asks, one})
			}
		}
	}
	slices.SortStableFunc(ended, func(a, b attempt) int { return int(a.ended - b.ended) })
	type call struct {
		asks     string
		attempts []attempt
	}
	var calls []*call
	for _, a := range ended {
		var of *call
		for _, c := range slices.Backward(calls) {
			if c.asks == a.asks && c.attempts[len(c.attempts)-1].ended <= a.began {
				of = c
				break
			}
		}
		if of == nil || of.attempts[len(of.attempts)-1].status == http.StatusOK {
			of = &call{asks: a.asks}
			calls = append(calls, of)
		}
		of.attempts = append(of.attempts, a)
	}
	var list []string
	for _, c := range calls {
		text := c.asks
		for _, a := range c.attempts {
			text += fmt.Sprint(" ", a.began, "–", a.ended)
		}
		list = append(list, text)
	}
	return list
}

// gotCalls are the calls of a run in the words of modelCalls.
func gotCalls(t *testing.T, r *scenario.Result) []string {
	t.Helper()
	v, err := r.Value(`[[for e in events({ type = "attempt_start" }) : [e.attempt, trimprefix(e.url, "https://web.test/"), e.at_ns]], [for e in events({ type = "attempt_end" }) : [e.attempt, e.call_number, e.at_ns]]]`)
	if err != nil {
		t.Fatal(err)
	}
	number := func(of any, i int) int { return int(of.([]any)[i].(float64)) }
	begun := map[int]any{}
	for _, a := range v.([]any)[0].([]any) {
		begun[number(a, 0)] = a
	}
	var list []string
	for _, end := range v.([]any)[1].([]any) {
		a, n := begun[number(end, 0)], number(end, 1)
		if n > len(list) {
			list = append(list, a.([]any)[1].(string))
		}
		list[n-1] += fmt.Sprint(" ", time.Duration(number(a, 2)), "–", time.Duration(number(end, 2)))
	}
	return list
}

// Shows which attempts are one call, of clients that ask the same, or not, in parallel,
// and again after failures, at once or later, and after they have given up: in exact
// time, against a model made of the words of the design.
func TestCallsAreThoseOfTheModel(t *testing.T) {
	retried, parallel := 0, 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 15))
		clients := someClients(r)
		var entries []dealt
		for range 20 {
			entries = append(entries, dealt{[]int{200, 503, 503, 429}[r.IntN(4)], time.Duration(r.IntN(4)*r.IntN(4)) * time.Millisecond, 2})
		}
		told, result := driveAll(t, script(entries, "arrival"), clients)
		want := modelCalls(clients, told)
		if got := gotCalls(t, result); !slices.Equal(got, want) {
			t.Fatalf("seed %d:\n got %q\nwant %q\n%v", seed, got, want, clients)
		}
		for _, c := range want {
			if strings.Count(c, "–") > 1 {
				retried++
			}
		}
		parallel += len(want)
	}
	if retried < 100 || parallel-retried < 100 {
		t.Errorf("of %d calls %d have retries: the model was not tried", parallel, retried)
	}
}

// Shows where one call ends and the next begins at the very instant: what begins while
// the same is under way is a call of its own, and what begins when that is over goes on
// with it, be it at that instant. An answer without a wait is over at once.
func TestCallsAtTheSameInstant(t *testing.T) {
	for _, c := range []struct {
		latency, later time.Duration
		want           string // attempts of each call
	}{
		{40 * time.Millisecond, 0, "[1,1]"},
		{40 * time.Millisecond, 10 * time.Millisecond, "[1,1]"},
		{40 * time.Millisecond, 40*time.Millisecond - 1, "[1,1]"},
		{40 * time.Millisecond, 40 * time.Millisecond, "[2]"},
		{40 * time.Millisecond, 60 * time.Millisecond, "[2]"},
		{0, 0, "[2]"},
	} {
		for range 20 {
			_, r := driveAll(t, script([]dealt{{503, c.latency, 2}}, "refuse"), []sequence{{asks: "a"}, {asks: "a", begins: c.later}})
			if got := value(t, r, "[for c in endpoint.e.calls : length(c.attempts)]"); got != c.want {
				t.Errorf("answers after %s, the second request %s later: %s, want %s", c.latency, c.later, got, c.want)
			}
		}
	}
}

// modelOverlaps is what each attempt of some clients gets, under the instant at which it
// began, by the words of the design: entries in the order of the requests, but for one
// that was read before another's answer was over where the other order would give either
// another entry.
func modelOverlaps(entries []dealt, clients []sequence, told [][]tell) map[time.Duration][]tell {
	var flat []dealt
	for _, e := range entries {
		for range e.times {
			flat = append(flat, e)
		}
	}
	type request struct {
		at, gives time.Duration
	}
	var requests []request
	for i, list := range told {
		for _, one := range list {
			requests = append(requests, request{one.began, clients[i].gives})
		}
	}
	slices.SortStableFunc(requests, func(a, b request) int { return int(a.at - b.at) })
	var until []time.Duration // when each entry that was taken was over, or left
	want := map[time.Duration][]tell{}
	for _, r := range requests {
		next := len(until)
		inTheWay := slices.IndexFunc(until, func(end time.Duration) bool { return end > r.at })
		if next == len(flat) || inTheWay >= 0 && flat[inTheWay].status != flat[next].status {
			want[r.at] = append(want[r.at], tell{r.at, r.at, 599})
			continue
		}
		e := flat[next]
		got := tell{r.at, r.at + e.latency, e.status}
		if r.gives > 0 && r.gives < e.latency {
			got.ended, got.status = r.at+r.gives, 0
		}
		until, want[r.at] = append(until, got.ended), append(want[r.at], got)
	}
	return want
}

// Shows which requests overlap so that their order decides, and what everybody else gets,
// of clients in one lane: in exact time, against a model made of the words of the design.
// A client that asks again the instant at which it got its answer, or gave up, overlaps
// nothing of its own.
func TestOverlapsAreThoseOfTheModel(t *testing.T) {
	refused, answered := 0, 0
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 16))
		clients := someClients(r)
		var entries []dealt
		for n := range 12 {
			entries = append(entries, dealt{410 + n, time.Duration(r.IntN(4)) * time.Millisecond, 1 + r.IntN(3)})
		}
		told, _ := driveAll(t, script(entries, "refuse"), clients)
		want := modelOverlaps(entries, clients, told)
		for i, list := range told {
			for _, got := range list {
				w := want[got.began][0]
				want[got.began] = want[got.began][1:]
				if got.status == 599 {
					got.ended = got.began // up to a nanosecond of patience
					refused++
				} else {
					answered++
				}
				if got != w {
					t.Fatalf("seed %d, client %d %v: got %v, want %v\n%v", seed, i, clients[i], got, w, entries)
				}
			}
		}
	}
	if refused < 100 || answered < 400 {
		t.Errorf("%d refused, %d answered: the model was not tried", refused, answered)
	}
}

// Shows that a request which comes at the very instant at which the answer before it is
// over overlaps nothing, whichever of the two goroutines was the first at that instant.
func TestWhatComesWhenAnAnswerIsOverOverlapsNothing(t *testing.T) {
	entries := []dealt{{200, 40 * time.Millisecond, 1}, {200, 0, 1}, {200, 0, 1}}
	for later, want := range map[time.Duration]int{40*time.Millisecond - 1: 599, 40 * time.Millisecond: 200} {
		for range 50 {
			told, _ := driveAll(t, script(entries, "refuse"), []sequence{{asks: "a"}, {asks: "b", begins: later}})
			if got := told[1][0].status; got != want {
				t.Errorf("%s after the first: %d, want %d", later, got, want)
			}
		}
	}
}
