package interp

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/wire"
)

// orderWorld is a workflow that is played, or describes a program: %[1]s makes the
// payment wait for the reservation.
const orderWorld = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "reserve" { path = "/reserve" }
  step "http" "pay" {
    path = "/pay"
    %[1]s
  }
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply {
      json    = { left = 3 }
      latency = "5s"
    }
  }
  on "pay" {
    reply { latency = "1s" }
  }
  invariant "x" { condition = %[2]s }
  expect "run" { status = "success" }
}
`

// playedInOrder runs the workflow, and asks for the same as a program would, with
// the payment before the reservation or behind it.
func playedInOrder(t *testing.T, condition string, late bool) (interpreted, driven *Result) {
	t.Helper()
	waits, paths := "", []string{"/pay", "/reserve"}
	if late {
		waits, paths = "depends_on = [step.reserve]", []string{"/reserve", "/pay"}
	}
	interpreted = Run(mustCompile(t, fmt.Sprintf(orderWorld, waits, condition))[0], RunOptions{})
	source := strings.NewReplacer(`latency = "5s"`, "", `reply { latency = "1s" }`, "reply {}").Replace(fmt.Sprintf(orderWorld, waits, condition))
	o := NewOutside(mustCompile(t, source)[0], OutsideOptions{Clock: wire.System(), Way: Exec})
	for _, path := range paths {
		askPath(t, o, path)
	}
	driven, _ = o.Finish("success")
	return interpreted, driven
}

func askPath(t *testing.T, o *Outside, path string) {
	t.Helper()
	req, err := http.NewRequestWithContext(context.Background(), http.MethodGet, "https://api.test"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	x, err := o.Answer(req.Context(), Asked{Request: req})
	if err != nil {
		t.Fatal(err)
	}
	resp, err := x.Script().RoundTripWatched(wire.System(), req, x)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil {
		t.Fatal(err)
	}
}

// Shows that each form of "not before" is broken by what begins too early, and
// holds in the right order, whether the workflow is played or a program asks.
func TestInvariantsAboutOrder(t *testing.T) {
	for _, condition := range []string{
		`length(step.pay.attempts) == 0 || step.reserve.status == "success"`,
		`step.reserve.status == "success" || length(step.pay.attempts) == 0`,
		`step.pay.attempts == [] || step.reserve.json.left == 3`,
		`length(step.pay.attempts) < 1 || step.reserve.json.left > 0`,
		`length(step.pay.attempts) == 0 || try(step.reserve.json.left > 0, false)`,
		`length(step.pay.attempts) == 0 || coalesce(step.reserve.status_code, 0) == 200`,
		`length(step.pay.attempts) == 0 ? true : step.reserve.status == "success"`,
		`!(length(step.pay.attempts) > 0 && step.reserve.status != "success")`,
		`length(step.pay.attempts) == 0 || step.reserve.attempts[0].outcome == "success"`,
		`length(events({ type = "attempt_start", step = "pay" })) == 0 || step.reserve.status == "success"`,
		`length(step.pay.attempts) == 0 || step.reserve.ended_ms != null`,
	} {
		interpreted, driven := playedInOrder(t, condition, false)
		for way, r := range map[string]*Result{"interpreted": interpreted, "driven": driven} {
			if got := told(r); r.Verdict != Fail || !strings.Contains(got, `attempt_start of step "pay"`) {
				t.Errorf("%s, %s, too early: %s", way, condition, got)
			}
		}
		interpreted, driven = playedInOrder(t, condition, true)
		for way, r := range map[string]*Result{"interpreted": interpreted, "driven": driven} {
			if r.Verdict != Pass || len(r.Relaxed) > 0 {
				t.Errorf("%s, %s, in time: %s", way, condition, told(r))
			}
		}
	}
}

// Shows what is no order and goes on to wait, though something begins while one
// side has nothing to compare yet.
func TestInvariantsThatGoOnToWait(t *testing.T) {
	for _, condition := range []string{
		`step.reserve.status == "success"`,
		`run.status == null || run.status == "success"`,
		`length(step.pay.attempts) == 0 || run.status == "success"`,
		`length(step.pay.attempts) == 0 || step.pay.status == "success"`,
		`length(step.pay.attempts) == 0 || step.pay.attempts[0].outcome == "success"`,
		`length(step.pay.attempts) == 0 || step.reserve.error.kind != "timeout"`,
		`length(step.pay.attempts) == 0 || step.reserve.retries <= 1`,
		`length(step.reserve.attempts) == 0 || length(step.pay.attempts) <= 1`,
		`step.reserve.status == null || length(step.pay.attempts) == 0 || step.reserve.status == "success"`,
		`step.pay.status == "success" || step.reserve.status == "success"`,
	} {
		interpreted, driven := playedInOrder(t, condition, false)
		for way, r := range map[string]*Result{"interpreted": interpreted, "driven": driven} {
			if r.Verdict != Pass || len(r.Relaxed) > 0 {
				t.Errorf("%s, %s: %s", way, condition, told(r))
			}
		}
	}
}

// Shows that a report tells of an end that came too early, where the invariant
// only waits, and of nothing else.
func TestInvariantLeftOpenByAnEnd(t *testing.T) {
	for _, condition := range []string{
		`step.pay.ended_ms == null || step.reserve.status == "success"`,
		`step.pay.status != "success" || step.reserve.status == "success"`,
		`step.pay.status_code != 200 || step.reserve.json.left == 3`,
		`length([for a in step.pay.attempts : a if a.outcome == "success"]) == 0 || step.reserve.status == "success"`,
	} {
		for _, late := range []bool{false, true} {
			interpreted, driven := playedInOrder(t, condition, late)
			for way, r := range map[string]*Result{"interpreted": interpreted, "driven": driven} {
				told := len(r.Relaxed) == 1 && r.Relaxed[0].Kind == KindIgnored && strings.Contains(r.Relaxed[0].Message, "step.reserve.") && strings.Contains(r.Relaxed[0].Message, "was not there yet")
				if r.Verdict != Pass || told == late {
					t.Errorf("%s, %s, in time is %v: %s: %+v", way, condition, late, r.Verdict, r.Relaxed)
				}
			}
		}
	}
}
