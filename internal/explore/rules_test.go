package explore

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/trace"
)

// The rules have the names of the invariants of the module that are about steps, in
// their order. Those about endpoints are for programs.
func TestRulesAreThoseOfTheModule(t *testing.T) {
	src, ok := stdlib.Module(strings.TrimPrefix(StandardRules, stdlib.ModulePrefix))
	if !ok {
		t.Fatal("there is no such module")
	}
	var want, got []string
	for _, block := range strings.Split(string(src), "\ninvariant \"")[1:] {
		name, condition, _ := strings.Cut(block, "\"")
		if !strings.Contains(condition, "in endpoints") {
			want = append(want, name)
		}
	}
	for _, r := range rules {
		got = append(got, r.name)
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, and the module has %q", got, want)
	}
}

// policies is a world in which every rule has something to say: waits of a server,
// a terminal failure, deadlines, a breaker.
const policies = `
import = ["std/resilience"]
` + head + `
breaker "low" {
  threshold = 1
  reset     = "2s"
}
gateway "guarded" {
  target "one" {
    provider = provider.model
    breaker  = breaker.low
  }
}
workflow "w" {
  gateway = gateway.guarded
  timeout = "40s"
  step "llm" "ask" {
    prompt          = "why?"
    retry           = retry.thrice
    attempt_timeout = "3s"
    timeout         = "20s"
    required        = false
  }
  step "llm" "again" {
    prompt = "and?"
    retry  = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      content = "so"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
`

// locks is the same for rules about locks: two calls that take two of them in different
// orders, each over a call that may be struck.
const locks = `
import = ["std/resilience"]
` + head + `
lock "order" { acquire_timeout = "20s" }
lock "stock" { acquire_timeout = "20s" }
actor "shop" {
  handler "order" {
    lock     = ["order"]
    workflow = workflow.ordering
  }
}
actor "store" {
  handler "count" {
    lock     = ["stock"]
    workflow = workflow.counting
  }
}
actor "desk" {
  pool "db" { size = 1 }
  handler "take" {
    lock  = ["stock"]
    uses  = ["db"]
    takes = "1s"
  }
  handler "close" { forward_to = actor.till.shut }
}
actor "till" {
  handler "shut" { lock = ["order"] }
}
workflow "ordering" {
  step "wait" "first" { for = "6s" }
  step "call" "take" {
    target     = actor.desk.take
    depends_on = [step.first]
  }
}
workflow "counting" {
  step "call" "close" { target = actor.desk.close }
}
scenario "s" {
  call "buyer" { target = actor.shop.order }
  call "clerk" {
    target = actor.store.count
    at     = "5s"
  }
  expect "buyer" { status = "success" }
}
`

// passes is the same for rules about steps that run again: in a loop until they succeed,
// and by a retry of the workflow around them.
const passes = `
import = ["std/resilience"]
` + head + `
workflow "asking" {
  provider = provider.model
  step "llm" "ask" {
    prompt = "why?"
    retry  = retry.thrice
  }
}
workflow "w" {
  provider = provider.model
  step "workflow" "outer" {
    run        = workflow.asking
    retry      = retry.thrice
    idempotent = true
    required   = false
  }
  step "loop" "again" {
    while          = loop.index == 0 || try(step.try.status != "success", true)
    max_iterations = 3
    step "llm" "try" {
      prompt   = "and?"
      required = false
    }
    step "wait" "pause" { for = "1s" }
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {
      content = "so"
      times   = "*"
    }
  }
  expect "run" { status = "success" }
}
`

// What the rules say of a trace is what the invariants say of it, also of traces that
// no run of this engine could have: some of its lines are changed or missing.
func TestRulesAgreeWithTheModule(t *testing.T) {
	broke, compared := map[string]int{}, 0
	every := 1
	if testing.Short() {
		every = 3
	}
	compared += agree(t, policies, every, broke)
	compared += agree(t, passes, every, broke)
	compared += agree(t, locks, 40, broke)
	if len(broke) != len(rules) || compared < 100 {
		t.Errorf("%d traces were compared, and these were broken: %v", compared, broke)
	}
}

