package interp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// A fault that makes no difference to what an attempt gets has not fired: it has
// to be a failure where its kind is one, or other bytes, or later.
func TestFaultsThatMakeNoDifference(t *testing.T) {
	const world = `
provider "openai" "m" { model = "x" }
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  on_failure = "continue"
  step "llm" "plain" {
    provider = provider.m
    prompt   = "why?"
    timeout  = "9s"
  }
  step "llm" "stream" {
    provider = provider.m
    prompt   = "why?"
    stream   = true
    timeout  = "9s"
  }
  step "http" "get" {
    provider      = provider.api
    path          = "/x"
    expect_status = [200, 302, 404]
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unexpected_failure"]
%s
  on %q {
    fault %q {
%s
    }
  }
  assert "x" { condition = step.%[2]s.status != "skipped" }
}
`
	const (
		accepted = "1 of 1 calls took its answer for a success"
		asSoon   = "1 of 1 calls got its answer as soon as without it"
		alike    = "1 of 1 calls got the same answer as without it"
		three    = "usage = { completion_tokens = 3 }"
		answer   = "reply {\ncontent = \"x\"\nusage = { prompt_tokens = 1, completion_tokens = 3 }\n}"
	)
	for _, c := range []struct{ step, kind, args, says string }{
		{"get", "http_error", `status_code = 302`, accepted},
		{"get", "http_error", `status_code = 404`, ""}, // which the step expects, and reads
		{"get", "http_error", ``, ""},
		{"plain", "http_error", `status_code = 302`, ""},
		{"get", "malformed_response", `raw = "{}"`, accepted},
		{"get", "malformed_response", ``, ""},
		{"plain", "malformed_response", `raw = "{}"`, ""},
		{"get", "wrong_content_type", `content_type = "text/html"`, accepted},
		{"get", "wrong_content_type", ``, ""},
		{"stream", "slow_stream", `reply { content = "x" }`, asSoon},
		{"stream", "slow_stream", `reply { content = "x y" }`, ""},
		{"stream", "slow_stream", "reply {\ncontent = \"x y\"\nchunk_delay = \"1s\"\n}", asSoon},
		{"stream", "slow_stream", "after = \"1s\"\nreply { content = \"x\" }", ""},
		{"stream", "slow_stream", `chunk_delay = "0s"`, asSoon},
		{"stream", "slow_stream", ``, ""},
		{"stream", "timeout", ``, ""},
		{"plain", "timeout", `after = "0s"`, ""},
		{"plain", "partial_response", "finish_reason = \"stop\"\n" + three + "\n" + answer, alike},
		{"plain", "partial_response", three + "\n" + answer, ""},
		{"plain", "connection_refused", ``, ""},
	} {
		others := ""
		for _, other := range []string{"plain", "stream", "get"} {
			if other != c.step {
				others += fmt.Sprintf("  on %q {\n    reply {}\n  }\n", other)
			}
		}
		said := func(more string) (all []string) {
			r := Run(mustCompile(t, fmt.Sprintf(world, others, c.step, c.kind, c.args+"\n"+more))[0], RunOptions{})
			for _, p := range r.Problems {
				if p.Kind != "gate" || p.Name != plan.GateUnfiredFault {
					t.Errorf("%s { %s }: %s", c.kind, c.args, p.Message)
				}
				all = append(all, p.Message)
			}
			return all
		}
		got := said("")
		if c.says == "" && len(got) > 0 || c.says != "" && (len(got) != 1 || !strings.Contains(got[0], "made no difference: "+c.says)) {
			t.Errorf("%s { %s } on %s: %q, want %q", c.kind, c.args, c.step, got, c.says)
		}
		// All that is injected is optional: that nothing of it mattered is one gate.
		if got := said("optional = true"); c.says != "" && (len(got) != 1 || !strings.Contains(got[0], "nothing of what the scenario injects had an effect")) {
			t.Errorf("%s { %s }, optional: %q", c.kind, c.args, got)
		}
	}
}
