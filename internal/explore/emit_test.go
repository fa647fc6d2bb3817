package explore

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/providers/wrong"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/trace"
)

// emitted compiles a file that was written, beside the one that was explored.
func emitted(t *testing.T, world string, found []byte) *interp.Plan {
	t.Helper()
	l := suite.Loader{Placeholder: func(string) bool { return true }, Source: suite.FS(fstest.MapFS{
		"a.scenario.hcl": {Data: []byte(world)}, "found/b.scenario.hcl": {Data: found},
	})}
	defer l.Close()
	f := l.Load("found/b.scenario.hcl")
	if f.Failed() {
		t.Fatalf("%s%s\n%s", f.Diags, f.Crash, found)
	}
	return f.Plans[0]
}

// A find that is written fails when it is run, of the same, and no more once the
// program is mended.
func TestEmittedFindsFail(t *testing.T) {
	for n, p := range sampled() {
		text := world(p.text, nil)
		r, _ := plantedReport(t, n)
		for _, f := range r.Finds {
			found, err := Emit(r.World, f, []byte(text), "../a.scenario.hcl")
			if err != nil {
				t.Errorf("%s: %q: %v", p.name, f.Name, err)
				continue
			}
			run := interp.Run(emitted(t, text, found), interp.RunOptions{})
			if !slices.ContainsFunc(run.Problems, func(b interp.Problem) bool { return f.Is(&b) }) {
				t.Errorf("%s: %q does not fail:\n%s", p.name, f.Name, found)
			}
			if run = interp.Run(emitted(t, world(p.text, p.mended), found), interp.RunOptions{}); run.Verdict != interp.Pass {
				t.Errorf("%s: %q fails in the twin: %+v\n%s", p.name, f.Name, run.Problems, found)
			}
		}
	}
}

// scripted are worlds whose scripts are of every form that a fault can be put into.
var scripted = []string{
	`
workflow "w" {
  provider = provider.model
  step "llm" "ask" {
    prompt = "why?"
    retry  = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {
      status_code = 503
      times       = 2
    }
    reply {
      content  = "so"
      latency  = "2s"
      cost_usd = 0.25
    }
  }
  expect "ask" { content = "so" }
}`, `
workflow "w" {
  provider = provider.model
  step "loop" "twice" {
    while = loop.index < 3
    step "llm" "ask" {
      prompt = "why?"
      stream = true
      retry  = retry.thrice
    }
  }
  step "llm" "tell" { prompt = "tell" }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      content = "one two three"
      times   = "*"
    }
  }
  on "twice.ask" {
    reply { content = "the first of all" }
    reply {
      content = "the second, and the third"
      times   = 2
    }
  }
  expect "tell" { content = "one two three" }
}`, `
gateway "both" {
  target "first" { provider = provider.model }
  target "second" { provider = provider.model }
}
workflow "w" {
  gateway = gateway.both
  step "llm" "ask" {
    prompt = "why?"
    retry  = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    target = "first"
    fault "connection_reset" {}
    reply {
      content  = "from the first"
      optional = true
    }
  }
  on "ask" {
    reply {
      content = "from the second"
      times   = "*"
    }
  }
  expect "ask" { content = "from the second" }
}`, `
workflow "w" {
  provider = provider.model
  step "loop" "again" {
    while = loop.index < 3
    step "llm" "ask" {
      prompt = "why?"
      retry  = retry.thrice
    }
  }
}
scenario "s" {
  run = workflow.w
  on "again.ask" {
    reply { content = "so" }
  }
  expect "run" { status = "success" }
}`, `
provider "mcp" "tools" { base_url = "http://tools/mcp" }
provider "sql" "db" { base_url = "postgres://db/a" }
workflow "w" {
  step "loop" "twice" {
    while = loop.index < 2
    step "http" "order" {
      provider = provider.billing
      path     = "/orders"
    }
  }
  step "http" "page" {
    provider = provider.billing
    path     = "/page"
    stream   = true
  }
  step "mcp" "search" {
    provider  = provider.tools
    tool      = "search"
    arguments = { q = "x" }
  }
  step "sql" "rows" {
    provider = provider.db
    query    = "select 1"
  }
  step "sql" "change" {
    provider = provider.db
    query    = "update a"
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["deadlock"]
  on "twice.order" {
    reply {
      json     = { id = 7, items = [{ sku = "a" }, { sku = "b" }], note = null }
      latency  = "1s"
      cost_usd = 0.5
    }
    reply { body = "a text\nof two lines with $${signs}" }
  }
  on "page" {
    reply { chunks = ["one", "{\"two\": 2}", "three", "four", "five"] }
  }
  on "search" {
    reply { structured = { hits = ["a", "b"], total = 2 } }
  }
  on "rows" {
    reply { rows = [{ id = 1, name = "a" }, { id = 2, name = "b" }] }
  }
  on "change" {
    reply { affected = 3 }
  }
  expect "run" { status = "success" }
}`,
}

