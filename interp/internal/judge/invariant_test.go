package judge_test

import (
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/suite"
)

// An order that is right, and invariants that hold, that wait for what is not there
// yet, that are left open, that break in the middle, and that cannot be evaluated.
const order = `
provider "http" "shop" { base_url = "http://shop.test" }
retry "linear" "r" { max_retries = 2 }
workflow "order" {
  provider = provider.shop
  step "http" "reserve" {
    path  = "/reserve"
    retry = retry.r
  }
  step "http" "pay" {
    path       = "/pay"
    depends_on = [step.reserve]
    retry      = retry.r
    fallback   = step.later
  }
  step "http" "later" { path = "/later" }
}
invariant "few"        { condition = length(step.pay.attempts) <= 2 }
invariant "in order"   { condition = length(step.pay.attempts) == 0 || step.reserve.status == "success" }
invariant "if at all"  { condition = step.pay.status == null || step.pay.status == "success" }
invariant "in the end" { condition = step.pay.status == "success" || step.reserve.status == "failed" }
invariant "replaced"   { condition = step.pay.replaced_by == null || step.pay.replaced_by == "later" }
invariant "handled"    { condition = try(step.pay.attempts[1].outcome, "success") == "success" }
invariant "wrong"      { condition = tonumber(step.reserve.status) > 1 }
invariant "both"       { condition = step.reserve.started_ms <= step.pay.started_ms && step.reserve.retries < 2 }
invariant "the run"    { condition = run.status == null || step.pay.status != null }
scenario "it" {
  run = workflow.order
  on "reserve" {
    reply { body = "yes" }
  }
  on "pay" {
    reply { body = "paid" }
  }
  on "later" {
    reply { body = "later" }
  }
}
`

// Shows that an invariant about steps that have not changed is what it was: evaluated
// after every event it breaks after the same one, counts the same and is told of the
// same, whatever two of the first attempts fail.
func TestInvariantsOfUnchangedSteps(t *testing.T) {
	loader := suite.Loader{Source: suite.FS(fstest.MapFS{"order.scenario.hcl": {Data: []byte(order)}})}
	defer loader.Close()
	file := loader.Load("order.scenario.hcl")
	if file.Failed() {
		t.Fatal(file.Diags)
	}
	reset := faults.Lookup("connection_reset")
	broken := map[string]bool{}
	for first := range 6 {
		for second := range 6 {
			asked := 0
			inject := func(interp.Point) *interp.Injection {
				if asked++; asked != first && asked != second {
					return nil
				}
				return &interp.Injection{Fault: reset, Args: reset.Usual()}
			}
			r := engine.NewRun(plan.Inside(file.Plans[0]), interp.RunOptions{Inject: inject}, nil)
			seldom, each := judge.Watch(r.Obs, ""), judge.WatchEach(r.Obs)
			if err := r.Play(); err != nil {
				t.Fatal(err)
			}
			for what, pair := range map[string][2]any{
				"counts":   {seldom.Counts(), each.Counts()},
				"problems": {seldom.Problems(), each.Problems()},
				"late":     {seldom.Late(), each.Late()},
			} {
				if diff := cmp.Diff(pair[1], pair[0]); diff != "" {
					t.Errorf("%s with faults at %d and %d:\n%s", what, first, second, diff)
				}
			}
			for _, p := range each.Problems() {
				broken[p.Name] = true
			}
		}
	}
	if len(broken) < 4 {
		t.Errorf("only %v broke", broken)
	}
}
