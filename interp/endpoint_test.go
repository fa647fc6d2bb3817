package interp

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

const endpointWorld = `
provider "openai" "llm" {}
provider "openai" "other" { model = "m" }
provider "http" "tickets" { base_url = "https://tickets.example" }
endpoint "create" {
  provider = provider.tickets
}
workflow "inside" {
  provider = provider.llm
  step "llm" "deep" { prompt = "a" }
}
workflow "w" {
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "a"
  }
  step "value" "v" { value = 1 }
  step "workflow" "sub" { run = workflow.inside }
}
`

// endpointsOf are the endpoints of a plan, each with its provider; what a file
// declares has no mark.
func endpointsOf(p *Plan) string {
	var list []string
	for _, n := range plan.Inside(p).Endpoints {
		mark := ""
		if !n.Step.Endpoint.Declared {
			mark = " (step)"
		}
		list = append(list, fmt.Sprintf("%s at %s%s", n.Name, n.Step.Gateway.Targets[0].Provider.Name, mark))
	}
	return strings.Join(list, ", ")
}

// Shows which calls a program can make: those of the endpoint blocks, of the
// providers that nothing names, and of the steps that describe it. Where it
// takes no part there are none.
func TestEndpointsOfAScenario(t *testing.T) {
	for _, c := range []struct{ scenario, want string }{
		{"  on \"*\" {\n    fault \"http_error\" {}\n  }", "create at tickets, llm at llm, other at other"},
		{`run = workflow.w`, "create at tickets, other at other, ask at llm (step), sub.deep at llm (step)"},
		{`
  run = workflow.w
  call "c" {
    target = workflow.inside
  }`, ""},
	} {
		p := compileAt(t, "a.scenario.hcl", endpointWorld+"scenario \"s\" {\n"+c.scenario+"\n}\n")[0]
		if got := endpointsOf(p); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.scenario, got, c.want)
		}
	}
}

// Shows which ways a scenario has, and that running one that it does not have
// skips it.
func TestWaysOfAScenario(t *testing.T) {
	for _, c := range []struct {
		scenario string
		barred   []Way
	}{
		{"  on \"*\" {\n    fault \"http_error\" {}\n  }", []Way{Interpreted}},
		{`run = workflow.w`, nil},
		{`
  call "c" {
    target = workflow.inside
  }`, []Way{Exec, Serve, Embedded}},
	} {
		p := compileAt(t, "a b.scenario.hcl", endpointWorld+"scenario \"s\" {\n"+c.scenario+"\n}\n")[0]
		var barred []Way
		for _, w := range plan.Ways() {
			if p.Barred(w) != "" {
				barred = append(barred, w)
			}
			if got := p.Stub(false).Barred(w); got != p.Barred(w) {
				t.Errorf("the stub says %q of %s", got, w)
			}
		}
		if diff := cmp.Diff(c.barred, barred); diff != "" {
			t.Errorf("%s\n%s", c.scenario, diff)
		}
		if r := Run(p, RunOptions{}); (r.Verdict == Skip) != slices.Contains(c.barred, Interpreted) {
			t.Errorf("%s\nended with %s", c.scenario, r.Verdict)
		}
	}
	p := compileAt(t, "a b.scenario.hcl", endpointWorld+"scenario \"s\" {\n  on \"llm\" {\n    fault \"http_error\" {}\n  }\n}\n")[0]
	if want := "scenario exec 'a b.scenario.hcl' -- COMMAND"; !strings.Contains(p.Barred(Interpreted), want) {
		t.Errorf("%q does not name the command %q", p.Barred(Interpreted), want)
	}
}

// Shows that a plan and its hash tell endpoints apart by all that a file says of
// them.
func TestEndpointsOfAPlan(t *testing.T) {
	const scenario = "scenario \"s\" {\n  on \"create\" {\n    fault \"http_error\" {}\n  }\n}\n"
	hashes := map[string]string{}
	for _, attrs := range []string{
		"provider = provider.tickets",
		"provider = provider.other",
		"provider = provider.tickets\n  lane = request.body",
		"provider = provider.tickets\n  concurrent = \"arrival\"",
	} {
		p := compileAt(t, "a.scenario.hcl", strings.Replace(endpointWorld, "provider = provider.tickets", attrs, 1)+scenario)[0]
		if other := hashes[p.Hash()]; other != "" {
			t.Errorf("%q and %q have one hash", attrs, other)
		}
		hashes[p.Hash()] = attrs
		var doc struct{ Endpoints []map[string]any }
		if err := json.Unmarshal(p.JSON(), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Endpoints) != 3 || doc.Endpoints[0]["name"] != "create" && doc.Endpoints[0]["name"] != "llm" {
			t.Errorf("%q: %v", attrs, doc.Endpoints)
		}
	}
}
