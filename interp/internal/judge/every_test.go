package judge_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// Shows that of a run that is held to what must hold of every run, gates and
// invariants are told as of any other, and nothing that the scenario expects.
func TestWhatMustHoldOfEveryRun(t *testing.T) {
	text := strings.TrimSuffix(strings.TrimSpace(order), "}") + `
  expect "pay" {
    status  = "success"
    retries = 0
  }
  assert "at once" { condition = length(step.pay.attempts) == 1 }
  assert "in time" { condition = run.elapsed_ms < 1 }
}
`
	loader := suite.Loader{Source: suite.FS(fstest.MapFS{"order.scenario.hcl": {Data: []byte(text)}})}
	defer loader.Close()
	file := loader.Load("order.scenario.hcl")
	if file.Failed() {
		t.Fatal(file.Diags)
	}
	told := map[string]int{}
	for at := range 8 {
		for _, kind := range []string{"connection_reset", "hang"} {
			run := func(every bool) *interp.Result {
				asked, fault := 0, faults.Lookup(kind)
				return interp.Run(file.Plans[0], interp.RunOptions{Every: every, Inject: func(interp.Point) *interp.Injection {
					if asked++; asked <= at {
						return nil
					}
					return &interp.Injection{Fault: fault, Args: fault.Usual()}
				}})
			}
			whole, every := run(false), run(true)
			want := slices.DeleteFunc(slices.Clone(whole.Problems), func(p interp.Problem) bool {
				told[p.Kind]++
				return p.Kind == "assert" || p.Kind == "expect" || p.Kind == "run"
			})
			for _, list := range [][]interp.Problem{want, every.Problems} {
				for i := range list {
					list[i].Follows = false // of what is told of the whole run alone
				}
			}
			if diff := cmp.Diff(want, every.Problems); diff != "" {
				t.Errorf("%s from attempt %d on:\n%s", kind, at, diff)
			}
			if diff := cmp.Diff(whole.Invariants, every.Invariants); diff != "" {
				t.Errorf("%s from attempt %d on: invariants:\n%s", kind, at, diff)
			}
			if (every.Verdict == interp.Pass) != (len(want) == 0) {
				t.Errorf("%s from attempt %d on: %s", kind, at, every.Verdict)
			}
		}
	}
	for _, kind := range []string{"assert", "expect", "run", "invariant", "gate"} {
		if told[kind] == 0 {
			t.Errorf("no problem of kind %s", kind)
		}
	}
}
