package interp

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

const resilience = `import = ["std/resilience"]` + "\n"

// The engine does nothing that std/resilience forbids: the suite passes under
// it, but for the scenarios whose policy says so itself.
func TestResilienceHoldsInTheSuite(t *testing.T) {
	excused := map[string]string{
		"Retry-After: seconds, a date, milliseconds; a lower bound; too long; unreadable": "a retry waits at least as long as the server asked", // respect_retry_after = false
		"a deadlock is named with its locks and holders":                                  "no calls wait for each other in a circle",
		"connections of two pools in two orders: a circle of waits that a deadline ends":  "no calls wait for each other in a circle",
	}
	checked, largest := 0, 200
	if testing.Short() {
		largest = 40
	}
	for _, path := range suiteFiles(t) {
		source, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(source), "\nimport ") {
			continue
		}
		plain := compileAt(t, path, string(source))
		for i, p := range compileAt(t, path, resilience+string(source)) {
			if len(Run(plain[i], RunOptions{}).Events) > largest {
				continue // load, with nothing that a smaller one has not
			}
			r := Run(p, RunOptions{})
			for _, problem := range r.Problems {
				if problem.Kind == "invariant" && excused[p.Name] != problem.Name {
					t.Errorf("%s: %q: %s", path, p.Name, problem.Message)
				}
			}
			checked += len(plan.Inside(p).Invariants)
		}
	}
	if checked < 300 {
		t.Errorf("%d invariants were checked only", checked)
	}
}

const resilienceFile = resilience + `
provider "openai" "primary" { model = "m" }
breaker "second" { threshold = 2 }
gateway "llm" {
  target "main" {
    provider = provider.primary
    breaker  = breaker.second
  }
}
retry "linear" "std" {
  delay       = "1s"
  max_retries = 1
}
workflow "w" {
  gateway = gateway.llm
  step "llm" "a" {
    prompt          = "x"
    stream          = true
    retry           = retry.std
    attempt_timeout = "5s"
  }
  step "llm" "b" {
    prompt     = "after ${step.a.content}"
    depends_on = [step.a]
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 503
      headers     = { retry-after = "7" }
    }
    reply { chunks = ["one ", "two"] }
  }
  on "b" {
    fault "timeout" { after = "3s" }
  }
  assert "it ran" {
    condition = run.status != null
  }
}
`

// Each invariant of std/resilience finds a program that does what it forbids:
// a trace of the engine's, changed in one place, breaks that invariant alone.
func TestResilienceFindsViolations(t *testing.T) {
	is := func(e *trace.Event, typ trace.Type, step string, attempt int) bool {
		return e.Type == typ && e.Step == step && e.Attempt == attempt
	}
	for want, doctor := range map[string]func(e *trace.Event) bool{
		"": func(*trace.Event) bool { return true },
		"a retry waits at least as long as the server asked": func(e *trace.Event) bool {
			if is(e, trace.AttemptEnd, "a", 1) {
				after := 7*time.Second + time.Millisecond
				e.Payload.(*event.AttemptEnd).RetryAfter = &after
			}
			return true
		},
		"a terminal failure is not retried": func(e *trace.Event) bool {
			if is(e, trace.AttemptEnd, "a", 1) {
				e.Payload.(*event.AttemptEnd).Terminal = true
			}
			return true
		},
		"an answer that was cut is no success": func(e *trace.Event) bool {
			if is(e, trace.AttemptEnd, "a", 2) {
				e.Payload.(*event.AttemptEnd).Complete = false
			}
			return true
		},
		"a deadline ends what it is for, at its instant": func(e *trace.Event) bool {
			if e.Type == trace.RetryWait {
				// A deadline that passed seconds before the step was over.
				*e = trace.Event{At: e.At, Type: trace.Timeout, Step: "a", Payload: &event.Timeout{Layer: "step"}}
			}
			return true
		},
		"an open breaker keeps calls from its target": func(e *trace.Event) bool {
			if e.Type == trace.RetryWait {
				*e = trace.Event{At: e.At, Type: trace.Breaker, Target: "main", Payload: &event.Breaker{From: "closed", To: "open"}}
			}
			return true
		},
		"every attempt that began has ended when the run has": func(e *trace.Event) bool { return !is(e, trace.AttemptEnd, "b", 1) },
	} {
		t.Run(want, func(t *testing.T) {
			p := compileAt(t, "a.scenario.hcl", resilienceFile)[0]
			events := Run(p, RunOptions{}).Events
			r := engine.NewRun(plan.Inside(p), RunOptions{}, nil)
			w := judge.Watch(r.Obs, "")
			for _, e := range event.Shown(events) {
				if doctor(&e) {
					r.Log.Append(e)
				}
			}
			var broken []string
			for _, problem := range w.Problems() {
				broken = append(broken, problem.Name)
			}
			if got := strings.Join(broken, ", "); got != want {
				t.Errorf("broken: %q, want %q", got, want)
			}
		})
	}
}
