package explore

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// delayed are the delays of a world that searches try, of one address.
func delayed(t *testing.T, text, address string) []time.Duration {
	t.Helper()
	var mine []time.Duration
	w := Interpreted(plansOf(t, text)[0], nil)
	run := w.Run
	w.Run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		return run(func(p interp.Point) *interp.Injection {
			in := inject(p)
			if by, ok := time.Duration(0), in != nil; ok && p.Address == address {
				if by, ok = in.Args["by"].(time.Duration); ok {
					mine = append(mine, by)
				}
			}
			return in
		}, events)
	}
	Explore(w, Options{MaxK: 1, Runs: 1000, Kinds: []string{"delay"}})
	slices.Sort(mine)
	return mine
}

// An answer is late so that it comes just before, at and just behind each instant at
// which something happens while it is waited for, and no later than it is waited for:
// the end of another step at 2 s, its own deadline at 10 s. It would have come after 0.5
// s. Where two instants are nearer than 2 ms to each other, it comes between them.
func TestDelaysAreAroundInstants(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  step "http" "ask" { path = "/" }
  step "http" "other" { path = "/other" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { latency = "500ms" }
  }
  on "other" {
    reply { latency = "LATENCY" }
  }
  expect "run" { status = "success" }
}`
	ms := func(list ...float64) (all []time.Duration) {
		for _, n := range list {
			all = append(all, time.Duration(n*float64(time.Millisecond)))
		}
		return all
	}
	for latency, want := range map[string][]time.Duration{
		"2s":     ms(1499, 1500, 1501, 9499, 9500),
		"501ms":  ms(0.5, 1, 2, 9499, 9500),
		"9999ms": ms(9498, 9499, 9499.5, 9500),
		"400ms":  ms(9499, 9500),
	} {
		if got := delayed(t, strings.Replace(text, "LATENCY", latency, 1), "ask"); !slices.Equal(got, want) {
			t.Errorf("with the other's end at %s: %s, want %s", latency, got, want)
		}
	}
}

// A delay of a find is as round as it still shows the find.
func TestDelaysAreRound(t *testing.T) {
	for _, p := range planted {
		if p.find != "who pays does so within five seconds" {
			continue
		}
		r := searched(t, world(p.text, nil), Options{MaxK: 1, Kinds: []string{"delay"}})
		if got, want := findsOf(r), []string{"invariant " + p.find + ": pay, attempt 1: 10s late"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// An outage is also tried until a policy has done something about it: here until the
// breaker has opened, with the second failure at 1 s. Its probe at 2 s is struck by the
// outage that lasts, and by the other it is not.
func TestOutagesEndWhenAPolicyReacts(t *testing.T) {
	const text = head + `
breaker "quick" {
  threshold = 2
  reset     = "500ms"
}
gateway "both" {
  target "first" {
    provider = provider.billing
    breaker  = breaker.quick
  }
}
workflow "w" {
  gateway = gateway.both
  step "http" "ask" {
    path  = "/"
    retry = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply {}
  }
  expect "run" { status = "success" }
}`
	tried := map[string]bool{}
	ref := NewReference(Interpreted(plansOf(t, text)[0], nil), Options{Kinds: []string{"outage", "http_error"}})
	defer ref.Close()
	for i := 0; ; i++ {
		tr, ok := ref.at(1, i)
		if !ok {
			break
		}
		if tr.set[0].Outage != nil {
			tried[tr.set.String()] = true
		}
	}
	for _, want := range []string{"all of ask from 0s on: 503", "all of ask from 0s to 1.001s: 503"} {
		if !tried[want] {
			t.Errorf("%q is not tried: %v", want, tried)
		}
	}
}

// An outage of a service behind a breaker also strikes one attempt less than its
// threshold, as many, and one more.
func TestOutagesEndAroundThresholds(t *testing.T) {
	const text = head + `
breaker "calm" {
  threshold = 3
  reset     = "1s"
}
retry "linear" "often" {
  delay       = "2s"
  max_retries = 6
}
gateway "guarded" {
  target "one" {
    provider = provider.model
    breaker  = breaker.calm
  }
}
workflow "w" {
  gateway = gateway.guarded
  step "llm" "ask" {
    prompt = "why?"
    retry  = retry.often
  }
}` + asked
	w := Interpreted(plansOf(t, text)[0], nil)
	s := newSearch(w, &Options{MaxK: 1})
	if !s.begin() {
		t.Fatalf("%+v", s.report.Base.Problems)
	}
	for _, set := range s.singles() {
		if set[0].Outage == nil || set[0].Fault.Name != "connection_refused" || set[0].Outage.Address != "ask" {
			continue
		}
		o := w.play(set, s.reader, s.limit, true)
		var struck []int
		for _, ended := range s.untilCount(o) {
			struck = append(struck, len(w.play(ended, s.reader, s.limit, true).struck))
		}
		if want := []int{2, 3, 4}; !slices.Equal(struck, want) {
			t.Errorf("%s: so many attempts are struck: %v, want %v", set, struck, want)
		}
		return
	}
	t.Error("there is no such outage")
}
