package interp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// agentLoomDir is the folder of response files that others recorded.
func agentLoomDir() string {
	if dir := os.Getenv("SCENARIO_AGENTLOOM"); dir != "" {
		return dir
	}
	if dir := os.Getenv("SCENARIO_CORPUS"); dir != "" {
		return filepath.Join(filepath.Dir(dir), "agentloom")
	}
	return filepath.Join("..", "..", "shared", "data", "agentloom")
}

// AL1 to AL9 and AL28: the response files of AgentLoom run as they are, and
// each step meets what its key declares.
func TestAgentLoomFiles(t *testing.T) {
	for _, name := range []string{"fault_replay", "retry_composition", "tool_calling"} {
		t.Run(name, func(t *testing.T) {
			recorded := filepath.Join(agentLoomDir(), name+".json")
			if _, err := os.Stat(recorded); err != nil {
				t.Skipf("0 of 1 recorded response files: SCENARIO_AGENTLOOM, or the folder beside that of SCENARIO_CORPUS, has none (%v)", err)
			}
			path := filepath.Join("testdata", "agentloom", name+".scenario.hcl")
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			plans := compileWith(t, path, string(source), func(string) (*cassette.Cassette, error) { return cassette.Load(recorded) })
			for _, p := range plans {
				if r := Run(p, RunOptions{}); r.Verdict != Pass || r.Checks < 3 {
					complain(t, r)
				}
			}
		})
	}
}

// compileWith compiles a valid file whose cassettes come from a function.
func compileWith(t *testing.T, path, source string, load func(string) (*cassette.Cassette, error)) []*Plan {
	t.Helper()
	file, diags := dsl.Parse(path, []byte(source))
	mustBeValid(t, diags)
	suite, diags := Compile(file, Options{LoadCassette: load})
	mustBeValid(t, diags)
	return suite.Plans
}

// withCassette runs the one scenario of a file with a cassette of the given text.
func withCassette(t *testing.T, source, tape string) *Result {
	t.Helper()
	plans := compileWith(t, "test.scenario.hcl", source, func(path string) (*cassette.Cassette, error) {
		return cassette.Parse(path, []byte(tape))
	})
	return Run(plans[0], RunOptions{})
}

// gateOf returns the message of the one problem of a result, which must be the
// gate.
func gateOf(t *testing.T, r *Result, gate string) string {
	t.Helper()
	for _, p := range r.Problems {
		if p.Kind == "gate" && p.Name == gate {
			return p.Message
		}
	}
	t.Fatalf("%s, and the gate %s is not broken: %v", r.Verdict, gate, r.Problems)
	return ""
}

// mustSay checks that a message has every one of the texts.
func mustSay(t *testing.T, message string, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if !strings.Contains(message, text) {
			t.Errorf("%q is not in:\n%s", text, message)
		}
	}
}

const loomWorkflow = `
provider "openai" "primary" { model = "gpt-4o-mini" }
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "ask" {
    prompt = "hash me"
  }
  step "llm" "then" {
    prompt     = "and then?"
    depends_on = [step.ask]
  }
}
`

// AL10, V49: a step is answered by its own key, else by the hash of its
// request; a script of the scenario comes before both, and a call that nothing
// answers is a broken gate and no default answer.
func TestResponseKeys(t *testing.T) {
	const hash = "89469d4c2baa0203229de565fa0a0b9dba77c2f99d7f10c968b6d36c5b0deb45"
	scenario := loomWorkflow + `
scenario "s" {
  run = workflow.w
  cassette { path = "responses.json" }
  ON
  expect "run" { status = STATUS }
  expect "ask" { content = CONTENT }
}`
	with := func(on, status, content string) string {
		return strings.NewReplacer("ON", on, "STATUS", status, "CONTENT", content).Replace(scenario)
	}
	both := `{"ask": {"content": "by step"}, "` + hash + `": {"content": "by hash"}, "then": {"content": "x"}}`
	byHash := `{"` + hash + `": {"content": "by hash"}, "then": {"content": "x"}}`

	r := withCassette(t, with("", `"success"`, `"by step"`), both)
	mustSay(t, gateOf(t, r, plan.GateUnusedInteraction), `answer 1 (reply) for "`+hash, "line 1 of responses.json was never asked for")
	if r = withCassette(t, with("", `"success"`, `"by hash"`), byHash); r.Verdict != Pass {
		complain(t, r)
	}
	scripted := "on \"ask\" {\n    reply { content = \"scripted\" }\n  }"
	if r = withCassette(t, with(scripted, `"success"`, `"scripted"`), `{"then": {"content": "x"}}`); r.Verdict != Pass {
		complain(t, r)
	}
	r = withCassette(t, with("", `"partial"`, `""`), `{"then": {"content": "x"}, "": {"content": "y"}}`)
	mustSay(t, gateOf(t, r, plan.GateUnmatched), `responses.json has no answer for attempt 1 of step "ask"`, `It answers "then", ""`, hash, `hint: give the file an answer for "ask"`)
}

