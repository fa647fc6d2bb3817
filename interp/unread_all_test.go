package interp

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/wire"
)

// sending is a step that sends something, with what answers it.
type sending struct {
	// step is the step in a workflow, more stands beside that, and scenario in the scenario.
	step, more, scenario string
	// answer is the body of a recorded answer.
	answer, media string
	// line is the one under which it is told of that nothing of it is read.
	line string
}

// askers are the kinds of steps that ask a service.
var askers = map[plan.Kind]sending{
	plan.KindHTTP: {
		step:   "step \"http\" \"a\" {\n provider = provider.shop\n method = \"POST\"\n path = \"/orders\"\n json = { n = 3 }\n }",
		answer: `{}`, media: "application/json", line: "a",
	},
	plan.KindLLM: {
		step:   "step \"llm\" \"a\" {\n provider = provider.llm\n prompt = \"why?\"\n }",
		answer: `{"id":"x","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"so"},"finish_reason":"stop"}]}`, media: "application/json", line: "a",
	},
	plan.KindClassify: {
		step:   "step \"classify\" \"a\" {\n provider = provider.llm\n with = classifier.to\n text = \"why?\"\n }",
		more:   "actor \"one\" {\n handler \"h\" { return = 1 }\n}\nclassifier \"to\" {\n fallback = actor.one\n candidates = [actor.one]\n}",
		answer: `{"id":"x","object":"chat.completion","created":1,"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"so"},"finish_reason":"stop"}]}`, media: "application/json", line: "a",
	},
	plan.KindSQL: {
		step:   "step \"sql\" \"a\" {\n provider = provider.db\n query = \"DELETE FROM orders WHERE id = $1\"\n args = [7]\n }",
		answer: `{"type":"ReadyForQuery","status":"I"}` + "\n" + `{"type":"ParseComplete"}` + "\n" + `{"type":"BindComplete"}` + "\n" + `{"type":"NoData"}` + "\n" + `{"type":"CommandComplete","tag":"DELETE 1"}` + "\n" + `{"type":"ReadyForQuery","status":"I"}` + "\n",
		media:  "application/vnd.scenario.postgres+x-ndjson", line: "a",
	},
	plan.KindMCP: {
		step:   "step \"mcp\" \"a\" {\n provider = provider.files\n tool = \"read\"\n arguments = { path = \"/x\" }\n }",
		answer: `{"jsonrpc":"2.0","id":"a/1","result":{"content":[{"type":"text","text":"so"}]}}`, media: "application/json", line: "a",
	},
}

// handers are the kinds of steps that give something to a part of the file.
var handers = map[plan.Kind]map[string]sending{
	plan.KindCall: {
		"a handler":        {step: "step \"call\" \"a\" {\n target = actor.stock.take\n arguments = { n = 3 }\n }", line: "call a: n"},
		"a tool":           {step: "step \"call\" \"a\" {\n target = actor.stock.look\n arguments = { n = 3 }\n }", line: "call a: n"},
		"a block":          {scenario: "call \"c\" {\n target = actor.stock.take\n arguments = { n = 3 }\n }", line: "call c: n"},
		"a block, often":   {scenario: "call \"c\" {\n target = actor.stock.take\n at = [\"0s\", \"1s\"]\n arguments = { n = 3 }\n }", line: "call c: n"},
		"one in a handler": {scenario: "call \"c\" {\n target = actor.stock.work\n arguments = {}\n }", line: "call actor.stock.work.b: n"},
		"a tool of an agent": {
			step:     "step \"llm\" \"a\" {\n provider = provider.llm\n prompt = \"why?\"\n tool \"t\" { step = step.b }\n }\n step \"call\" \"b\" {\n target = actor.stock.take\n arguments = { n = 3, of = arguments.of }\n }",
			scenario: "on \"a\" {\n reply {\n tool_calls = [{ name = \"t\", arguments = { of = 7 } }]\n }\n reply { content = \"so\" }\n }", line: "call b: n",
		},
		"a loop": {step: "step \"loop\" \"a\" {\n while = true\n max_iterations = 2\n step \"call\" \"b\" {\n target = actor.stock.take\n arguments = { n = loop.index }\n }\n }", line: "call a.b: n"},
	},
	plan.KindSub: {
		"a handler":         {step: "step \"fanout\" \"a\" {\n sub \"s\" {\n target = actor.stock.take\n arguments = { n = 3 }\n }\n }", line: "call a.s: n"},
		"a tool":            {step: "step \"fanout\" \"a\" {\n sub \"s\" {\n target = actor.stock.look\n arguments = { n = 3 }\n }\n }", line: "call a.s: n"},
		"a workflow":        {step: "step \"fanout\" \"a\" {\n sub \"s\" {\n target = workflow.inner\n arguments = { n = 3 }\n }\n }", line: "inputs of a.s: n"},
		"a declared fanout": {step: "step \"fanout\" \"a\" {\n run = fanout.all\n arguments = { n = 3 }\n }", more: "fanout \"all\" {\n sub \"s\" {\n target = actor.stock.take\n arguments = { n = arguments.n }\n }\n}", line: "call a.s: n"},
		"a block":           {scenario: "fanout \"c\" {\n sub \"s\" {\n target = actor.stock.take\n arguments = { n = 3 }\n }\n }", line: "call c.s: n"},
	},
	plan.KindWorkflow: {
		"a step":  {step: "step \"workflow\" \"a\" {\n run = workflow.inner\n inputs = { n = 3 }\n }", line: "inputs of a: n"},
		"a block": {scenario: "call \"c\" {\n target = workflow.inner\n arguments = { n = 3 }\n }", line: "inputs of c: n"},
	},
}

