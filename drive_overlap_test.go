package scenario_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario"
)

// Two different requests of one lane that overlap, and whose order decides who
// gets what, break the gate: the second has no answer, in words that clients do
// not try again (drive.md §4, §5).
func TestOverlapIsRefused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []string
		d := driven(t, twoEntries, scenario.DriveOptions{OnProblem: func(p scenario.Problem, times int) {
			told = append(told, fmt.Sprint(p.Name, " ", times))
		}})
		var first answered
		var done sync.WaitGroup
		done.Go(func() { first = ask(t.Context(), d, message{prompt: "a"}) })
		time.Sleep(time.Millisecond)
		second := ask(t.Context(), d, message{prompt: "b"})
		done.Wait()
		if first.status != 503 || second.status != 599 || second.reason != "599 scenario: ambiguous" || second.header.Get("X-Should-Retry") != "false" {
			t.Errorf("%+v and %+v", first, second)
		}
		var body struct {
			Error struct{ Type, Gate, Message string }
		}
		if err := json.Unmarshal([]byte(second.body), &body); err != nil || body.Error.Type != "scenario_gate" || body.Error.Gate != "ambiguous" || !strings.Contains(body.Error.Message, "lane = request.body") {
			t.Errorf("%s, %v", second.body, err)
		}
		if !slices.Equal(told, []string{"ambiguous 1"}) {
			t.Errorf("told %q", told)
		}
		r := d.Finish()
		if got := problems(r); !slices.Contains(got, "gate ambiguous") || r.Verdict() != scenario.Failed {
			t.Errorf("%q", got)
		}
	})
}

// Requests that wait for their turn keep their order: each takes its entry when
// the client before it is seen to have left, or is refused when its time is over.
func TestWaitingRequestsKeepTheirOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, `
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content = "late"
      latency = "10s"
    }
    reply { content = "second" }
    reply { content = "third" }
  }
  expect "run" { status = "success" }
}
`, scenario.DriveOptions{Patience: 50 * time.Millisecond})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		var done sync.WaitGroup
		done.Go(func() { ask(ctx, d, message{prompt: "a"}) })
		time.Sleep(980 * time.Millisecond)
		var answers [2]answered
		for i := range answers {
			done.Go(func() { answers[i] = ask(t.Context(), d, message{prompt: fmt.Sprint(i)}) })
			time.Sleep(time.Millisecond)
		}
		done.Wait()
		if !strings.Contains(answers[0].body, "second") || !strings.Contains(answers[1].body, "third") {
			t.Errorf("%+v", answers)
		}
		if r := d.Finish(); r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
	})
}

// A request that waits for the client before it to leave overlaps it all the same
// where that client is answered instead, and so does whoever came meanwhile; the next
// that meets nobody has the entry that was left (drive.md §4).
func TestAnAnswerExcusesNoOverlap(t *testing.T) {
	for name, c := range map[string]struct {
		leaves time.Duration // the first client, after
		want   [3]int
	}{
		"answered": {time.Second, [3]int{200, 599, 599}},
		"leaves":   {30 * time.Millisecond, [3]int{0, 201, 202}},
		"late":     {90 * time.Millisecond, [3]int{200, 599, 599}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := driven(t, `
provider "http" "web" { base_url = "https://web.test" }
scenario "s" {
  on "web" {
    reply { latency = "40ms" }
    reply { status_code = 201 }
    reply { status_code = 202 }
  }
  expect "run" { status = "success" }
}
`, scenario.DriveOptions{Patience: 50 * time.Millisecond})
				get := func(ctx context.Context, path string) int {
					req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://web.test/"+path, nil)
					if err != nil {
						t.Fatal(err)
					}
					resp, err := (&http.Client{Transport: d.Transport()}).Do(req)
					if err != nil {
						return 0
					}
					defer resp.Body.Close()
					_, _ = io.Copy(io.Discard, resp.Body)
					return resp.StatusCode
				}
				ctx, cancel := context.WithTimeout(t.Context(), c.leaves)
				defer cancel()
				var got [3]int
				var done sync.WaitGroup
				for i, path := range []string{"a", "b", "c"} {
					with := t.Context()
					if i == 0 {
						with = ctx
					}
					done.Go(func() { got[i] = get(with, path) })
					time.Sleep(3 * time.Millisecond)
				}
				done.Wait()
				if got != c.want {
					t.Errorf("got %d, want %d", got, c.want)
				}
				if c.want[1] == 599 {
					if status := get(t.Context(), "d"); status != 201 {
						t.Errorf("who meets nobody got %d", status)
					}
				}
				d.Finish()
			})
		})
	}
}

// Overlapping is harmless where the other order would give each the same entry:
// a script of one, an entry with times; and where chance is meant to decide.
func TestOverlapIsHarmless(t *testing.T) {
	for name, script := range map[string]string{
		"one entry": `reply {
      content = "yes"
      latency = "1s"
    }`,
		"times": `reply {
      content = "yes"
      latency = "1s"
      times   = 2
    }
    reply {
      content  = "no"
      optional = true
    }`,
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := driven(t, "provider \"openai\" \"llm\" {}\nscenario \"s\" {\n  on \"llm\" {\n    "+script+"\n  }\n  expect \"llm\" { status = \"success\" }\n}\n", scenario.DriveOptions{})
				var both [2]answered
				var done sync.WaitGroup
				for i := range both {
					done.Go(func() { both[i] = ask(t.Context(), d, message{prompt: fmt.Sprint(i)}) })
				}
				done.Wait()
				r := d.Finish()
				if both[0].status != 200 || both[1].status != 200 || r.Verdict() != scenario.Passed {
					t.Errorf("%+v: %v", both, r.Problems())
				}
				if got := value(t, r, "endpoint.llm.in_flight_max"); got != "2" {
					t.Errorf("in flight %s", got)
				}
			})
		})
	}
	synctest.Test(t, func(t *testing.T) {
		d := driven(t, strings.Replace(twoEntries, `provider "openai" "llm" {}`, "provider \"openai\" \"p\" {}\nendpoint \"llm\" {\n  provider   = provider.p\n  concurrent = \"arrival\"\n}", 1), scenario.DriveOptions{})
		var done sync.WaitGroup
		for i := range 2 {
			done.Go(func() { ask(t.Context(), d, message{prompt: fmt.Sprint(i)}) })
		}
		done.Wait()
		if r := d.Finish(); r.Verdict() != scenario.Passed {
			t.Errorf("%v", r.Problems())
		}
	})
}

// A client that has left is seen to have, also where it asks again before its
// first request has returned.
func TestAsksAgainBeforeItReturns(t *testing.T) {
	for range 50 {
		synctest.Test(t, func(t *testing.T) {
			d := driven(t, `
provider "openai" "llm" {}
scenario "s" {
  on "llm" {
    reply {
      content = "late"
      latency = "10s"
    }
    reply { content = "yes" }
  }
  expect "llm" { status = "success" }
}
`, scenario.DriveOptions{})
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			defer cancel()
			var done sync.WaitGroup
			done.Go(func() { ask(ctx, d, message{prompt: "a"}) })
			<-ctx.Done()
			if a := ask(t.Context(), d, message{prompt: "a"}); a.status != 200 {
				t.Errorf("%+v", a)
			}
			done.Wait()
			r := d.Finish()
			if got := value(t, r, "[for a in endpoint.llm.attempts : a.outcome]"); got != `["cancelled","success"]` || r.Verdict() != scenario.Passed {
				t.Errorf("%s: %v", got, r.Problems())
			}
		})
	}
}