// A replay entry takes the next turn of its step, or a certain one, and a fault
// may disturb it; past its last turn a key repeats that (AL9).
func TestResponseReplay(t *testing.T) {
	r := withCassette(t, loomWorkflow+`
scenario "s" {
  run = workflow.w
  cassette { path = "responses.json" }
  on "ask" {
    replay {
      interaction = 2
      latency     = "2s"
    }
  }
  on "then" {
    fault "partial_response" {
      replay {}
    }
  }
  expect "run" { status = "success" }
  expect "ask" {
    content     = "two"
    elapsed_ms = 2000
  }
  expect "then" {
    content       = "whole"
    finish_reason = "length"
  }
  allow = ["unused_interaction"]
}`, `{"ask": [{"content": "one"}, {"content": "two"}], "then": {"content": "whole"}}`)
	if r.Verdict != Pass {
		complain(t, r)
	}
	r = withCassette(t, strings.Replace(loomWorkflow, `prompt = "hash me"`, "prompt = \"hash me\"\n    retry = retry.std", 1)+`
retry "exponential" "std" { max_retries = 3 }
scenario "s" {
  run = workflow.w
  cassette { path = "responses.json" }
  expect "run" { status = "failed" }
  expect "ask" { retries = 3 }
  allow = ["unused_interaction"]
}`, `{"ask": [{"fault": {"type": "connection_reset"}}, {"fault": {"type": "http_error", "status_code": 503}}], "then": {"content": "x"}}`)
	if r.Verdict != Pass {
		complain(t, r)
	}
}

// An answer takes as long as the file says, or as the cassette block has it
// for all.
func TestResponseLatency(t *testing.T) {
	for latency, want := range map[string]string{"": "1500", `latency = "none"`: "0", `latency = "250ms"`: "250"} {
		r := withCassette(t, loomWorkflow+`
scenario "s" {
  run = workflow.w
  cassette {
    path = "responses.json"
    `+latency+`
  }
  expect "ask" { elapsed_ms = `+want+` }
}`, `{"ask": {"content": "one", "latency_ms": 1500}, "then": {"content": "x"}}`)
		if r.Verdict != Pass {
			complain(t, r)
		}
	}
}

// A response file that cannot be played on the workflow is refused before
// anything runs, with the line in that file.
func TestResponsesRefused(t *testing.T) {
	for tape, want := range map[string]string{
		`{"ask": {"fault": {"type": "stream_truncate", "after_chunks": 1}}, "then": {"content": ""}}`: "Line 1 of the response file has the fault \"stream_truncate\"",
		`{"_version": 2, "asq": {"content": ""}}`:                                                     `Line 1 of the response file answers "asq", and workflow "w" has no such step. Did you mean "ask"?`,
	} {
		file, diags := dsl.Parse("test.scenario.hcl", []byte(loomWorkflow+`
scenario "s" {
  run = workflow.w
  cassette { path = "responses.json" }
  expect "run" { status = "success" }
}`))
		mustBeValid(t, diags)
		_, diags = Compile(file, Options{LoadCassette: func(path string) (*cassette.Cassette, error) { return cassette.Parse(path, []byte(tape)) }})
		if len(diags) != 1 {
			t.Fatalf("%s: %v", tape, diags)
		}
		mustSay(t, diags[0].Detail, want)
	}
}