// sendNothing are the other kinds, and why there is nothing to tell of them.
var sendNothing = map[plan.Kind]string{
	plan.KindValue:  "it computes",
	plan.KindWait:   "it waits",
	plan.KindLoop:   "its steps send",
	plan.KindFanout: "its subs send",
}

// sends runs a step in the one scenario of a file, with a check that reads nothing of what is sent, and gives what is
// told of.
func sends(t *testing.T, s sending, check, golden, tape string) *Result {
	t.Helper()
	file, diags := dsl.Parse("a.scenario.hcl", []byte(fmt.Sprintf(`provider "http" "shop" { base_url = "https://shop.test" }
provider "openai" "llm" { model = "m-1" }
provider "sql" "db" {}
provider "mcp" "files" { base_url = "https://files.test/mcp" }
actor "stock" {
  handler "take" { return = "taken" }
  tool "look" { return = "seen" }
  handler "work" { workflow = workflow.outer }
}
workflow "inner" {
  inputs = { n = null }
  step "value" "twice" { value = input.n * 2 }
}
workflow "outer" {
  step "call" "b" {
    target    = actor.stock.look
    arguments = { n = 3 }
  }
}
workflow "w" {
  %s
  step "value" "v" { value = 1 }
}
%s
scenario "s" {
  run = workflow.w
  %s
  %s
}
`, s.step, s.more, s.scenario, check)))
	mustBeValid(t, diags)
	file, diags = dsl.Link(file, nil)
	mustBeValid(t, diags)
	suite, diags := Compile(file, Options{LoadCassette: func(string) (*cassette.Cassette, error) {
		return cassette.Parse("x.yaml", []byte(tape))
	}, ReadSnapshot: func(string) ([]byte, error) {
		if golden == "" {
			return nil, fs.ErrNotExist
		}
		return []byte(golden), nil
	}})
	mustBeValid(t, diags)
	r := RunTold(suite.Plans[0], RunOptions{Unread: true})
	if r.Verdict != Pass {
		t.Errorf("%s\n%s", r.Verdict, problems(r))
	}
	return r
}

