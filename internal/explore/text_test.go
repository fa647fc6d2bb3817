package explore

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

const ownOutage = `
provider "http" "shop" { base_url = "https://shop.test" }
retry "linear" "ours" {
  max_retries = 2
  delay       = "10s"
}
workflow "order" {
  provider = provider.shop
  step "http" "look" {
    path  = "/look"
    retry = retry.ours
  }
  step "http" "take" {
    path       = "/take"
    depends_on = [step.look]
  }
}
invariant "what is there is taken" {
  condition = step.take.status == "success"
}
scenario "s" {
  run = workflow.order
  outage "at first" {
    provider = provider.shop
    to       = "5s"
    fault "connection_refused" {}
  }
  on "look" {
    reply { json = {} }
  }
  on "take" {
    reply { json = {} }
  }
  expect "run" { status = "success" }
}
`

// Of the faults of a run those are marked that were injected, and those of the scenario
// itself are not, an outage included.
func TestOwnFaultsAreNotMarked(t *testing.T) {
	o := Options{MaxK: 1, Runs: 1000, Kinds: []string{"http_error"}, Address: "take", NoStandard: true}
	var b strings.Builder
	if err := WriteText(&b, []*Report{Explore(Interpreted(planOf(t, ownOutage), nil), o)}, o, 0); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{
		"0s  look  attempt 1 at shop  connection (connection_refused)\n",
		"10s  take  attempt 1 at shop  ↯ 503 (http_error)\n",
	} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
}

// changing is a world that is what it was for so many runs, as a program that keeps
// something from one to the next.
func changing(t *testing.T, runs, recheck int) *World {
	t.Helper()
	w := Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", "1")), nil)
	w.Program = &Program{Virtual: true, Recheck: recheck}
	run, made := w.Run, 0
	w.Run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		r := run(inject, events)
		if made++; made > runs {
			broken := *r
			broken.Verdict = interp.Fail
			broken.Problems = []interp.Problem{{Kind: KindTest, Name: "it fails from now on"}}
			return &broken
		}
		return r
	}
	return w
}

// The account of a search whose program changed speaks of the runs before that alone.
func TestAccountOfAProgramThatChanges(t *testing.T) {
	for _, c := range []struct {
		runs, recheck int
		want          string
	}{
		{25, 10, "\nnothing found among the 21 of 31 runs in which the program was what it was: 20 of "},
		{5, 10, "\nnothing is known of any fault: all 10 runs were made when the program may not have been what it was: 0 of "},
	} {
		o := Options{MaxK: 1, Runs: 1000, NoStandard: true, Except: []string{"deadlock"}, Kinds: []string{"connection_refused", "dns_error", "connection_reset", "outage", "delay", "hang", "garbage", "bad_gzip", "empty_response", "error_in_200", "tls_error"}}
		var b strings.Builder
		r := Explore(changing(t, c.runs, c.recheck), o)
		if err := WriteText(&b, []*Report{r}, o, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.want) || !strings.Contains(b.String(), "unsteady: ") || strings.Contains(b.String(), "survived") || r.Account.Complete() {
			t.Errorf("no %q in\n%s", c.want, b.String())
		}
	}
}

// A set that a program which does not repeat itself never comes to was not tried.
func TestAccountOfAProgramThatDiverges(t *testing.T) {
	w := Interpreted(planOf(t, strings.ReplaceAll(modelled, "RETRIES", "1")), nil)
	w.Program = &Program{Virtual: true}
	run, made := w.Run, 0
	w.Run = func(inject func(interp.Point) *interp.Injection, events int) *interp.Result {
		made++
		return run(func(p interp.Point) *interp.Injection {
			if made%2 == 0 { // it asks another service
				p.Address, p.At = "other", p.At+time.Second
			}
			return inject(p)
		}, events)
	}
	o := Options{MaxK: 1, Runs: 1000, NoStandard: true, Kinds: []string{"http_error"}}
	r := Explore(w, o)
	var b strings.Builder
	if err := WriteText(&b, []*Report{r}, o, 0); err != nil {
		t.Fatal(err)
	}
	a := r.Account
	if a.Diverged == 0 || a.Missed != a.Diverged || a.Levels[0].Tried != a.Levels[0].Sets-a.Missed || a.Complete() || !strings.Contains(b.String(), " of them diverged: ") || !strings.Contains(b.String(), " of the diverged met no fault, and were not tried.") {
		t.Errorf("%+v\n%s", a, b.String())
	}
}

