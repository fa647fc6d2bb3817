package interp

import (
	"strings"
	"testing"
)

// Shows that expressions are evaluated as in a condition, and which are not.
func TestObservationValue(t *testing.T) {
	plans := compileWith(t, "a.scenario.hcl", loomWorkflow+`
variable "key" {
  default   = "secret-word"
  sensitive = true
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "one" }
  }
  on "then" {
    reply { content = "two, secret-word" }
  }
  expect "ask" { content = "one" }
}
scenario "skipped" {
  run  = workflow.w
  skip = "not today"
}`, nil)
	_, o := RunObserved(plans[0], RunOptions{})
	for expr, want := range map[string]string{
		"step.ask.content":                   `cty.StringVal("one")`,
		"[for s in steps : s.name]":          `cty.TupleVal([]cty.Value{cty.StringVal("ask"), cty.StringVal("then")})`,
		`length(events({type = "run_end"}))`: `cty.NumberIntVal(1)`,
		"run.status == \"success\"":          "cty.True",
	} {
		v, diags := o.Value(expr)
		if diags.HasErrors() || v.GoString() != want {
			t.Errorf("%s is %#v, %s", expr, v, diags)
		}
	}
	for _, expr := range []string{"step.then.content", "var.key"} {
		if v, diags := o.Value(expr); diags.HasErrors() || strings.Contains(v.GoString(), "secret-word") {
			t.Errorf("%s shows %#v, %s", expr, v, diags)
		}
	}
	for _, expr := range []string{"step.none.content", "nothing", "1 +", "", strings.Repeat("(", 200), strings.Repeat("!", 10_000) + "true"} {
		if v, diags := o.Value(expr); !diags.HasErrors() {
			t.Errorf("%q is %#v", expr, v)
		}
	}
	r, o := RunObserved(plans[1], RunOptions{})
	if v, diags := o.Value("run.status"); !diags.HasErrors() || r.Verdict != Skip {
		t.Errorf("of a scenario that did not run: %#v, %s", v, r.Verdict)
	}
}

// Shows that a run ends when its starter wants no more of it, without a
// verdict about the scenario.
func TestRunIsInterrupted(t *testing.T) {
	plans := compileWith(t, "a.scenario.hcl", loomWorkflow+"scenario \"s\" {\n  run = workflow.w\n  on \"ask\" {\n    reply { content = \"one\" }\n  }\n  expect \"ask\" { content = \"one\" }\n}", nil)
	done := make(chan struct{})
	close(done)
	r := Run(plans[0], RunOptions{Done: done})
	if r.Verdict != Error || len(r.Problems) != 1 || r.Problems[0].Message != "the run was interrupted" {
		t.Errorf("%s: %+v", r.Verdict, r.Problems)
	}
	if whole := Run(plans[0], RunOptions{}); len(r.Events) >= len(whole.Events) {
		t.Errorf("%d events of %d", len(r.Events), len(whole.Events))
	}
}
