package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// stepsSource is a loop of which one iteration fails, with an invariant over
// its steps.
func stepsSource(iterations int, condition string) string {
	return fmt.Sprintf(`
provider "openai" "any" { model = "gpt-4o-mini" }

workflow "w" {
  provider   = provider.any
  on_failure = "continue"

  step "loop" "each" {
    max_iterations = %d
    step "llm" "ask" {
      prompt     = "x"
      fallback   = step.give
      fallback_on = "any"
    }
    step "value" "give" { value = "nothing" }
  }
}

scenario "s" {
  run = workflow.w

  on "each.ask" {
    reply {
      content = "x"
      times   = 3
    }
    fault "http_error" { status_code = 400 }
    reply {
      content = "x"
      times   = "*"
    }
  }
  invariant "each" { condition = %s }
}
`, iterations, condition)
}

// Shows that a condition which is about every step by itself breaks at the very
// event at which it breaks when all of it is evaluated: that is what the same
// condition does with something before it that is always true.
func TestInvariantsOverStepsBreakAtTheSameEvent(t *testing.T) {
	for _, condition := range []string{
		`alltrue([for s in steps : s.status != "failed" if s.status != null])`,
		`!anytrue([for s in steps : s.status == "failed" if s.status != null])`,
		`length([for s in steps : s if s.status != null && s.status == "failed"]) == 0`,
		`[for s in steps : s.name if s.replaced_by != null] == []`,
		`([for s in steps : s.name if s.replaced_by != null] == []) && alltrue([for s in steps : true])`,
		`alltrue([for s in steps : try(s.attempts[0].status_code, 200) == 200])`,
	} {
		said := [2]string{}
		for i, c := range []string{condition, "length(steps) >= 0 && " + condition} {
			p := compileAt(t, "steps.scenario.hcl", stepsSource(10, c))[0]
			if checks := plan.Inside(p).Invariants[0].Checks; (checks != nil) != (i == 0) {
				t.Errorf("%s: taken apart into %d checks", c, len(checks))
			}
			r := Run(p, RunOptions{})
			if r.Verdict != Fail || len(r.Problems) != 1 {
				t.Fatalf("%s: %s with %d problems, want one broken invariant", c, r.Verdict, len(r.Problems))
			}
			_, said[i], _ = strings.Cut(r.Problems[0].Message, "broken by event ")
		}
		if said[0] != said[1] {
			t.Errorf("%s: broken by event %s, and as a whole by %s", condition, said[0], said[1])
		}
	}
}

// Shows that the work of such an invariant grows with the events and not with
// their square: a step is looked at when it changed, and at no other time.
func TestInvariantsLookAtChangedStepsOnly(t *testing.T) {
	p := compileAt(t, "steps.scenario.hcl", stepsSource(100, `alltrue([for s in steps : s.retries == null || s.retries <= 3])`))[0]
	r := engine.NewRun(plan.Inside(p), RunOptions{}, nil)
	watcher := judge.Watch(r.Obs, "")
	if err := r.Play(); err != nil {
		t.Fatal(err)
	}
	w := watcher.Left[0]
	for n, s := range r.Obs.Order {
		if w.Seen[n] != s.Version {
			t.Errorf("step %d was not looked at after its last change", n)
		}
	}
	if len(w.Seen) != 1+200 {
		t.Errorf("%d steps were looked at, want the loop and two in each iteration", len(w.Seen))
	}
}
