package sent_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/sent"
)

// said is what is said of a file, each with its line.
func said(t *testing.T, source string) string {
	t.Helper()
	file, diags := dsl.Parse("x.scenario.hcl", []byte(source))
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	file, diags = dsl.Link(file, nil)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	var list []string
	for _, d := range sent.File(file) {
		list = append(list, fmt.Sprintf("%d %s", d.Subject.Start.Line, d.Detail))
	}
	return strings.Join(list, "\n")
}

// pages is a file with two pages, of which the second is asked for with what the first one says.
const pages = `provider "http" "api" { base_url = "https://api.example.com" }
workflow "w" {
  provider = provider.api
  output   = concat(step.first.json.items, step.second.json.items)
  step "http" "first" { path = "/orders" }
  step "http" "second" {
    path = "/orders?cursor=${step.first.json.next}"
  }
  step "http" "third" { path = "/other" }
}
scenario "s" {
  run = workflow.w
  on "first" {
    reply { json = { items = ["a"], next = "c2" } }
  }
  on "second" {
    reply { json = { items = ["b"], next = null } }
  }
  expect "run" { output = ["a", "b"] }
}
`

// Shows that a step is warned of whose request carries what another step was answered, where its answer
// is checked and its request is not, whatever else happens and is checked, and that a check of the
// request of this step, and of no other, is enough.
func TestStepsWhoseRequestNoCheckReads(t *testing.T) {
	const (
		script = "\n  on \"second\" {"
		expect = `expect "run" { output = ["a", "b"] }`
		assert = "\n assert \"x\" { condition = "
	)
	for _, c := range []struct {
		name   string
		old    string
		new    string
		warned bool
	}{
		{"as it is", "", "", true},
		{"a fault", script, script + "\n fault \"http_error\" {}", true},
		{"another check", expect, expect + assert + "step.second.retries == 0 }", true},
		{"the request of another step", expect, expect + assert + `strcontains(step.first.attempts[0].request.url, "x") }`, true},
		{"requests of another step, one by one", expect, expect + assert + `alltrue([for a in step.first.attempts : a.request.url == "x"]) }`, true},
		{"requests of another step, all", expect, expect + assert + `step.first.attempts[*].request.url == [] }`, true},
		{"the last request of another step", expect, expect + assert + `step.first.attempts[length(step.first.attempts) - 1].request.url == "" }`, true},
		{"how many attempts there are", expect, expect + assert + `length(step.second.attempts) == 1 }`, true},
		{"a metric", expect, expect + assert + `metric("scenario_retries_total") == 0 }`, true},
		{"its own answer", expect, `expect "second" { json = { items = ["b"] } }`, true},
		{"its own answer in a condition", expect, assert + `step.second.json.items == ["b"] }`, true},
		{"its own answer in a snapshot", expect, `snapshot "x" { value = step.second.json.items }`, true},
		{"by a value", `${step.first.json.next}"
  }`, `${step.v.output}"
  }
  step "value" "v" { value = lower(step.first.json.next) }`, true},
		{"an output by a value", `concat(step.first.json.items, step.second.json.items)`, `step.v.output
  step "value" "v" { value = step.second.json.items }`, true},
		{"in a header", `path = "/orders?cursor=${step.first.json.next}"`, `headers = { "X-Token" = step.first.json.next }`, true},

		{"its request", expect, expect + assert + `endswith(step.second.attempts[0].request.url, "=c2") }`, false},
		{"its requests, one by one", expect, expect + assert + `alltrue([for a in step.second.attempts : endswith(a.request.url, "=c2")]) }`, false},
		{"its requests, all", expect, expect + assert + `step.second.attempts[*].request.url == [] }`, false},
		{"its last request", expect, expect + assert + `step.second.attempts[length(step.second.attempts) - 1].request.url == "" }`, false},
		{"its attempts in an expectation", expect, expect + "\n expect \"second\" {\n attempts = []\n}", false},
		{"all requests", expect, expect + assert + `[for s in steps : s.attempts[0].request.url] != [] }`, false},
		{"requests of a target", expect, expect + assert + `target.api.attempts[1].request.url != "" }`, false},
		{"events", expect, expect + assert + `events({ type = "attempt_start" }) != [] }`, false},
		{"its request in the output", "output   = concat(", "output   = concat([step.second.attempts[0].request.url], ", false},
		{"its request in another scenario", expect, expect + "\n}\nscenario \"other\" {\n run = workflow.w" + assert + `step.second.attempts[0].request.url != "" }`, false},
		{"its request in an invariant", expect, expect + "\n}\ninvariant \"x\" {\n condition = step.second.attempts[0].request.url != \"\" \n", false},
		{"a recording, and a script for it", expect, expect + "\n cassette { path = \"x.json\" }", true},
		{"a recording, and a script for all", script, "\n cassette { path = \"x.json\" }\n on \"*\" {", true},
		{"a recording that answers it", script, "\n cassette { path = \"x.json\" }\n on \"other\" {", false},
		{"a recording that its script takes", script, "\n cassette { path = \"x.json\" }" + script + "\n replay {}", false},
		{"a recording behind its script", script, "\n cassette { path = \"x.json\" }" + script + "\n exhausted = \"replay\"", false},
		{"a recording behind its fault", script + "\n    reply { json = { items = [\"b\"], next = null } }", "\n cassette { path = \"x.json\" }" + script + "\n fault \"http_error\" {}", false},
		{"a recording in another scenario", expect, expect + "\n}\nscenario \"other\" {\n run = workflow.w\n cassette { path = \"x.json\" }", false},
		{"a program", expect, expect + "\n sut { command = [\"x\"] }", false},
		{"its answer is not checked", expect, `expect "second" { status = "success" }`, false},
		{"only the answer of the first is checked", expect, assert + `step.first.json.items == ["a"] }`, false},
		{"whether the first succeeded", "${step.first.json.next}", "${step.first.status}", false},
		{"nothing of another step", "${step.first.json.next}", "", false},
	} {
		source := strings.Replace(pages, c.old, c.new, 1)
		if got := strings.Contains(said(t, source), `of step "second" carries step.first.json.next.`); got != c.warned {
			t.Errorf("%s: warned %v, want %v:\n%s", c.name, got, c.warned, source)
		}
	}
}

