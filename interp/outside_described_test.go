package interp

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// A step behind a gateway, described to a program, which asks it at two targets.
const describedFile = `provider "openai" "one" {}
provider "openai" "two" { base_url = "https://two.test/v1" }
gateway "g" {
  target "a" { provider = provider.one }
  target "b" { provider = provider.two }
}
workflow "w" {
  gateway = gateway.g
  step "llm" "ask" { prompt = "a" }
  step "llm" "later" { prompt = "b" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" {
      target = "a"
      times  = 2
    }
    reply {
      target  = "b"
      content = "yes"
    }
  }
  on "later" {
    reply {
      content  = "no"
      optional = true
    }
  }
  assert "what it was" {
    condition = $CONDITION
  }
}
`

// Shows that a step behind a gateway is asked at the provider of any of its targets, and
// that each attempt says at which.
func TestAskedBehindAGateway(t *testing.T) {
	d := describedBy(t, `[for a in step.ask.attempts : a.target] == ["a", "a", "b"] && step.ask.target == "b" && step.ask.content == "yes"`)
	for _, url := range []string{chatURL, chatURL, "https://two.test/v1/chat/completions"} {
		d.asks(url, chatOf("a")).End(false)
	}
	if r, _ := d.run.Finish(""); r.Verdict != Pass {
		t.Errorf("%v", r.Problems)
	}
}

// Shows that delays_ms of a step are the gaps of its calls: those between attempts of
// one call, and not those between calls.
func TestDelaysAreTheGapsOfCalls(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := describedBy(t, `step.ask.delays_ms == [1000, 2000] && length(step.ask.calls) == 1 && step.later.delays_ms == []`)
		for i, url := range []string{chatURL, chatURL, "https://two.test/v1/chat/completions"} {
			time.Sleep(time.Duration(i) * time.Second)
			d.asks(url, chatOf("a")).End(false)
		}
		for range 2 { // the first succeeds, so that the second is another call
			time.Sleep(time.Minute)
			d.asks(chatURL, chatOf("b")).End(false)
		}
		r, _ := d.run.Finish("")
		for _, p := range r.Problems {
			if p.Kind == "assert" {
				t.Errorf("%v", p)
			}
		}
	})
}

// Shows that a step which a program never called has an empty list of attempts, so that
// conditions about them hold or fail and none breaks.
func TestAStepNobodyCalled(t *testing.T) {
	d := describedBy(t, `length(step.later.attempts) == 0 && step.later.calls == [] && step.later.retries == 0`)
	for _, url := range []string{chatURL, chatURL, "https://two.test/v1/chat/completions"} {
		d.asks(url, chatOf("a")).End(false)
	}
	if r, _ := d.run.Finish(""); r.Verdict != Pass {
		t.Errorf("%v", r.Problems)
	}
}

func describedBy(t *testing.T, condition string) *driver {
	t.Helper()
	return drivenBy(t, strings.ReplaceAll(describedFile, "$CONDITION", condition))
}
