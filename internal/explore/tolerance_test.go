package explore

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp"
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

// What a scenario does by itself survives, too: each of its calls, fanouts and classifiers
// that succeed without a fault. One that does not is nothing to survive.
func TestToleratesOfBlocks(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  step "http" "ask" {
    path = "/"
    RETRY
  }
}
actor "desk" {
  handler "ask" { workflow = workflow.w }
}
actor "idle" {
  handler "ask" { takes = "1s" }
}
actor "broken" {
  handler "ask" {
    takes   = "2s"
    timeout = "1s"
  }
}
scenario "s" {
  tolerates { kinds = ["503"] }
  DOES
  on "ADDRESS" {
    exhausted = "repeat_last"
    reply { body = "so" }
    reply { body = "so" }
  }
  allow = ["unused_reply", "unexpected_failure"]
  EXPECT
}`
	const good, retry = `expect "c" { status = "success" }`, "retry = retry.thrice"
	for _, c := range []struct {
		name, does, address, expect, retry string
		want                               []string // what is found
	}{
		{"call", "call \"c\" { target = workflow.w }", "c.ask", good, "", []string{"c"}},
		{"call that retries", "call \"c\" { target = workflow.w }", "c.ask", good, retry, nil},
		{"one of two calls", "call \"c\" {\n target = actor.desk.ask\n at = [\"0s\", \"1s\"]\n}", "actor.desk.ask.ask", good, "", []string{"c"}},
		{"fanout", "fanout \"c\" {\n sub \"x\" { target = actor.desk.ask }\n}", "actor.desk.ask.ask", good, "", []string{"c"}},
		{"fanout with one that goes on", "fanout \"c\" {\n sub \"x\" { target = actor.desk.ask }\n sub \"y\" { target = actor.idle.ask }\n}", "actor.desk.ask.ask", good, "", nil},
		{"beside a run", "run = workflow.w\n call \"c\" { target = actor.desk.ask }", "actor.desk.ask.ask", good + "\n on \"ask\" {\n reply { body = \"so\" }\n}", "", []string{""}},
		{"one that fails anyway", "call \"c\" { target = actor.broken.ask }\n call \"d\" { target = actor.desk.ask }", "actor.desk.ask.ask", `expect "c" { status = "timeout" }`, "", []string{"d"}},
		{"only one that fails anyway", "call \"c\" { target = actor.broken.ask }\n call \"d\" {\n target = actor.desk.ask\n at = \"1s\"\n}", "actor.desk.ask.ask", `expect "c" { status = "timeout" }`, retry, nil},
	} {
		file := strings.NewReplacer("DOES", c.does, "ADDRESS", c.address, "EXPECT", c.expect, "RETRY", c.retry).Replace(text)
		r := searched(t, file, Options{MaxK: 1, Parallel: 2, NoStandard: true, Kinds: []string{"http_error"}, Except: []string{"deadlock"}})
		var got []string
		for _, f := range r.Finds {
			if f.Oracle == KindTolerates {
				got = append(got, f.Lost)
				found, err := Emit(r.World, f, []byte(file), "../a.scenario.hcl")
				if err != nil {
					t.Fatalf("%s: %v", c.name, err)
				}
				run := interp.Run(emitted(t, file, found), interp.RunOptions{})
				if !slices.ContainsFunc(run.Problems, func(p interp.Problem) bool { return f.Is(&p) }) {
					t.Errorf("%s: what is written does not fail: %+v\n%s", c.name, run.Problems, found)
				}
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: what is lost is %q, want %q\n%s", c.name, got, c.want, findsOf(r))
		}
		if c.want != nil && r.Survival.Lost == 0 {
			t.Errorf("%s: all faults are survived", c.name)
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