// Every fault at every point of a run, written into its scripts, gives the trace that
// the injector gave, but for where the fault stands.
func TestEmittedIsInjected(t *testing.T) {
	compared, changed := 0, map[wrong.Way]int{}
	for n, text := range scripted {
		text = head + text
		w := Interpreted(plansOf(t, text)[0], nil)
		points, base := w.bare()
		cat := catalogueOf(w, &Options{}, figuresOf(w.Plan), base.Events)
		if base.Verdict != interp.Pass {
			t.Fatalf("world %d does not pass: %+v", n, base.Problems)
		}
		var sets []Set
		for i := range points {
			for _, o := range placesOf(w, &points[i]) {
				for _, x := range cat.lasting(&points[i], &o) {
					brief := o
					brief.To = o.From + 1500*time.Millisecond
					ended := x
					ended.Outage = &brief
					sets = append(sets, Set{x}, Set{ended})
				}
			}
			p := &points[i]
			for _, by := range []time.Duration{time.Millisecond, 1500 * time.Millisecond, time.Hour} {
				sets = append(sets, Set{{Address: p.Address, Lane: p.Lane, N: p.N, Fault: faults.Late(), Args: schema.Values{"by": by}}})
			}
			for _, way := range wrong.Ways() {
				sets = append(sets, Set{{Address: p.Address, Lane: p.Lane, N: p.N, Wrong: way}})
			}
			for m, x := range cat.at(p) {
				if !testing.Short() || m%4 == n {
					sets = append(sets, Set{x})
				}
				for j := i + 1; j < len(points) && (!testing.Short() || m%6 == 0); j++ {
					others := cat.at(&points[j])
					sets = append(sets, Set{x, others[(5*m+j)%len(others)]})
				}
			}
		}
		for _, set := range sets {
			run := w.Run(func(p interp.Point) *interp.Injection { return set.at(&p) }, 0)
			if run.Injected.Unfit != "" || run.Injected.Strikes < len(set) {
				continue
			}
			found, err := Emit(w, &Find{Oracle: "invariant", Name: "none", Set: set, Events: run.Events, Reply: run.Injected.Reply}, []byte(text), "../a.scenario.hcl")
			if err != nil {
				if !strings.Contains(err.Error(), "over a new connection") {
					t.Errorf("world %d, %s: %v", n, set, err)
				}
				continue
			}
			if set[0].Wrong != "" {
				changed[set[0].Wrong]++
			}
			again := interp.Run(emitted(t, text, found), interp.RunOptions{})
			if diff := cmp.Diff(placeless(t, run.Events), placeless(t, again.Events)); diff != "" {
				t.Errorf("world %d, %s (- injected, + written):\n%s\n%s", n, set, diff, found)
			}
			compared++
		}
	}
	if compared < 50 {
		t.Errorf("%d were compared", compared)
	}
	for _, way := range wrong.Ways() {
		if changed[way] < 2 {
			t.Errorf("%s was compared %d times", way, changed[way])
		}
	}
}

// The same of actors: of every fault and outage of a call, and of a part of one.
func TestEmittedStrikesOfActors(t *testing.T) {
	const text = `
actor "desk" {
  pool "db" { size = 1 }
  handler "answer" {
    takes   = "1s"
    uses    = ["db"]
    timeout = "1h"
    return  = "fine"
  }
}
scenario "s" {
  call "ask" {
    target = actor.desk.answer
    at     = ["0s", "5s", "7s"]
  }
  assert "fine" { condition = [for c in call.ask : c.output] == ["fine", "fine", "fine"] }
}`
	w := Interpreted(plansOf(t, text)[0], nil)
	points, base := w.bare()
	cat := catalogueOf(w, &Options{}, figuresOf(w.Plan), base.Events)
	compared := 0
	for i := range points {
		strikes := cat.at(&points[i])
		for _, o := range placesOf(w, &points[i]) {
			strikes = append(strikes, cat.lasting(&points[i], &o)...)
		}
		for _, x := range strikes {
			set := Set{x}
			run := w.Run(set.Injector(), 0)
			if run.Injected.Unfit != "" {
				continue
			}
			found, err := Emit(w, &Find{Oracle: "invariant", Name: "none", Set: set, Events: run.Events}, []byte(text), "../a.scenario.hcl")
			if errors.Is(err, errStartup) {
				continue
			}
			if err != nil {
				t.Errorf("%s: %v", set, err)
				continue
			}
			again := interp.Run(emitted(t, text, found), interp.RunOptions{})
			if diff := cmp.Diff(placeless(t, run.Events), placeless(t, again.Events)); diff != "" {
				t.Errorf("%s (- injected, + written):\n%s\n%s", set, diff, found)
			}
			compared++
		}
	}
	if compared < 200 {
		t.Errorf("only %d were compared", compared)
	}
}

// placeless are events without what says where a fault stands, and without gates,
// which say that of a script.
func placeless(t *testing.T, events []trace.Event) []string {
	t.Helper()
	var lines []string
	for _, e := range events {
		var members map[string]any
		if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
			t.Fatal(err)
		}
		if members["type"] == "gate" {
			continue
		}
		for _, key := range []string{"entry", "line", "file", "plan", "run_id", "seq"} {
			delete(members, key)
		}
		lines = append(lines, fmt.Sprint(members))
	}
	return lines
}

// What cannot be written says why.
func TestFindsThatAreNotWritten(t *testing.T) {
	text := head + scripted[0]
	w := Interpreted(plansOf(t, text)[0], nil)
	x := Strike{Address: "ask", N: 1, Fault: faults.Trials(faults.Figures{})[0].Kind}
	late := x
	late.N = 9
	for _, c := range []struct {
		strike Strike
		text   string
		want   string
	}{
		{late, text, "did not come to its end"},
		{x, strings.Replace(text, `scenario "s" {`, "scenario \"s\" {\n  for_each = [1]", 1), "one of many"},
		{x, strings.Replace(text, `run = workflow.w`, "run = workflow.w\n  cassette { path = \"a.yaml\" }", 1), "a recording"},
		{x, strings.Replace(text, `times       = 2`, "times       = var.n", 1), "is computed"},
	} {
		run := w.Run(func(interp.Point) *interp.Injection { return nil }, 0)
		if _, err := Emit(w, &Find{Set: Set{c.strike}, Events: run.Events}, []byte(c.text), "../a.scenario.hcl"); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", c.want, err)
		}
	}
}
