package explore

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// generated is a world of two or three steps with policies, dependencies and invariants
// that its seed chooses.
func generated(seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 1))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	names := []string{"a", "b", "c"}[:2+r.IntN(2)]
	var b strings.Builder
	b.WriteString(head + "workflow \"w\" {\n  provider   = provider.billing\n  on_failure = \"continue\"\n")
	for i, name := range names {
		fmt.Fprintf(&b, "  step \"http\" %q {\n    path = \"/%s\"\n", name, name)
		fmt.Fprintf(&b, "    required = %s\n", pick("true", "false", "false"))
		b.WriteString(pick("", "    retry = retry.thrice\n", "    retry = retry.thrice\n"))
		b.WriteString(pick("", "    idempotent = true\n    method = \"POST\"\n"))
		if i > 0 && r.IntN(3) > 0 {
			fmt.Fprintf(&b, "    depends_on = [step.%s]\n", names[r.IntN(i)])
		}
		b.WriteString("  }\n")
	}
	b.WriteString("}\n")
	for i, name := range names {
		other := names[(i+1)%len(names)]
		condition := pick(
			fmt.Sprintf("run.status != \"success\" || step.%s.status == \"success\" || step.%s.status == \"success\"", name, other),
			fmt.Sprintf("length(step.%s.attempts) + length(step.%s.attempts) <= %d", name, other, 3+r.IntN(3)),
			fmt.Sprintf("length([for x in step.%s.attempts : x if try(x.error.kind, \"\") == %q]) == 0 || length(step.%s.attempts) < 2", name, pick("connection", "malformed_response"), other),
			fmt.Sprintf("run.ended_ms == null || run.ended_ms < %d", 5000*(1+r.IntN(5))),
		)
		fmt.Fprintf(&b, "invariant \"rule %d\" {\n  condition = %s\n}\n", i, condition)
	}
	b.WriteString("scenario \"s\" {\n  run = workflow.w\n  on \"*\" {\n    reply {\n      body  = \"so\"\n      times = \"*\"\n    }\n  }\n  expect \"run\" { status = \"success\" }\n}\n")
	return b.String()
}

// What runs have in common is tried once, and nothing is lost by that in worlds that
// nobody made up for it.
func TestMergingLosesNothingOfGeneratedWorlds(t *testing.T) {
	worlds, finds, second, merged := uint64(200), 0, 0, 0
	if !whole() {
		worlds = 9
	}
	for seed := range worlds {
		text := generated(seed)
		o := Options{MaxK: 2, Parallel: 2, NoStandard: true, Kinds: []string{"connection_refused", "malformed_response", KindOutage}}
		less := searched(t, text, o)
		o.unmerged = true
		all := searched(t, text, o)
		got, want := broken(less), broken(all)
		if !slices.Equal(got, want) {
			t.Errorf("world %d: %q, and without merging %q:\n%s", seed, got, want, text)
		}
		finds, merged = finds+len(want), merged+less.Account.Merged
		for _, f := range all.Finds {
			if f.K() > 1 {
				second++
			}
		}
	}
	if finds == 0 || merged == 0 || second == 0 {
		t.Errorf("%d finds, %d of two faults, %d runs merged: nothing was compared", finds, second, merged)
	}
}

// broken are what is broken in a search, each once, with the fewest faults that it takes.
func broken(r *Report) []string {
	var list []string
	for _, f := range r.Finds {
		list = append(list, fmt.Sprintf("%s: %d", f.Name, f.K()))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Of runs that are one, the search goes on with that whose fault came first. Here the
// first attempt is struck as its script has it, which the second then does, or the second
// is. What dies between the two does so behind the first of these faults alone, and no
// pair that begins with a death has such a fault behind it.
func TestEarliestFaultIsKept(t *testing.T) {
	const text = head + `
actor "desk" {
  handler "note" { takes = "1s" }
}
workflow "w" {
  provider   = provider.billing
  on_failure = "continue"
  step "loop" "twice" {
    while = loop.index < 2
    step "http" "ask" {
      path     = "/"
      required = false
    }
    step "call" "tell" {
      target   = actor.desk.note
      required = false
    }
  }
}
invariant "who is refused twice has somebody at the desk from the start" {
  condition = (
    run.ended_ms == null
    || length([for e in events({ type = "attempt_end", step = "twice.ask" }) : e if try(e.status_code, 0) == 400]) < 2
    || length([for e in events({ type = "registry", actor = "desk" }) : e if e.to == "dead" && e.at_ms < 1000]) == 0
  )
}
scenario "s" {
  run = workflow.w
  on "twice.ask" {
    fault "http_error" { status_code = 400 }
    reply { body = "so" }
  }
  expect "run" { status = "success" }
}
`
	for _, unmerged := range []bool{false, true} {
		r := searched(t, text, Options{MaxK: 2, Parallel: 2, NoStandard: true, Kinds: []string{"http_error", KindEvent}, unmerged: unmerged})
		want := []string{"invariant who is refused twice has somebody at the desk from the start: twice.ask, attempt 1: 400; kill desk at 0s"}
		if got := findsOf(r); !slices.Equal(got, want) {
			t.Errorf("unmerged %t: %q, want %q", unmerged, got, want)
		}
	}
}

// Runs that differ in nothing but the kind of a failure are two: an invariant can read it.
func TestKindsAreToldApart(t *testing.T) {
	const text = head + `
workflow "w" {
  on_failure = "continue"
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    stream   = true
    retry    = retry.thrice
  }
  step "http" "tell" {
    provider   = provider.mail
    path       = "/"
    depends_on = [step.ask]
    required   = false
  }
}
invariant "interrupted" {
  condition = step.tell.status != "failed" || length([for a in step.ask.attempts : a if try(a.error.kind, "") == "stream_interrupted"]) == 0
}
invariant "incomplete" {
  condition = step.tell.status != "failed" || length([for a in step.ask.attempts : a if try(a.error.kind, "") == "stream_incomplete"]) == 0
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { chunks = ["one ", "two ", "three"] }
  }
  on "tell" {
    reply { body = "so" }
  }
  expect "run" { status = "success" }
}
`
	r := searched(t, text, Options{MaxK: 2, Parallel: 2, NoStandard: true, Kinds: []string{"stream_truncate", "connection_refused"}})
	if got, want := broken(r), []string{"incomplete: 2", "interrupted: 2"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
