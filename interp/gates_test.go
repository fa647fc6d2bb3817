package interp

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// recordingsOf is a cassette of answers to GET requests: "step path body", step "-"
// for a file that knows no steps.
func recordingsOf(lines ...string) *cassette.Cassette {
	c := &cassette.Cassette{Path: "tape.yaml", Own: true, Digest: "sha256:0"}
	for i, line := range lines {
		f := strings.Fields(line)
		it := &cassette.Interaction{
			Index: i + 1, Line: i + 1, Step: f[0], Target: "api", Attempt: i + 1, Method: "GET", URL: "http://api.test" + f[1],
			Response: wire.Response{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "text/plain"}}, Parts: []wire.Part{{Data: []byte(f[2])}}},
		}
		if f[0] == "-" {
			it.Step, it.Target, c.Own = "", "", false
		}
		c.Interactions = append(c.Interactions, it)
	}
	return c
}

// playCassette is play with a cassette.
func playCassette(t *testing.T, src string, tape *cassette.Cassette) *Result {
	t.Helper()
	file, diags := dsl.Parse("test.scenario.hcl", []byte(testWorld+src))
	mustBeValid(t, diags)
	suite, diags := Compile(file, Options{LoadCassette: func(string) (*cassette.Cassette, error) { return tape, nil }})
	mustBeValid(t, diags)
	return Run(suite.Plans[0], RunOptions{})
}

const askOnce = `
workflow "w" {
  provider = provider.primary
  step "llm" "ask" {
    prompt = "x"
    retry  = retry.std
  }
}
`

const askAgain = `
workflow "w" {
  provider = provider.primary
  step "loop" "again" {
    max_iterations = 3
    step "llm" "ask" {
      prompt = "x"
      tool "t" { output = "y" }
    }
  }
}
`

const getOnce = `
workflow "w" {
  provider = provider.api
  step "http" "get" { path = "/a" }
}
`

// A gate finds what is planted for it, and says what, where and what to do;
// allowed, it is told of and fails nothing.
func TestGates(t *testing.T) {
	for _, c := range []struct {
		gate, src string
		tape      *cassette.Cassette
		phrases   []string
	}{
		{plan.GateUnmatched, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  expect "run" { status = "failed" }
  expect "ask" {
    retries = 0
    error   = { kind = "exception", retryable = false }
  }
}`, nil, []string{`attempt 1 of step "ask" on target "primary"`, "POST https://api.openai.com/v1/chat/completions", `on "ask"`}},
		{plan.GateUnmatched, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply {
      content  = "x"
      turn     = 2
      optional = true
    }
  }
  expect "run" { status = "failed" }
}`, nil, []string{"has no entry for such a call"}},
		{plan.GateOverConsumed, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    fault "http_error" {}
    fault "connection_reset" { times = 2 }
  }
  expect "run" { status = "failed" }
  expect "ask" {
    retries = 3
    error   = { kind = "exception" }
  }
}`, nil, []string{"attempt 4", "entry 2 (fault connection_reset) 2 of 2", "exhausted"}},
		{plan.GateUnmatched, askAgain + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "again.ask" {
    reply {
      tool_calls = [{ id = "1", name = "t", arguments = {} }]
      turn       = 1
    }
  }
  expect "run" { status = "failed" }
}`, nil, []string{`attempt 2, in turn 2, of iteration 1 of step "again.ask" on target "primary"`}},
		{plan.GateOverConsumed, askAgain + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "again.ask" {
    reply { content = "x" }
    reply { content = "y" }
  }
  expect "run" { status = "failed" }
}`, nil, []string{`attempt 1 of iteration 3 of step "again.ask"`}},
		{plan.GateUnusedReply, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply { content = "x" }
    reply { content = "never" }
  }
  expect "run" { status = "success" }
}`, nil, []string{"entry 2 (reply)", "0 of 1", "optional = true"}},
		{plan.GateUnfiredFault, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply { content = "x" }
    fault "timeout" {}
  }
  expect "run" { status = "success" }
}`, nil, []string{"entry 2 (fault timeout)", "0 of 1"}},
		{plan.GateUnfiredFault, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    fault "http_error" {
      status_code = 400
      times       = 2
    }
  }
  expect "run" { status = "failed" }
}`, nil, []string{"1 of 2", "times = 1"}},
		{plan.GateUnusedInteraction, getOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  cassette { path = "tape.yaml" }
  expect "get" { body = "one" }
}`, recordingsOf("get /a one", "get /b two"), []string{"interaction 2", "/b"}},
		{plan.GateDrifted, getOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  cassette { path = "tape.yaml" }
  expect "run" { status = "failed" }
}`, recordingsOf("get /b one"), []string{"/b", "/a"}},
		{plan.GateAmbiguous, `
workflow "w" {
  provider = provider.api
  step "http" "get" { path = "/a" }
  step "http" "too" { path = "/a" }
}
scenario "s" {
  run = workflow.w
  ALLOW
  cassette { path = "tape.yaml" }
  expect "run" { status = "failed" }
}`, recordingsOf("- /a one", "- /a two"), []string{`"get"`, `"too"`}},
		{plan.GateUnexpected, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    fault "http_error" { status_code = 400 }
  }
  expect "ask" { status = "failed" }
}`, nil, []string{`"failed"`, `step "ask"`, `expect "run" { status = "failed" }`}},
		{plan.GateUnfiredFault, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply {
      content = "x"
      latency = "1s"
    }
  }
  event "late" {
    at     = "2s"
    cancel = step.ask
  }
  expect "ask" { status = "success" }
}`, nil, []string{`event "late" cancelled nothing`, "step.ask had ended at 2s"}},
		{plan.GateUnfiredFault, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply { content = "x" }
  }
  event "late" {
    at     = "1ms"
    cancel = "run"
  }
  expect "run" { status = "success" }
}`, nil, []string{"all steps of the run had ended at 1ms"}},
		{plan.GateUnfiredFault, `