// Shows that the account names the invariants that no run could break, by what they read or by
// a limit of the file, so that to find nothing says nothing of them; and no others: what the
// scenario does not inject, or cancel, a search does.
func TestAccountOfInvariantsThatNothingBreaks(t *testing.T) {
	const text = `
provider "openai" "m" {
  model   = "x"
  timeout = "5s"
}
retry "linear" "r" { max_retries = 2 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    retry  = retry.r
  }
}
%s
scenario "s" {
  run = workflow.w
  on "a" {
    reply {
      content = "because"
      latency = "1s"
    }
  }
  expect "a" { content = "because" }
}
`
	invariants, want := "", 0
	for i, c := range []struct {
		condition string
		always    bool
	}{
		{`step.a.retries <= 2`, true},
		{`step.a.retries <= 1000`, true},
		{`alltrue([for a in step.a.attempts : a.request.method == "POST"])`, true},
		{`alltrue([for a in step.a.attempts : a.idempotency_key == null])`, true},
		{`metric("scenario_retries_total") <= 2`, true},
		{`length(step.a.attempts) <= 2 || run.status != "success"`, false},
		{`metric("scenario_mock_fault_total") <= 9`, false},
		{`run.status != "cancelled"`, false},
		{`alltrue([for a in step.a.attempts : a.fault != "timeout"]) || run.status != "success" || length(step.a.attempts) > 1`, false},
		{`step.a.retries <= 2 && run.elapsed_ms < 999999`, false},
	} {
		invariants += fmt.Sprintf("invariant \"i%d %t\" { condition = %s }\n", i, c.always, c.condition)
		if c.always {
			want++
		}
	}
	o := Options{MaxK: 1, Runs: 1000, NoStandard: true}
	r := searched(t, fmt.Sprintf(text, invariants), o)
	var b strings.Builder
	if err := WriteText(&b, []*Report{r}, o, 0); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "\nshows nothing: invariant"); n != want || strings.Count(b.String(), ` true"  a.scenario.hcl`) < want {
		t.Errorf("%d invariants are named, want the %d whose names end with true:\n%s", n, want, b.String())
	}
}

// Shows that an implication is told of whose premise no run of a search met, in text and as JSON,
// and none whose premise one did, or of which the end of a run does not say whether it held.
func TestAccountOfPremisesThatNoRunMet(t *testing.T) {
	const text = `
provider "openai" "m" {
  model   = "x"
  timeout = "5s"
}
retry "linear" "r" { max_retries = 2 }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    retry  = retry.r
  }
  step "llm" "b" { prompt = step.a.content }
}
%s
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "because" }
  }
  on "b" {
    reply { content = "so" }
  }
  expect "a" { content = "because" }
}
`
	invariants, want := "", 0
	for i, c := range []struct {
		condition string
		unmet     bool
	}{
		{`step.a.content != "zebra" || step.b.status == "failed"`, true},
		{`!(step.a.error.kind == "lock_timeout") || length(step.b.attempts) == 0`, true},
		{`step.a.status == "aborted" ? step.b.status == "skipped" : true`, true},
		{`step.b.error == null || step.b.error.kind != "lock_timeout" || run.status == "failed"`, true},
		{`run.status != "partial" || step.a.status == "success"`, true},

		{`step.a.status != "failed" || length(step.b.attempts) == 0`, false},
		{`step.a.status != "success" || step.a.error == null`, false},
		{`run.status == "failed" ? run.error != null : true`, false},
		{`step.a.error == null || length(step.b.attempts) == 0`, false},
		{`step.a.status != "timeout" || run.status != "partial"`, false},           // either may be meant
		{`!(length(step.a.attempts) == 1) || step.a.retries == 0`, false},          // it held before
		{`length(step.b.attempts) != 0 || step.a.cost_usd <= 99`, false},           // as above
		{`metric("scenario_retries_total") < 99 || run.status == "failed"`, false}, // a limit is no premise
		{`step.b.status == "failed" || length(step.b.attempts) <= 3 || run.error == null`, false},
	} {
		invariants += fmt.Sprintf("invariant \"i%d %t\" { condition = %s }\n", i, c.unmet, c.condition)
		if c.unmet {
			want++
		}
	}
	o := Options{MaxK: 1, Runs: 1000, NoStandard: true}
	r := searched(t, fmt.Sprintf(text, invariants), o)
	var b, j strings.Builder
	if err := WriteText(&b, []*Report{r}, o, 0); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&j, []*Report{r}, 0); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(b.String(), "no run met its premise"); n != want || strings.Count(b.String(), " true\"") != want {
		t.Errorf("told of %d, want %d:\n%s", n, want, &b)
	}
	_, list, _ := strings.Cut(j.String(), `"premise_never_met":[`)
	if n := strings.Count(list, ` true","file"`); n != want || strings.Contains(list, " false\"") {
		t.Errorf("as JSON %d, want %d:\n%s", n, want, &j)
	}
}