// Shows that a step is warned of in the same way whose request carries an input, and has a reply.
func TestStepsWhoseInputNoCheckReads(t *testing.T) {
	const classify = `provider "openai" "llm" { model = "x" }
provider "http" "api" { base_url = "https://api.example.com" }
workflow "w" {
  inputs = { text = null }
  output = step.team.content
  step "llm" "team" {
    provider = provider.llm
    prompt   = "Which team? ${input.text}"
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { text = "An invoice." }
  on "team" {
    reply { content = "billing" }
  }
  expect "run" { output = "billing" }
}
`
	check := func(condition string) string { return "\n assert \"x\" { condition = " + condition + " }\n}\n" }
	for _, c := range []struct {
		name, old, new string
		warned         bool
	}{
		{"as it is", "", "", true},
		{"a reply to all", `on "team"`, `on "*"`, true},
		{"by a value", "${input.text}\"\n  }", "${step.v.output}\"\n  }\n  step \"value\" \"v\" { value = lower(input.text) }", true},
		{"its request", "\n}\n", check(`strcontains(step.team.attempts[0].request.body, "invoice")`), false},
		{"its key", "\n}\n", check(`step.team.attempts[0].idempotency_key != null`), false},
		{"no reply", `on "team"`, `on "other"`, false},
		{"its answer is not checked", `{ output = "billing" }`, `{ status = "success" }`, false},
		{"no input", "${input.text}", "", false},
		{"all inputs", "${input.text}", "${jsonencode(input)}", false},
	} {
		at := max(0, strings.LastIndex(classify, c.old))
		source := classify[:at] + strings.Replace(classify[at:], c.old, c.new, 1)
		if got := strings.Contains(said(t, source), `The prompt of step "team" carries input.text.`); got != c.warned {
			t.Errorf("%s: warned %v, want %v:\n%s", c.name, got, c.warned, source)
		}
	}
}

// Shows that a step in a loop is warned of that takes another element in each iteration, where none of
// its requests is read, and what the check is that reads one.
func TestElementsThatNoCheckReads(t *testing.T) {
	const loop = `workflow "w" {
  inputs = { ids = null }
  step "loop" "each" {
    while          = loop.index < length(input.ids)
    max_iterations = 10
    step "http" "del" { path = "/items/${input.ids[loop.index]}" }
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { ids = ["a", "b"] }
  on "each.del" {
    reply { status_code = 204 }
  }
  expect "each" { iterations = 2 }
  assert "all" { condition = length([for r in step.each.runs : r if r.del.status_code == 204]) == 2 }
}
`
	for source, want := range map[string]string{
		loop: `6 The path of step "del" carries another element in each iteration. A check reads how its script answers that, which answers any request, and none reads the request, so one without it passes as well. Check what it sends, such as strcontains(step.each.runs[0].del.attempts[0].request.url, "…").`,
		strings.ReplaceAll(loop, "[loop.index]", "[0]"):                                                                                     "",
		strings.ReplaceAll(loop, "${input.ids[loop.index]}", "${input.other[0]}"):                                                           "",
		strings.ReplaceAll(loop, "${input.ids[loop.index]}", "${loop.index}"):                                                               "", // a count, as of a poll
		strings.ReplaceAll(loop, "r.del.status_code == 204", `strcontains(r.del.attempts[0].request.url, "b")`):                             "",
		strings.ReplaceAll(loop, `assert "all" { condition = length([for r in step.each.runs : r if r.del.status_code == 204]) == 2 }`, ""): "",
	} {
		got := said(t, source)
		if !strings.Contains(got, want) || (want == "") != !strings.Contains(got, "carries") {
			t.Errorf("said %q, want %q of\n%s", got, want, source)
		}
	}
}

