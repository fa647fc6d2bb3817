package report

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/bench"
)

// Shows that of a run which did not run every case no rate and no mean is told, and that
// a case which did not run is no score of 0 in the plot.
func TestPartOfTheCasesHasNoRate(t *testing.T) {
	one := bench.Trial{Score: bench.Score{Passed: true, Score: 1}}
	all := []bench.Case{{ID: "a"}, {ID: "b"}, {ID: "c"}}
	report := func(ran int) *bench.Report {
		return bench.Summarise(bench.Spec{Name: "b"}, all, func(c bench.Case, _ int) (bench.Trial, bool) { return one, c.ID[0]-'a' < byte(ran) }, nil)
	}
	part, whole := report(2), report(3)
	if said := headline(part); said != "2 of the 2 cases that ran passed; 1 did not run, so that there is no rate" {
		t.Errorf("it says %q", said)
	}
	if said := headline(whole); !strings.HasPrefix(said, "3 of 3 cases passed (100.0%") {
		t.Errorf("it says %q", said)
	}
	if plot := string(plotScores(part)); strings.Contains(plot, "1 with a score from 0.00") || !strings.Contains(plot, "2 with a score from 0.95") || strings.Contains(plot, "mean") {
		t.Errorf("the plot is %s", plot)
	}
	if plot := string(plotScores(whole)); !strings.Contains(plot, "3 with a score from 0.95") || !strings.Contains(plot, "mean") {
		t.Errorf("the plot is %s", plot)
	}
	if said := passedOf(part); said != "2 of 2, 1 not run" {
		t.Errorf("the table says %q", said)
	}
}

// Shows that a case of which some trials passed is told as such, wherever it says why it
// did not pass, and no other is.
func TestUnsteadyCasesAreTold(t *testing.T) {
	failed := bench.Trial{Score: bench.Score{FailureModes: []bench.FailureMode{{Code: "odd", Severity: "warn"}}}}
	passed := bench.Trial{Score: bench.Score{Passed: true, Score: 1}}
	report := bench.Summarise(bench.Spec{Name: "b", Trials: 3}, []bench.Case{{ID: "always"}, {ID: "never"}, {ID: "some"}}, func(c bench.Case, n int) (bench.Trial, bool) {
		if c.ID == "never" || c.ID == "some" && n == 2 {
			return failed, true
		}
		return passed, true
	}, nil)
	for id, want := range map[string]string{"always": "", "never": "odd (warn)", "some": "1 of 3 trials failed: odd (warn)"} {
		if said := saidOf(report.Case(id)); said != want {
			t.Errorf("%s says %q, want %q", id, said, want)
		}
	}
	if len(reasons(report)) != 2 {
		t.Errorf("cases that fail always and sometimes are one group")
	}
	text, _ := report.MarshalJSON()
	if n := strings.Count(string(text), `"failed_trials":1`); n != 1 || strings.Count(string(text), "failed_trials") != 1 {
		t.Errorf("the JSON has it for %d cases", n)
	}
}
