package interp

import (
	"fmt"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/cassette"
)

// A recorded answer whose head comes after 1 s and whose body pauses for 3 s in
// the middle. It is no stream, so only the limits on silence see the pause.
func TestSilence(t *testing.T) {
	const file = `
provider "openai" "m" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.m
  step "llm" "a" {
    prompt = "why?"
    %s
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unexpected_failure"]
  cassette {
    path = "c.yaml"
  }
  assert "it ends so" {
    condition = [step.a.status, step.a.elapsed_ms] == [%q, %d]
  }
}
`
	for _, c := range []struct {
		limits, status string
		ended          int
		late           bool // the pause is between the head and the body
	}{
		{"", "success", 4000, false},
		{`first_byte_timeout = "2s"`, "success", 4000, false},
		{`first_byte_timeout = "1s"`, "success", 4000, false}, // what is due at a deadline is in time
		{`first_byte_timeout = "999ms"`, "failed", 999, false},
		{`idle_timeout = "3s"`, "success", 4000, false},
		{`idle_timeout = "2999ms"`, "failed", 3999, false},
		{"first_byte_timeout = \"1500ms\"\n idle_timeout = \"1s\"", "failed", 2000, false},
		{"idle_timeout = \"2s\"\n attempt_timeout = \"2500ms\"", "failed", 2500, false},
		{`first_byte_timeout = "2s"`, "success", 4000, true},
		{`idle_timeout = "2999ms"`, "failed", 3999, true},
	} {
		slow := recordedAnswer("a", "why?", "because")
		all := len(slow.Response.Parts[0].Data)
		slow.Duration = 4 * time.Second
		slow.Chunks = []cassette.Chunk{{At: time.Second}, {At: time.Second, Len: 20}, {At: 4 * time.Second, Len: all - 20}}
		if c.late {
			slow.Chunks = []cassette.Chunk{{At: time.Second}, {At: 4 * time.Second, Len: all}}
		}
		r := withCassette(t, fmt.Sprintf(file, c.limits, c.status, c.ended), cassetteOf(t, slow))
		if r.Verdict != Pass {
			t.Errorf("%s: %s %v", c.limits, r.Verdict, r.Problems)
		}
	}
}