// Shows that a loop is warned of that counts to the length of a list and sends the same element of it in
// each iteration, and none that takes another one, or that goes over something else.
func TestLoopsThatSendTheSame(t *testing.T) {
	const loop = `workflow "w" {
  inputs = { ids = null }
  step "loop" "each" {
    while          = loop.index < length(input.ids)
    max_iterations = 10
    step "http" "del" { path = "/items/${input.ids[0]}" }
  }
}
scenario "s" {
  run = workflow.w
  expect "each" { iterations = 2 }
}
`
	const want = `6 The loop "each" goes over input.ids, and what it sends has the same element of that in each iteration, which a script answers all the same. Take input.ids[loop.index], and check what is sent.`
	if got := said(t, loop); got != want {
		t.Errorf("said %q, want %q", got, want)
	}
	for _, source := range []string{
		strings.Replace(loop, "input.ids[0]", "input.ids[loop.index]", 1),
		strings.Replace(loop, "input.ids[0]", "input.names[0]", 1),
		strings.Replace(loop, "input.ids[0]}", "input.ids[0]}/${loop.index}", 1),
		strings.Replace(loop, "loop.index < length(input.ids)", "step.del.status_code != 204 && length(input.ids) > 0", 1),
		strings.Replace(loop, "loop.index < length(input.ids)", "loop.index < 3", 1),
	} {
		if got := said(t, source); got != "" {
			t.Errorf("said %q of\n%s", got, source)
		}
	}
}

// Shows that a reply with a link that nothing reads is warned of where a later step asks the same again
// or, of a token, the same service, and none where anything may read it.
func TestLinksThatNothingReads(t *testing.T) {
	blind := strings.ReplaceAll(pages, "${step.first.json.next}", "")
	with := func(old, replaced string) string { return strings.Replace(blind, old, replaced, 1) }
	for _, c := range []struct {
		source string
		warned bool
	}{
		{blind, true},
		{with(`next = "c2"`, `nextPageToken = "c2"`), true},
		{with(`path = "/orders?cursor="`, `path = "/orders"`), true},
		{with(`next = "c2"`, `access_token = "c2"`), true},
		{strings.Replace(with(`next = "c2"`, `access_token = "c2"`), `"/orders?cursor="`, `"/items"`, 1), true},
		{with("on \"second\" {", "on \"second\" {\n fault \"http_error\" {}"), true},
		{with(`output = ["a", "b"] }`, `output = ["a", "b"] }`+"\n assert \"x\" { condition = step.first.attempts[0].request.url != \"\" }"), true},

		{pages, false},
		{with(`"/orders?cursor="`, `"/items"`), false},
		{with(`"/orders?cursor="`, "\"/orders\"\n method = \"POST\"\n"), false},
		{with(`"/orders?cursor="`, "\"/orders\"\n provider = provider.other\n"), false},
		{with(`"/orders?cursor="`, `"/orders?cursor=c2"`), false}, // it is written out
		{with(`next = "c2"`, `next = null`), false},
		{with(`next = "c2"`, `next = 2`), false},
		{with(`next = "c2"`, `name = "c2"`), false},
		{with(`expect "run"`, "assert \"x\" { condition = step.first.json.next == \"c2\" }\n expect \"run\""), false},
		{with(`expect "run"`, "assert \"x\" { condition = lookup(step.first.json, \"next\", \"\") == \"c2\" }\n expect \"run\""), false},
		{with(`expect "run"`, "snapshot \"x\" { value = step.first }\n expect \"run\""), false},
		{with(`expect "run"`, "expect \"first\" { json = { next = \"c2\" } }\n expect \"run\""), false},
	} {
		if got := strings.Contains(said(t, c.source), "which nothing in the file reads"); got != c.warned {
			t.Errorf("warned %v, want %v:\n%s", got, c.warned, c.source)
		}
	}
}
