package explore

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp"
)

// cast of events: a step that calls an actor, which calls another one, and calls of the
// scenario beside them.
const acted = head + `
registry "services" { ttl = "20s" }
actor "front" {
  handler "ask" { forward_to = actor.back.answer }
}
actor "back" {
  registry = registry.services
  handler "answer" {
    takes   = "2s"
    timeout = "5s"
    return  = "fine"
  }
}
workflow "w" {
  on_failure = "continue"
  step "call" "front" {
    target   = actor.front.ask
    timeout  = "8s"
    required = false
  }
  step "http" "bill" {
    provider   = provider.billing
    path       = "/"
    depends_on = [step.front]
    required   = false
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unfired_fault"]
  on "bill" {
    reply {
      body    = "so"
      latency = "1s"
    }
  }
  call "later" {
    target = actor.back.answer
    at     = "1s"
  }
  event "kill back" {
    kill     = actor.back
    at       = "90s"
    optional = true
  }
  expect "run" { status = "success" }
}
`

// Every event, and every way back of one, written as a block, gives the trace that it
// gave when it was injected, alone and with a fault.
func TestEmittedEventsAreInjected(t *testing.T) {
	w := Interpreted(plansOf(t, acted)[0], nil)
	s := newSearch(w, &Options{MaxK: 2, Kinds: []string{KindEvent, KindCancel, "connection_refused"}})
	if !s.begin() {
		t.Fatalf("%+v", s.report.Base.Problems)
	}
	sets := s.events(s.base.instants)
	for _, set := range slices.Clone(sets) {
		for i := range s.base.points {
			if p := &s.base.points[i]; p.Address == "bill" {
				sets = append(sets, Set{set[0], s.catalogue.at(p)[0]})
			}
		}
	}
	compared, what := 0, map[string]int{}
	for n, set := range sets {
		if testing.Short() && n%7 != 0 {
			continue
		}
		run := w.Happen(set.Occurrences(), set.Injector(), 0)
		if len(set) > 1 && run.Injected.Strikes == 0 {
			continue
		}
		found, err := Emit(w, &Find{Oracle: "invariant", Name: "none", Set: set, Events: run.Events}, []byte(acted), "../a.scenario.hcl")
		if err != nil {
			t.Errorf("%s: %v", set, err)
			continue
		}
		again := interp.Run(emitted(t, acted, found), interp.RunOptions{})
		if diff := cmp.Diff(placeless(t, run.Events), placeless(t, again.Events)); diff != "" {
			t.Fatalf("%s (- injected, + written):\n%s\n%s", set, diff, found)
		}
		compared++
		for _, o := range set.Occurrences() {
			what[o.What]++
		}
	}
	for _, w := range []string{"kill", "restart", "unreachable", "reachable", "partition", "heal", "cancel"} {
		if what[w] == 0 {
			t.Errorf("no %s was compared, of %d", w, compared)
		}
	}
}

// What happens is at each instant of the run and between each two; the way back is at
// the next instant, and just after each time of the file. An event does not take the name
// of a block. Cancellations are tried where they are asked for.
func TestEvents(t *testing.T) {
	w := Interpreted(plansOf(t, acted)[0], nil)
	s := newSearch(w, &Options{MaxK: 1})
	s.begin()
	var list []string
	for _, set := range s.events([]time.Duration{0, 2 * time.Second, 3 * time.Second}) {
		list = append(list, set.String())
	}
	text := strings.Join(list, "\n")
	for _, want := range []string{
		"kill front at 0s", "kill front at 1s", "kill back at 2s", "kill back at 2.5s", "kill back at 3s",
		"kill back at 0s, restart back at 2s",      // the next instant
		"kill back at 0s, restart back at 5.001s",  // the timeout of the handler
		"kill back at 0s, restart back at 8.001s",  // that of the step
		"kill back at 0s, restart back at 20.001s", // the time to live
		"unreachable back at 1s, reachable back at 2s",
		"partition front | back at 0s, heal at 2s",
	} {
		if !slices.Contains(list, want) {
			t.Errorf("%q is not tried:\n%s", want, text)
		}
	}
	if strings.Contains(text, "cancel") {
		t.Errorf("a cancellation that nobody asked for:\n%s", text)
	}
	if set := s.events([]time.Duration{0})[0]; set[0].Events[0].Name == "kill back" {
		t.Error("an event has the name of a block")
	}
	s.Kinds = []string{KindCancel}
	list = nil
	for _, set := range s.events([]time.Duration{0}) {
		list = append(list, set.String())
	}
	if want := []string{"cancel run at 0s", "cancel call.later at 0s"}; !slices.Equal(list, want) {
		t.Errorf("%q, want %q", list, want)
	}
}

// A variant that only an event tells from its world is told from it: how long the entry of
// an actor lives shows where the actor dies.
func TestReferenceTriesEvents(t *testing.T) {
	later := strings.Replace(acted, `at     = "1s"`, `at     = "30s"`, 1)
	r := NewReference(Interpreted(plansOf(t, later)[0], nil), Options{Kinds: []string{KindEvent}})
	defer r.Close()
	variant := Interpreted(plansOf(t, strings.Replace(later, `ttl = "20s"`, `ttl = "60s"`, 1))[0], nil)
	set, _, _ := r.Differs(variant, 1, 1<<20)
	if len(set) != 1 || set[0].Events == nil {
		t.Errorf("told apart by %q", set)
	}
	again, _, all := r.Differs(Interpreted(plansOf(t, later)[0], nil), 1, 1<<20)
	if again != nil || !all {
		t.Errorf("the world is told from itself by %q", again)
	}
}
