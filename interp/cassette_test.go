package interp

import (
	"bytes"
	"net/http"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// recordedAnswer is a recorded question to a model and its answer.
func recordedAnswer(step, question, answer string) *cassette.Interaction {
	return &cassette.Interaction{
		Step: step, Method: "POST", URL: "https://api.openai.com/v1/chat/completions",
		RequestHeader: http.Header{"Content-Type": {"application/json"}},
		RequestBody:   []byte(`{"model":"gpt-4o-mini","messages":[{"role":"user","content":"` + question + `"}]}`),
		Response: wire.Response{
			Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
			Parts: []wire.Part{{Data: []byte(`{"id":"x","object":"chat.completion","created":1,"model":"gpt-4o-mini","choices":[{"index":0,"message":{"role":"assistant","content":"` + answer + `"},"finish_reason":"stop"}]}`)}},
		},
	}
}

func cassetteOf(t *testing.T, items ...*cassette.Interaction) string {
	t.Helper()
	var b bytes.Buffer
	if err := cassette.Write(&b, &cassette.Cassette{Interactions: items}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const cassetteScenario = `
provider "openai" "primary" { model = "gpt-4o-mini" }
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
  step "llm" "left" { prompt = "same" }
  step "llm" "right" { prompt = "same" }
  step "llm" "last" {
    prompt     = "and then?"
    depends_on = [step.left, step.right]
  }
}
scenario "s" {
  run = workflow.w
  cassette { path = "tape.yaml" }
  assert "ended" {
    condition = length(events()) > 3
  }
}`

// A recording is played to its last interaction: by step where it names steps,
// else by request and then in recorded order, where equal answers cannot be
// told apart.
func TestCassettePlays(t *testing.T) {
	for name, tape := range map[string]string{
		"by step":    cassetteOf(t, recordedAnswer("right", "same", "r"), recordedAnswer("last", "and then?", "x"), recordedAnswer("left", "same", "l")),
		"by request": cassetteOf(t, recordedAnswer("", "and then?", "x"), recordedAnswer("", "same", "s"), recordedAnswer("", "same", "s")),
	} {
		if r := withCassette(t, cassetteScenario, tape); r.Verdict != Pass {
			t.Log(name)
			complain(t, r)
		}
	}
}

// Each gate of a recording is broken by a scenario planted for it, and says
// which interaction is meant, what differs and what to do next.
func TestCassetteGates(t *testing.T) {
	left, right, last := recordedAnswer("left", "same", "l"), recordedAnswer("right", "same", "r"), recordedAnswer("last", "and then?", "x")
	for _, tt := range []struct {
		gate string
		tape []*cassette.Interaction
		want []string
	}{
		{plan.GateUnusedInteraction, []*cassette.Interaction{left, right, last, recordedAnswer("gone", "more", "y")}, []string{
			"interaction 4 (POST https://api.openai.com/v1/chat/completions) of tape.yaml was never asked for",
			`hint: remove it, or allow = ["unused_interaction"]`,
		}},
		{plan.GateDrifted, []*cassette.Interaction{left, right, recordedAnswer("last", "and now?", "x")}, []string{
			`step "last", attempt 1, target "primary": POST https://api.openai.com/v1/chat/completions was recorded differently in tape.yaml`,
			"interaction 3 (line ", `step "last") differs in`,
			`body.messages[0].content: recorded "and now?", actual "and then?"`,
			"or change the request back", "`scenario cassette show tape.yaml 3` prints the recorded request",
		}},
		{plan.GateAmbiguous, []*cassette.Interaction{recordedAnswer("", "same", "one"), recordedAnswer("", "same", "two"), recordedAnswer("", "and then?", "x")}, []string{
			`step "right", attempt 1, target "primary"`, `cannot be told from the call of step "left" at the same instant`,
			"the answers of interaction 1 (line", "and interaction 2 (line", "hint: name one for each step with `replay { interaction = N }`",
		}},
		{plan.GateOverConsumed, []*cassette.Interaction{recordedAnswer("", "same", "s"), recordedAnswer("", "and then?", "x")}, []string{
			`step "right"`, "is one call too many: tape.yaml has 1 for it", "hint:",
		}},
		{plan.GateUnmatched, []*cassette.Interaction{left, right, recordedAnswer("lost", "and when?", "x")}, []string{
			`no interaction of tape.yaml answers step "last"`, `nearest: interaction 3 (line`, `step "lost"), which differs in`,
			`body.messages[0].content: recorded "and when?", actual "and then?"`, "records the answer; or change the request back, or declare what answers it in an `on` block; `scenario cassette show tape.yaml 3`",
		}},
	} {
		r := withCassette(t, cassetteScenario, cassetteOf(t, tt.tape...))
		if r.Verdict != Fail {
			t.Errorf("%s: %s", tt.gate, r.Verdict)
		}
		mustSay(t, gateOf(t, r, tt.gate), tt.want...)
	}
}

// A gate that the scenario allows is reported and fails nothing.
func TestCassetteGateAllowed(t *testing.T) {
	source := strings.Replace(cassetteScenario, "run = workflow.w", "run = workflow.w\n  allow = [\"unused_interaction\"]", 1)
	r := withCassette(t, source, cassetteOf(t, recordedAnswer("left", "same", "l"), recordedAnswer("right", "same", "r"), recordedAnswer("last", "and then?", "x"), recordedAnswer("gone", "more", "y")))
	if r.Verdict != Pass || len(r.Relaxed) != 1 || r.Relaxed[0].Name != plan.GateUnusedInteraction {
		t.Errorf("%s, relaxed %v", r.Verdict, r.Relaxed)
		complain(t, r)
	}
}