// agree compares the rules with the invariants in the runs of a world under single faults,
// and counts which were broken. Of the rarer faults it is one of so many.
func agree(t *testing.T, text string, every int, broke map[string]int) (compared int) {
	t.Helper()
	p := plansOf(t, text)[0]
	w := Interpreted(p, nil)
	points, base := w.bare()
	numbers := figuresOf(w.Plan)
	s := &search{Options: &Options{}, world: w, figures: numbers, catalogue: catalogueOf(w, &Options{}, numbers, base.Events)}
	for i := range points {
		for n, x := range s.catalogue.at(&points[i]) {
			set := Set{x}
			r := w.Run(func(at interp.Point) *interp.Injection { return set.at(&at) }, 0)
			if r.Injected.Unfit != "" {
				continue
			}
			for m, change := range changes {
				if n > 6 && (n+m)%every != 0 {
					continue
				}
				events := changed(t, r.Events, change)
				judged, err := interp.Judge(p, events)
				if err != nil {
					continue
				}
				var want, got []string
				for _, b := range judged.Problems {
					if b.Kind == "invariant" && b.Range.Filename == StandardRules {
						want = append(want, b.Name)
						broke[b.Name]++
					}
				}
				for _, b := range brokenRules(events) {
					got = append(got, b.Name)
				}
				slices.Sort(want)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%s, change %d: the rules say %q, the invariants %q", set, m, got, want)
				}
				compared++
			}
		}
	}
	return compared
}

// changes are what is done to the lines of a trace: nil leaves one out.
var changes = []func(e map[string]any) map[string]any{
	func(e map[string]any) map[string]any { return e },
	func(e map[string]any) map[string]any { // a deadline ends late
		if e["type"] == "attempt_end" && e["kind"] == "timeout" {
			e["at_ns"] = e["at_ns"].(float64) + 1e6
		}
		return e
	},
	func(e map[string]any) map[string]any { // a failure is terminal
		if e["type"] == "attempt_end" && e["outcome"] == "failure" {
			e["terminal"] = true
		}
		return e
	},
	func(e map[string]any) map[string]any { // an answer is cut
		if e["type"] == "attempt_end" && e["outcome"] == "success" {
			delete(e, "complete")
		}
		return e
	},
	func(e map[string]any) map[string]any { // a server asked for more
		if e["type"] == "attempt_end" && e["outcome"] == "failure" {
			e["retry_after_ns"] = 5e9
		}
		return e
	},
	func(e map[string]any) map[string]any { // an attempt never ends
		if e["type"] == "attempt_end" && e["step"] == "again" {
			return nil
		}
		return e
	},
	func(e map[string]any) map[string]any { // a breaker opens at once, and stays open
		if e["type"] == "breaker" {
			e["to"] = "open"
		}
		return e
	},
	func(e map[string]any) map[string]any { // a lock is not given back
		if e["type"] == "unlock" && e["call"] == "buyer" {
			return nil
		}
		return e
	},
	func(e map[string]any) map[string]any { // nor a connection
		if e["type"] == "pool" && e["action"] == "release" {
			return nil
		}
		return e
	},
}

// changed are events with a change made to each.
func changed(t *testing.T, events []trace.Event, change func(map[string]any) map[string]any) []trace.Event {
	t.Helper()
	var list []trace.Event
	for _, e := range events {
		var members map[string]any
		if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
			t.Fatal(err)
		}
		if members = change(members); members == nil {
			continue
		}
		line, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		read, err := interp.ReadEvent(line)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, read)
	}
	return list
}

// A file that imports the rules has the same finds as one that does not, with and without
// --no-std: searched runs are held to the rules of Go alone, which take a tenth of the
// time.
func TestImportedRulesAreThoseOfGo(t *testing.T) {
	text := world(planted[0].text, nil)
	imported := `import = ["std/resilience"]` + "\n" + text
	o := Options{MaxK: 1, Runs: 1000, Except: []string{"deadlock"}}
	want := findsOf(searched(t, text, o))
	if len(want) == 0 {
		t.Fatal("nothing is found")
	}
	for _, without := range []bool{false, true} {
		o.NoStandard = without
		r := searched(t, imported, o)
		if got := findsOf(r); !slices.Equal(got, want) {
			t.Errorf("--no-std %t: %q, want %q", without, got, want)
		}
		for _, c := range r.Idle {
			if isStandard(c) {
				t.Errorf("%q is told to be never evaluated", c.Name)
			}
		}
	}
	w := Interpreted(plansOf(t, imported)[0], nil)
	if !standard(w.Run(nil, 0)) {
		t.Error("the run without a fault is not held to what the file imports")
	}
	if standard(w.Run(nil, 1000)) {
		t.Error("the rules are checked twice in a run of a search")
	}
}
