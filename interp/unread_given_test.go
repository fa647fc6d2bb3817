package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
)

// Shows which arguments of calls of actors, and which inputs of workflows, are told of: those with which handlers and
// steps make the same of the run, or something that no check reads.
func TestArgumentsThatNoCheckReads(t *testing.T) {
	const source = `provider "http" "shop" { base_url = "https://shop.test" }
actor "stock" {
  handler "reserve" { return = { id = "r-${arguments.item.id}", by = "${arguments.item.for}" } }
  handler "ship" {
    workflow = workflow.ship
    inputs   = { to = arguments.to }
  }
}
workflow "ship" {
  inputs = { to = null }
  step "http" "send" {
    provider = provider.shop
    path     = "/ship/${input.to}"
  }
}
workflow "double" {
  inputs = { n = null, to = null }
  output = step.twice.output
  step "value" "twice" { value = input.n * 2 }
  step "http" "tell" {
    provider = provider.shop
    path     = "/tell/${input.to}"
  }
}
workflow "w" {
  step "call" "reserve" {
    target    = actor.stock.reserve
    arguments = { item = { id = "kettle", for = "ann", colors = ["red"] }, quantity = 3 }
  }
  step "call" "ship" {
    target    = actor.stock.ship
    arguments = { to = "oslo", note = "soon" }
  }
  step "loop" "all" {
    while          = true
    max_iterations = 3
    step "call" "one" {
      target    = actor.stock.reserve
      arguments = { item = { id = "k-${loop.index}", for = "ben" } }
    }
  }
  step "workflow" "double" {
    run    = workflow.double
    inputs = { n = 4, to = "bonn" }
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply {}
  }
  expect "run" { status = "success" }
  assert "a" { condition = %s }
}
`
	const reserve, ship, one, inputs = "call reserve: ", "call ship: ", "call all.one: ", "inputs of double: "
	all := []string{reserve + "item", reserve + "quantity", ship + "note", ship + "to", one + "item", inputs + "n"}
	without := func(parts ...string) []string {
		return slices.DeleteFunc(slices.Clone(all), func(p string) bool { return slices.Contains(parts, p) })
	}
	for _, c := range []struct {
		condition string
		want      []string
	}{
		{`length(step.all.runs) == 3`, all},
		{`step.reserve.output.id == "r-kettle"`, append(without(reserve+"item"), reserve+"item.for", reserve+"item.colors[0]")},
		{`startswith(step.reserve.output.id, "r-") && step.reserve.output.by == "ann"`, append(without(reserve+"item"), reserve+"item.id", reserve+"item.colors[0]")},
		{`endswith(step.all.runs[0].one.output.id, "0")`, append(without(one+"item"), one+"item.for", one+"item.id of all but the first call")},
		{`[for r in step.all.runs : r.one.output.id] == ["r-k-0", "r-k-1", "r-k-2"]`, append(without(one+"item"), one+"item.for")},
		{`length(distinct([for r in step.all.runs : r.one.output.by])) == 1`, append(without(one+"item"), one+"item.id")},
		{`length(distinct([for r in step.all.runs : r.one.output.id])) == 3`, append(without(one+"item"), one+"item.for")},
		{`actor.stock.handlers.ship.send.attempts[0].request.url == "https://shop.test/ship/oslo"`, without(ship + "to")},
		{`step.double.output == 8`, without(inputs + "n")},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.condition))[0], RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s: %s\n%s", c.condition, r.Verdict, problems(r))
			continue
		}
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(p string) bool { return !strings.HasPrefix(p, "call ") && !strings.HasPrefix(p, "inputs ") })
		if slices.Sort(got); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
			t.Errorf("%s:\n got %q\nwant %q", c.condition, got, slices.Sorted(slices.Values(c.want)))
		}
	}
}

// Shows that a cassette reads what it compares of the requests that it answers, also of those that are sent again
// until it answers, and nothing of others.
func TestPartsThatACassetteReads(t *testing.T) {
	const source = `provider "openai" "llm" { model = "gpt-4o-mini" }
provider "http" "mail" { base_url = "https://mail.test" }
retry "linear" "once" {
  max_retries = 2
  delay       = "1s"
}
workflow "w" {
  step "llm" "ask" {
    provider    = provider.llm
    prompt      = "why?"
    temperature = 0.5
    retry       = retry.once
  }
  step "http" "mail" {
    provider = provider.mail
    method   = "POST"
    path     = "/mails"
    json     = { to = "ann", text = step.ask.content }
  }
}
scenario "s" {
  run = workflow.w
  cassette {
    path = "x.yaml"
    %s
  }
  on "mail" {
    reply {}
  }
  %s
  expect "ask" { content = "so" }
}
`
	asked := recordedAnswer("ask", "why?", "so")
	asked.RequestBody = []byte(`{"model":"gpt-4o-mini","messages":[{"role":"user","content":"why?"}],"temperature":0.5}`)
	tape := cassetteOf(t, asked)
	fault := "on \"ask\" {\n fault \"http_error\" {\n status_code = 503\n times = 2\n }\n exhausted = \"replay\"\n }"
	for _, c := range []struct {
		match, more string
		want        []string
	}{
		{"", "", []string{"mail"}},
		{"", fault, []string{"mail"}},
		{`match = "semantic"`, "", []string{"ask: temperature", "mail"}},
		{`ignore = ["body.temperature"]`, "", []string{"ask: temperature", "mail"}},
		{`match = "loose"`, fault, []string{"ask", "mail"}},
		{"ignore = [\"body.temperature\"]\n }\n on \"ask\" {\n replay {}", "", []string{"ask: temperature", "mail"}},
	} {
		plans := compileWith(t, "a.scenario.hcl", fmt.Sprintf(source, c.match, c.more), func(path string) (*cassette.Cassette, error) {
			return cassette.Parse(path, []byte(tape))
		})
		if r := RunTold(plans[0], RunOptions{Unread: true}); r.Verdict != Pass || !slices.Equal(r.Unread, c.want) {
			t.Errorf("%q %q: %s, told of %q, want %q\n%s", c.match, c.more, r.Verdict, r.Unread, c.want, problems(r))
		}
	}
}

// Shows that a request which differs from the recorded one is compared as well, where that is allowed.
func TestDriftedRequestsAreCompared(t *testing.T) {
	const source = `provider "openai" "llm" { model = "gpt-4o-mini" }
workflow "w" {
  on_failure = "continue"
  step "llm" "ask" {
    provider = provider.llm
    prompt   = "why not?"
  }
}
scenario "s" {
  run   = workflow.w
  allow = ["drifted"]
  cassette { path = "x.yaml" }
  expect "ask" { status = "failed" }
  expect "run" { status = "failed" }
}
`
	tape := cassetteOf(t, recordedAnswer("ask", "why?", "so"))
	plans := compileWith(t, "a.scenario.hcl", source, func(path string) (*cassette.Cassette, error) { return cassette.Parse(path, []byte(tape)) })
	if r := RunTold(plans[0], RunOptions{Unread: true}); r.Verdict != Pass || len(r.Unread) > 0 {
		t.Errorf("%s, told of %q\n%s", r.Verdict, r.Unread, problems(r))
	}
}