workflow "w" {
  provider = provider.primary
  step "wait" "first" { for = "5s" }
  step "llm" "ask" {
    prompt     = "x"
    depends_on = [step.first]
  }
}
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply { content = "x" }
  }
  event "early" {
    at     = "3s"
    cancel = step.ask
  }
  expect "ask" { status = "success" }
}`, nil, []string{`event "early" cancelled nothing`, "step.ask had not begun at 3s"}},
		{plan.GateNoAssertion, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    reply { content = "x" }
  }
}`, nil, []string{"checks nothing", "no_assertion"}},
		{plan.GateDeadlock, askOnce + `
scenario "s" {
  run = workflow.w
  ALLOW
  on "ask" {
    fault "timeout" {}
  }
  expect "run" { status = "cancelled" }
  expect "ask" { status = "cancelled" }
}`, nil, []string{`step "ask" waits`, `target "primary"`, "entry 1 (fault timeout)", "line 22", "attempt_timeout"}},
	} {
		t.Run(c.gate, func(t *testing.T) {
			run := func(allow string) *Result {
				return playCassette(t, strings.Replace(c.src, "  ALLOW\n", allow, 1), c.tape)
			}
			strict := run("")
			kind := "gate"
			if c.gate == plan.GateUnexpected {
				kind = "run"
			}
			// A cassette that was left unused by what is planted is told of, too.
			if c.gate != plan.GateUnusedInteraction {
				var rest []Problem
				for _, p := range strict.Problems {
					if p.Name != plan.GateUnusedInteraction {
						rest = append(rest, p)
					}
				}
				strict.Problems = rest
			}
			mustFail(t, strict, kind, c.gate, c.phrases...)
			relaxed := run(`  allow = ["` + c.gate + `", "unused_interaction"]` + "\n")
			if relaxed.Verdict != Pass {
				t.Errorf("allowed, the scenario still fails:\n%s", told(relaxed))
			}
			found := false
			for _, p := range relaxed.Relaxed {
				found = found || p.Name == c.gate
			}
			if !found {
				t.Error("the report does not tell of the gate that was allowed")
			}
		})
	}
}

// A scenario that fails at a gate tells of its failing assertions, too.
func TestGatesBesideAssertions(t *testing.T) {
	r := play(t, askOnce+`
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "x" }
    reply { content = "never" }
  }
  assert "is wrong" { condition = step.ask.content == "y" }
}`)
	if len(r.Problems) != 2 || r.Problems[0].Kind != "gate" || r.Problems[1].Kind != "assert" || r.Checks != 1 {
		t.Errorf("got\n%s", told(r))
	}
}

// What a gate is quiet about: an optional entry, a one-entry script used once,
// "*" used once, a run expected to fail in each of the ways there are.
func TestGatesAreQuiet(t *testing.T) {
	mustPass(t, testWorld+askOnce+`
scenario "optional" {
  run = workflow.w
  on "ask" {
    fault "http_error" {}
    reply { content = "x" }
    fault "timeout" { optional = true }
  }
  expect "ask" { content = "x" }
}
scenario "once of one" {
  run = workflow.w
  on "ask" {
    reply { content = "x" }
  }
  expect "ask" { content = "x" }
}
scenario "once of any number" {
  run = workflow.w
  on "ask" {
    reply {
      content = "x"
      times   = "*"
    }
  }
  expect "ask" { content = "x" }
}
scenario "a failure that an assert is about" {
  run = workflow.w
  on "ask" {
    fault "http_error" { status_code = 400 }
  }
  assert "it fails" { condition = run.status == "failed" && run.error.status_code == 400 }
}
scenario "a failure that an expectation is about" {
  run = workflow.w
  on "ask" {
    fault "http_error" { status_code = 400 }
  }
  expect "run" { status = "failed" }
}
`)
}

// A skipped scenario is checked, not run.
func TestSkippedScenario(t *testing.T) {
	r := play(t, askOnce+`
scenario "s" {
  run  = workflow.w
  skip = "not yet"
  expect "ask" { content = "x" }
}`)
	if r.Verdict != Skip || len(r.Events) != 0 || len(r.Problems) != 0 {
		t.Errorf("verdict %s with %d events:\n%s", r.Verdict, len(r.Events), told(r))
	}
}

// Invariants that are all a scenario checks, and that were never checked because
// what they read was never there, are no reason for a green. One that was, or
// any other check beside them, is.
func TestGateInvariantsNeverChecked(t *testing.T) {
	answered := func(checks string) *Result {
		return play(t, askOnce+`
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "x" }
  }
`+checks+`
}`)
	}
	never := `  invariant "a timeout" { condition = step.ask.error.kind == "timeout" }` + "\n"
	mustFail(t, answered(never), "invariant", "a timeout", "never evaluated", "null after every event", "no_assertion")
	for name, checks := range map[string]string{
		"allowed":                     `  allow = ["no_assertion"]` + "\n" + never,
		"beside one that was checked": never + `  invariant "once" { condition = step.ask.retries == 0 }`,
		"beside an expectation":       never + `  expect "ask" { content = "x" }`,
	} {
		t.Run(name, func(t *testing.T) {
			if r := answered(checks); r.Verdict != Pass {
				t.Errorf("the scenario fails:\n%s", told(r))
			}
		})
	}
	r := play(t, askOnce+`
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" { status_code = 400 }
  }
  allow = ["unexpected_failure"]
`+never+`
}`)
	mustFail(t, r, "invariant", "a timeout", "broken by event")
}
