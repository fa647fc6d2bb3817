package interp

import (
	"fmt"
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

// Shows that a loop and a retry of a workflow step that ask the same again are retries:
// they wait as long as the server asked, and do not repeat what cannot succeed. Another
// request may well be sent.
func TestResilienceOfPasses(t *testing.T) {
	const world = resilience + `
provider "http" "api" { base_url = "https://api.test" }
retry "linear" "hasty" {
  delay               = "1s"
  max_retries         = 2
  retry_on            = ["429", "4xx"]
  respect_retry_after = false
}
workflow "inner" {
  provider = provider.api
  step "http" "ask" { path = "/a" }
}
workflow "outer" {
  step "workflow" "again" {
    run        = workflow.inner
    retry      = retry.hasty
    idempotent = true
  }
}
workflow "looping" {
  provider = provider.api
  step "loop" "again" {
    while          = loop.index == 0 || try(step.ask.status != "success", true)
    max_iterations = 3
    step "http" "ask" {
      path     = "/a%s"
      required = false
    }
    step "wait" "pause" { for = "%s" }
  }
}
scenario "s" {
  run = workflow.%s
  on "again.ask" {
    fault %s
    reply { status_code = 200 }
  }
  expect "run" { status = "success" }
}
`
	const early, terminal = "a repeated pass waits at least as long as the server asked", "a terminal failure is not repeated in a new pass"
	failing := func(status int) string { return fmt.Sprintf("\"http_error\" { status_code = %d }", status) }
	waiting := func(status int) string {
		return fmt.Sprintf("\"http_error\" {\n status_code = %d\n headers = { retry-after = \"30\" }\n }", status)
	}
	for _, c := range []struct {
		path, pause, workflow, fault, want string
	}{
		{"", "1s", "looping", waiting(429), early},
		{"", "30s", "looping", waiting(429), ""},
		{"", "29999ms", "looping", waiting(503), early},
		{"", "1s", "looping", failing(503), ""},
		{"?n=${loop.index}", "1s", "looping", waiting(429), ""},
		{"", "1s", "looping", `"error" { mode = "POLICY_SECURITY" }`, terminal},
		{"?n=${loop.index}", "1s", "looping", `"error" { mode = "POLICY_SECURITY" }`, ""},
		{"", "1s", "outer", waiting(429), early},
		{"", "1s", "outer", failing(429), ""},
	} {
		text := fmt.Sprintf(world, c.path, c.pause, c.workflow, c.fault)
		r := Run(mustCompile(t, text)[0], RunOptions{})
		var broken []string
		for _, p := range r.Problems {
			broken = append(broken, p.Name)
		}
		if got := strings.Join(broken, ", "); got != c.want {
			t.Errorf("%+v: broken: %q: %s", c, got, told(r))
		}
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
    condition = length(events()) > 3
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