// taped is a recording of what a scripted run asked, with an answer to it.
func taped(t *testing.T, r *Result, s sending) string {
	t.Helper()
	answer := func(body, media string) wire.Response {
		return wire.Response{Status: 200, Header: []wire.Field{{Name: "Content-Type", Value: media}}, Parts: []wire.Part{{Data: []byte(body)}}}
	}
	var list []*cassette.Interaction
	for _, e := range event.Shown(r.Events) {
		p, is := e.Payload.(*event.AttemptStart)
		if !is {
			continue
		}
		method := p.Method
		switch {
		case p.Statement != "":
			method = "DELETE" // the verb, which no event has
		case p.Tool != "":
			method = "POST"
			hello := `{"jsonrpc":"2.0","id":"initialize/1","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"scenario","version":"1"}}}`
			list = append(list,
				&cassette.Interaction{Step: "provider.files", Target: "files", Method: "POST", URL: p.URL, RequestBody: []byte(hello), Response: answer(`{"jsonrpc":"2.0","id":"initialize/1","result":{"capabilities":{},"protocolVersion":"2025-11-25","serverInfo":{"name":"files","version":"1"}}}`, s.media)},
				&cassette.Interaction{Step: "provider.files", Target: "files", Method: "POST", URL: p.URL, RequestBody: []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`), Response: wire.Response{Status: 202}})
		}
		list = append(list, &cassette.Interaction{Step: e.Step, Target: e.Target, Method: method, URL: p.URL, RequestBody: []byte(p.Body), Response: answer(s.answer, s.media)})
	}
	return cassetteOf(t, list...)
}

// Shows that each kind of step that sends something is told of where no check reads that, in each way in which it can
// be answered: by a script, a recording that compares less, a file of responses, or a part of the file. A recording
// that compares all of it reads it.
func TestAllThatIsSentIsToldOf(t *testing.T) {
	const check = "expect \"run\" { status = \"success\" }\n expect \"v\" { output = 1 }"
	told := func(t *testing.T, r *Result, line string, want bool) {
		t.Helper()
		if is := slices.ContainsFunc(r.Unread, func(part string) bool {
			return part == line || strings.HasPrefix(part, line+":") || strings.HasPrefix(part, line+" ")
		}); is != want {
			t.Errorf("told of %q, want %q %t", r.Unread, line, want)
		}
	}
	for _, kind := range plan.StepKinds() {
		s, asks := askers[kind]
		if ways := handers[kind]; ways != nil {
			for name, s := range ways {
				t.Run(string(kind)+" "+name, func(t *testing.T) {
					told(t, sends(t, s, check, "", ""), s.line, true)
					told(t, sends(t, s, check+"\n snapshot \"n\" { value = run.status }", `"success"`, ""), s.line, true)
				})
			}
			continue
		}
		if !asks {
			if sendNothing[kind] == "" {
				t.Errorf("nothing is known of what steps of the kind %q send", kind)
			}
			continue
		}
		t.Run(string(kind), func(t *testing.T) {
			script := "\n on \"a\" {\n reply {}\n }"
			scripted := sends(t, s, check+script, "", "")
			told(t, scripted, s.line, true)
			told(t, sends(t, s, check+script+"\n snapshot \"n\" { value = run.status }", `"success"`, ""), s.line, true)
			tape := taped(t, scripted, s)
			for compared, cassette := range map[string]bool{
				"\n cassette { path = \"x.yaml\" }":                                                                true,
				"\n cassette {\n path = \"x.yaml\"\n match = \"loose\"\n }":                                        false,
				"\n cassette { path = \"x.yaml\" }\n on \"a\" {\n replay {}\n }":                                   true,
				"\n cassette { path = \"x.yaml\" }\n on \"a\" {\n replay { interaction = 1 }\n }":                  false,
				"\n cassette { path = \"x.yaml\" }\n on \"a\" {\n reply {}\n }\n allow = [\"unused_interaction\"]": false,
			} {
				t.Run(compared, func(t *testing.T) { told(t, sends(t, s, check+compared, "", tape), s.line, !cassette) })
			}
			if kind != plan.KindLLM && kind != plan.KindClassify {
				return // a file of responses answers models alone
			}
			const recorded = "\n cassette { path = \"x.json\" }"
			told(t, sends(t, s, check+recorded, "", `{"a": {"content": "so"}}`), s.line, true)
			if kind == plan.KindLLM {
				hash := agentloom.Prompt{Model: "m-1", Messages: []agentloom.Message{{Role: "user", Content: "why?"}}}.Hashes()[0]
				told(t, sends(t, s, check+recorded, "", `{"`+hash+`": {"content": "so"}}`), s.line, false)
			}
		})
	}
}
