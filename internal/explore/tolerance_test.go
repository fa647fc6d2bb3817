package explore

import (
	"slices"
	"strings"
	"testing"
)

// What a run tolerates is so many faults, of the kinds that are named, as attempts meet
// them; of the scenario in place of the workflow. An outage is one where it is named.
func TestTolerates(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  OFWORKFLOW
  step "http" "ask" {
    path  = "/"
    RETRY
  }
}
scenario "s" {
  run = workflow.w
  OFSCENARIO
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`
	for _, c := range []struct {
		workflow, scenario, retry string
		maxK                      int
		want                      []string
	}{
		{"", "", "", 1, nil},
		{"tolerates {}", "", "", 1, []string{"tolerates one fault: ask, attempt 1: connection_refused"}},
		{`tolerates { kinds = ["timeout"] }`, "", "", 1, []string{"tolerates one fault: timeout: ask, attempt 1: silence"}},
		{`tolerates { kinds = ["503"] }`, "", "", 1, []string{"tolerates one fault: 503: ask, attempt 1: 503"}},
		{`tolerates { kinds = ["stream_interrupted"] }`, "", "", 1, nil},
		{`tolerates { kinds = ["timeout"] }`, `tolerates { kinds = ["503"] }`, "", 1, []string{"tolerates one fault: 503: ask, attempt 1: 503"}},
		{"", `tolerates { kinds = ["connection", "503"] }`, "retry = retry.thrice", 2, nil},
		{"", `tolerates { kinds = ["connection", "503", "outage"] }`, "retry = retry.thrice", 1, []string{"tolerates one fault: connection, 503, outage: all of ask from 0s on: connection_refused"}},
		{"", "tolerates {\nfaults = 2\nkinds = [\"connection\"]\n}", "retry = retry.thrice", 2, nil},
	} {
		file := strings.NewReplacer("OFWORKFLOW", c.workflow, "OFSCENARIO", c.scenario, "RETRY", c.retry).Replace(text)
		r := searched(t, file, Options{MaxK: c.maxK, Parallel: 2, NoStandard: true, Kinds: few, Except: []string{"deadlock"}})
		if got := findsOf(r); !slices.Equal(got, c.want) {
			t.Errorf("%s %s %s: %q, want %q", c.workflow, c.scenario, c.retry, got, c.want)
		}
	}
}

// A run that does not end in success without a fault tolerates nothing, and no fault
// makes that worse.
func TestToleratesOfAFailure(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  tolerates {}
  step "http" "ask" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
  }
  expect "run" { status = "failed" }
}`
	if got := findsOf(searched(t, text, Options{MaxK: 1, Kinds: few})); len(got) > 0 {
		t.Errorf("%q", got)
	}
}

// Shows that what a scenario tolerates is told where no run met anything of it, because
// no step can, or the scenario fails by itself; and that it is enough that one of those
// which share it meets something.
func TestUntriedTolerances(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  tolerates { KINDS }
  step "http" "ask" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    ENTRY
  }
  expect "run" { status = "STATUS" }
}`
	const good, bad = `reply { body = "so" }`, `fault "http_error" {}`
	search := func(kinds, entry, status string) *Report {
		return searched(t, strings.NewReplacer("KINDS", kinds, "ENTRY", entry, "STATUS", status).Replace(text), Options{MaxK: 1, Kinds: few})
	}
	for _, c := range []struct {
		kinds, entry, status string
		told                 bool
	}{
		{`kinds = ["503"]`, good, "success", false},
		{"", good, "success", false},
		{`kinds = ["db_error"]`, good, "success", true},
		{`kinds = ["503", "db_error"]`, good, "success", false},
		{`kinds = ["503"]`, bad, "failed", true},
	} {
		r := search(c.kinds, c.entry, c.status)
		if got := Untried([]*Report{r}); (len(got) == 1) != c.told || len(got) > 1 {
			t.Errorf("%s, %s: %q", c.kinds, c.entry, got)
		}
	}
	failing, passing := search(`kinds = ["503"]`, bad, "failed"), search(`kinds = ["503"]`, good, "success")
	if got := Untried([]*Report{failing, passing}); len(got) != 0 {
		t.Errorf("one scenario of two meets it: %q", got)
	}
}
