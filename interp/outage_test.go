package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
)

// outageOf is an outage as a scenario has it.
func outageOf(where string, f *faults.Kind) string {
	return fmt.Sprintf("\n  outage \"it\" {\n    %s\n    to = \"2s\"\n    optional = true\n    fault %q {}\n  }\n", where, f.Name)
}

// throughout injects a fault with its usual arguments at every point that it can
// strike, before an instant.
func throughout(f *faults.Kind, until time.Duration, where func(Point) bool) func(Point) *Injection {
	args := f.Usual()
	return func(at Point) *Injection {
		if at.At >= until || !at.Meets(f) || !where(at) {
			return nil
		}
		return &Injection{Fault: f, Args: args}
	}
}

// Shows, for every kind of fault on every kind of provider, in runs of a workflow and
// in those of a program, that an outage which a scenario declares is what an injector
// does that strikes the same attempts: by address, target and provider.
func TestOutagesAreInjected(t *testing.T) {
	compared, driven := 0, 0
	for _, f := range faults.Kinds() {
		for i, p := range services() {
			for _, stream := range []bool{false, true} {
				if !p.step(stream).Meets(f) || stream && p.family == "sql" {
					continue
				}
				answers, attempt, ok := answersTo(f, p, stream)
				if !ok || attempt > 1 {
					continue // an outage begins with the first
				}
				if f.Lies {
					answers[1] = answers[0]
				}
				entries := fmt.Sprintf("exhausted = \"repeat_last\"\nreply { %s }\nreply { %s }\n", answers[0], answers[1])
				inject := throughout(f, 2*time.Second, func(Point) bool { return true })
				what := fmt.Sprintf("%s on %s (stream = %t)", f.Name, p.kind, stream)
				where := []string{`address = "twice.ask"`, `target = "p"`, `provider = provider.p`}[i%3]
				text := asksTwice(p, stream, entries)
				struck := Run(mustCompile(t, strings.Replace(text, `on "twice.ask"`, outageOf(where, f)+`on "twice.ask"`, 1))[0], RunOptions{})
				injected := Run(mustCompile(t, text)[0], RunOptions{Inject: inject})
				if injected.Injected.Unfit != "" || injected.Injected.Strikes == 0 {
					t.Errorf("%s: %+v", what, injected.Injected)
				}
				if diff := cmp.Diff(placeless(t, injected), placeless(t, struck)); diff != "" {
					t.Errorf("%s (- injected, + written):\n%s", what, diff)
				}
				compared++
				if p.piped || stream && p.family == "http" && f.OnlyStreams() {
					continue
				}
				where = strings.Replace(where, "twice.ask", "p", 1)
				served := fmt.Sprintf("reply { %s }\nreply { %s }\n", answers[0], answers[1])
				if injected = programAsksTwice(t, p, stream, served, inject); injected.Injected.Strikes > 0 {
					driven++
				}
				struck = programAsksTwice(t, p, stream, served+"}\n"+strings.TrimSuffix(outageOf(where, f), "}\n"), nil)
				if diff := cmp.Diff(placeless(t, injected), placeless(t, struck)); diff != "" {
					t.Errorf("%s, of a program (- injected, + written):\n%s", what, diff)
				}
			}
		}
	}
	if compared < 100 || driven < 100 {
		t.Errorf("%d were compared, %d of programs", compared, driven)
	}
}

// The same of calls of an actor, and of its startup.
func TestOutagesOfActorsAreInjected(t *testing.T) {
	const world = `
actor "health" {
  module "store" {}
  handler "trigger" {
    takes   = "2s"
    timeout = "1h"
    return  = "fine"
  }
}
scenario "s" {
  allow = ["no_assertion", "unfired_fault", "unexpected_failure"]
  call "say" {
    target = actor.health.trigger
    at     = ["0s", "1s", "3s", "4s"]
  }
%s
}
`
	compared := 0
	for _, f := range faults.Kinds() {
		for address, word := range map[string]string{"say": "actor", "actor.health.trigger": "actor", "actor.health.module.store": "module"} {
			if !slices.Contains(f.For, word) {
				continue
			}
			point := strings.Replace(address, "actor.health.trigger", "say", 1)
			injected := Run(mustCompile(t, fmt.Sprintf(world, ""))[0], RunOptions{Inject: throughout(f, 2*time.Second, func(at Point) bool { return at.Address == point })})
			struck := Run(mustCompile(t, fmt.Sprintf(world, outageOf(fmt.Sprintf("address = %q", address), f)))[0], RunOptions{})
			if diff := cmp.Diff(placeless(t, injected), placeless(t, struck)); diff != "" {
				t.Errorf("%s on %s (- injected, + written):\n%s", f.Name, address, diff)
			}
			compared++
		}
	}
	if compared < 30 {
		t.Errorf("%d were compared", compared)
	}
}

// An outage that no attempt meets, or that makes no difference to those that do, breaks
// the gate, and says why; so does one among others that are all optional. One that
// needs an answer where none is due is wrong as it is written.
func TestOutagesThatNobodyMeets(t *testing.T) {
	const world = `
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "get" {
    path    = "/x"
    timeout = "5s"
    expect_status = [200, 404]
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["unexpected_failure", "no_assertion"]
  on "get" {
    reply { latency = "2s" }
  }
  outage "it" {
    address = "get"
    %s
  }
}
`
	for _, c := range []struct{ body, says string }{
		{`fault "timeout" {}`, ""},
		{"from = \"1s\"\nfault \"timeout\" {}", "the outage \"it\" (timeout of get, from 1s on) met nobody"},
		{"from = \"1s\"\nto = \"2s\"\noptional = true\nfault \"timeout\" {}", "nothing of what the scenario injects had an effect"},
		{`fault "http_error" { status_code = 404 }`, ""},
		{`fault "malformed_response" { raw = "{}" }`, "made no difference: 1 of 1 calls took its answer for a success"},
		{`fault "connection_refused" { after = "9s" }`, "1 of 1 calls ended before its after = 9s was over"},
		{`fault "delay" { by = "1s" }`, ""},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(world, c.body))[0], RunOptions{})
		if got := told(r); c.says == "" && strings.Contains(got, "unfired_fault") || !strings.Contains(got, c.says) {
			t.Errorf("%s: %s, want %q", c.body, got, c.says)
		}
	}
	source := strings.Replace(fmt.Sprintf(world, `fault "delay" {}`), `reply { latency = "2s" }`, `fault "http_error" {}`, 1)
	if r := Run(mustCompile(t, source)[0], RunOptions{}); r.Verdict != Error || !strings.Contains(told(r), `the outage "it" cannot strike step "get": there is no answer that it could disturb`) {
		t.Errorf("a delay of a fault: %s", told(r))
	}
}
