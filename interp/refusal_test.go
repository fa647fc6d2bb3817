package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/wire"
)

// A fault around a recorded refusal has no answer to disturb: the scenario
// cannot be played as it is written, and says so. Without the fault the refusal
// is replayed.
func TestFaultAroundARecordedRefusal(t *testing.T) {
	const file = `
provider "openai" "m" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    stream = true
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "c.yaml"
  }
  on "a" {
    %s
  }
  expect "run" { status = "failed" }
}
`
	play := func(entry string) *Result {
		refusal := recordedAnswer("a", "why?", "")
		refusal.RequestBody = []byte(`{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}],"stream":true,"stream_options":{"include_usage":true}}`)
		refusal.Error, refusal.Response = "refused", wire.Response{}
		return withCassette(t, fmt.Sprintf(file, entry), cassetteOf(t, refusal))
	}
	if r := play(`replay { interaction = 1 }`); r.Verdict != Pass {
		t.Fatalf("without a fault: %s %v", r.Verdict, r.Problems)
	}
	tried := 0
	for _, k := range faults.Kinds() {
		plans, diags := tryCompileKind(t, fmt.Sprintf(file, fmt.Sprintf("fault %q {\n      replay { interaction = 1 }\n    }", k.Name)))
		if diags || plans == 0 {
			continue // it takes no answer, or arguments that are not given here
		}
		tried++
		r := play(fmt.Sprintf("fault %q {\n      replay { interaction = 1 }\n    }", k.Name))
		if r.Verdict != Error || len(r.Problems) == 0 || !strings.Contains(r.Problems[0].Message, "is a refusal") {
			t.Errorf("fault %s: %s %v", k.Name, r.Verdict, r.Problems)
		}
	}
	if tried < 8 {
		t.Errorf("only %d kinds were tried", tried)
	}
}

// tryCompileKind reports how many plans a source has, and whether it is wrong.
func tryCompileKind(t *testing.T, source string) (plans int, wrong bool) {
	t.Helper()
	file := parsed(t, []byte(source))
	suite, diags := Compile(file, Options{LoadCassette: func(path string) (*cassette.Cassette, error) {
		return &cassette.Cassette{}, nil
	}})
	if diags.HasErrors() {
		return 0, true
	}
	return len(suite.Plans), false
}
