package interp

import (
	"encoding/json"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/cassette"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// A dialect is how one vendor's conversations are recorded: where its base URL
// ends, and what the test reads of requests and answers, as untyped JSON.
type dialect struct {
	name, kind, attrs string
	least             int // how many of the sample set are replayed
	// base cuts the address of a call, and names the model where the address
	// has it.
	base func(u *url.URL) (base, model string, ok bool)
	// text is what one document of an answer adds to the content.
	text func(document any) string
}

var dialects = []dialect{
	{
		name: "anthropic", kind: "anthropic", least: 15,
		base: func(u *url.URL) (string, string, bool) {
			if base, model, ok := strings.Cut(u.EscapedPath(), "/models/claude"); ok {
				model, _, _ = strings.Cut(model, ":")
				return base, "claude" + model, true
			}
			if model, ok := strings.CutPrefix(u.Path, "/model/"); ok {
				model, ok = strings.CutSuffix(model, "/invoke")
				return "", model, ok
			}
			base, ok := strings.CutSuffix(u.EscapedPath(), "/messages")
			return base, "", ok
		},
		text: func(d any) string {
			text := word(d, "delta", "text") + word(d, "content_block", "text")
			for _, block := range items(d, "content") {
				text += word(block, "text")
			}
			return text
		},
	},
	{
		name: "gemini", kind: "gemini", least: 30,
		base: func(u *url.URL) (string, string, bool) {
			base, model, ok := strings.Cut(u.EscapedPath(), "/models/")
			model, _, _ = strings.Cut(model, ":")
			return base, model, ok
		},
		text: func(d any) string {
			text := ""
			for _, c := range items(d, "candidates") {
				for _, p := range items(c, "content", "parts") {
					if at(p, "thought") != true {
						text += word(p, "text")
					}
				}
			}
			return text
		},
	},
	{
		name: "openai", kind: "openai", least: 60,
		base: func(u *url.URL) (string, string, bool) {
			base, ok := strings.CutSuffix(u.EscapedPath(), "/chat/completions")
			return base, "", ok
		},
		text: func(d any) string {
			text := ""
			for _, c := range items(d, "choices") {
				text += word(c, "message", "content") + word(c, "delta", "content")
			}
			return text
		},
	},
	{
		name: "responses", kind: "openai", attrs: "  api = \"responses\"\n", least: 15,
		base: func(u *url.URL) (string, string, bool) {
			base, ok := strings.CutSuffix(u.EscapedPath(), "/responses")
			return base, "", ok
		},
		text: func(d any) string {
			if word(d, "type") == "response.output_text.delta" {
				return word(d, "delta")
			}
			text := ""
			for _, item := range items(d, "output") {
				for _, p := range items(item, "content") {
					text += word(p, "text")
				}
			}
			return text
		},
	},
}

// loose are the recordings that match under the profile loose alone, and why.
var loose = map[string]string{
	"test_openai_responses_model_retry":                  "a tool answers two calls otherwise, which no declared output does",
	"test_openai_responses_phase_live":                   "a message is sent back with its phase, which the model reads and no step has",
	"test_openai_responses_phase_streamed_on_part_start": "as before, and the message in other words than the model's",
}

// What other vendors' own clients sent is matched by what the adapters send,
// turn after turn, under the profile that foreign files have by default, and
// the content is what a plain walk over the last recorded answer finds.
func TestReplayRecordedDialects(t *testing.T) {
	dir := adaptertest.Corpus(t)
	replayed := map[string]int{}
	for _, path := range adaptertest.CorpusFiles(t, "") {
		name, _ := filepath.Rel(dir, path)
		t.Run(name, func(t *testing.T) {
			d, rec := dialectOf(t, path)
			d.replay(t, path, rec)
			replayed[d.name]++
		})
	}
	for _, d := range dialects {
		if n := replayed[d.name]; adaptertest.WholeCorpus() && n < d.least {
			t.Errorf("only %d recordings of %s were replayed, not %d", n, d.name, d.least)
		}
	}
}

func dialectOf(t *testing.T, path string) (dialect, recording) {
	if c, err := cassette.Load(path); err != nil || c.Scripts != nil {
		t.Skipf("is no recording: %v", err)
	}
	rec := readRecordedCalls(t, path)
	if len(rec.Interactions) == 0 {
		t.Skip("has no exchange")
	}
	u, err := url.Parse(rec.Interactions[0].Request.URL)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range dialects {
		if _, _, ok := d.base(u); ok {
			return d, rec
		}
	}
	t.Skip("is about another interface, which no adapter asks: " + u.Path)
	return dialect{}, rec
}

func (d dialect) replay(t *testing.T, path string, rec recording) {
	t.Helper()
	d.oneStep(t, rec)
	source := d.scenario(t, rec)
	if loose[strings.TrimSuffix(filepath.Base(path), ".yaml")] != "" {
		source = strings.Replace(source, `path = "recorded.yaml"`, "\n    path  = \"recorded.yaml\"\n    match = \"loose\"\n ", 1)
	}
	got, want := replayThrough(t, path, source), ""
	last := rec.Interactions[len(rec.Interactions)-1].Response.Body
	for _, document := range documents(t, last) {
		want += d.text(document)
	}
	if got.Content != want || got.Turns != len(rec.Interactions) {
		t.Errorf("content %q after %d turns, want %q after %d", got.Content, got.Turns, want, len(rec.Interactions))
	}
}

// oneStep skips what the tool loop of one step cannot ask: the test is about the
// form of what it asks.
func (d dialect) oneStep(t *testing.T, rec recording) {
	t.Helper()
	asked, said := 0, 0
	for i, it := range rec.Interactions {
		var body any
		u, err := url.Parse(it.Request.URL)
		if err != nil || json.Unmarshal([]byte(it.Request.Body), &body) != nil {
			t.Skip("is about another interface: the request is no JSON")
		}
		switch _, _, ok := d.base(u); {
		case !ok || strings.Contains(u.Path, "countTokens"):
			t.Skip("is also about another interface: " + u.Path)
		case it.refused:
			t.Skip("has a refusal, which ends the step")
		case at(body, "background") == true, at(body, "previous_response_id") != nil, at(body, "conversation") != nil:
			t.Skip("leaves its conversation with the service")
		case word(body, "toolConfig", "functionCallingConfig", "mode") == "ANY" && len(rec.Interactions) > 1:
			t.Skip("calls a tool in every turn and never answers")
		case strings.Contains(it.Response.Body, "/bin/content-type/"):
			t.Skip("is answered by no model")
		}
		n, all := 0, 0
		for _, name := range []string{"messages", "contents", "input"} {
			for _, m := range items(body, name) {
				all++
				if word(m, "role") == "user" && !strings.Contains(fmt.Sprint(m), "functionResponse") && !strings.Contains(fmt.Sprint(m), "tool_result") {
					n++
				}
			}
		}
		if i > 0 && (n != asked || all <= said) {
			t.Skip("asks more than once, and not in a loop of tools")
		}
		asked, said = n, all
	}
}

// scenario asks what the first recorded call asked. Its tools answer what the
// later ones say that they answered.
func (d dialect) scenario(t *testing.T, rec recording) string {
	t.Helper()
	var bodies []any
	for _, it := range rec.Interactions {
		var body any
		if err := json.Unmarshal([]byte(it.Request.Body), &body); err != nil {
			t.Skip("is about another interface: the request is no JSON")
		}
		bodies = append(bodies, body)
	}
	first := bodies[0]
	u, err := url.Parse(rec.Interactions[0].Request.URL)
	if err != nil {
		t.Fatal(err)
	}
	base, model, ok := d.base(u)
	if !ok {
		t.Skip("is about another interface, which the adapter does not ask: " + u.Path)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "provider %q \"recorded\" {\n%s  model    = %q\n  base_url = %q\n}\n",
		d.kind, d.attrs, word(first, "model")+model, u.Scheme+"://"+u.Host+base)
	b.WriteString("workflow \"conversation\" {\n  provider = provider.recorded\n  step \"llm\" \"ask\" {\n    messages = [\n")
	for _, m := range messagesIn(t, first) {
		fmt.Fprintf(&b, "      { role = %q, content = %s },\n", m.role, quoted(t, m.text))
	}
	stream := at(first, "stream") == true || strings.Contains(u.Path, ":stream")
	fmt.Fprintf(&b, "    ]\n    stream = %t\n", stream)
	answers := answersIn(bodies[len(bodies)-1])
	for _, tool := range toolsIn(t, first) {
		parameters, err := json.Marshal(tool.schema)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := answers[tool.name]; !ok {
			// One that is only offered: the model's call of it is the answer.
			fmt.Fprintf(&b, "    tools = [{ name = %q, parameters = jsondecode(%s) }]\n", tool.name, quoted(t, string(parameters)))
			continue
		}
		fmt.Fprintf(&b, "    tool %q {\n      parameters = jsondecode(%s)\n      output = %s\n    }\n",
			tool.name, quoted(t, string(parameters)), quoted(t, answers[tool.name]))
	}
	fmt.Fprintf(&b, "  }\n  output = step.ask.content\n}\nscenario \"replayed\" {\n  run = workflow.conversation\n  cassette { path = \"recorded.yaml\" }\n  expect \"ask\" {\n    turns  = %d\n    status = \"success\"\n  }\n}\n", len(bodies))
	return b.String()
}

type recordedMessage struct{ role, text string }

// messagesIn is the conversation that a request begins with, in any dialect; it
// skips what a message of the language cannot say.
func messagesIn(t *testing.T, body any) []recordedMessage {
	t.Helper()
	var out []recordedMessage
	for _, name := range []string{"system", "systemInstruction", "instructions"} {
		if v := at(body, name); v != nil {
			out = append(out, recordedMessage{"system", textIn(t, v)})
		}
	}
	for _, name := range []string{"messages", "contents", "input"} {
		for _, m := range items(body, name) {
			role := word(m, "role")
			if role != "user" && role != "system" && role != "developer" {
				t.Skipf("begins with a message of the role %q, which no step can write", role)
			}
			content := at(m, "content")
			if content == nil {
				content = m
			}
			out = append(out, recordedMessage{role, textIn(t, content)})
		}
	}
	return out
}

func textIn(t *testing.T, content any) string {
	t.Helper()
	if text, ok := content.(string); ok {
		return text
	}
	list, _ := content.([]any)
	if list == nil {
		list = items(content, "parts")
	}
	text := ""
	for _, p := range list {
		if at(p, "text") == nil {
			t.Skip("says what no prompt can: more than text")
		}
		text += word(p, "text")
	}
	return text
}

type recordedTool struct {
	name   string
	schema any
}

func toolsIn(t *testing.T, body any) []recordedTool {
	t.Helper()
	var out []recordedTool
	add := func(tool any) {
		if function := at(tool, "function"); function != nil {
			tool = function
		}
		for _, name := range []string{"input_schema", "parameters", "parametersJsonSchema"} {
			if schema := at(tool, name); schema != nil && word(tool, "name") != "" && at(tool, "defer_loading") == nil {
				out = append(out, recordedTool{word(tool, "name"), schema})
				return
			}
		}
		t.Skipf("offers a tool of the vendor's own, which no step can declare: %s", word(tool, "type"))
	}
	for _, tool := range items(body, "tools") {
		declared := items(tool, "functionDeclarations")
		if declared == nil {
			declared = []any{tool}
		}
		for _, f := range declared {
			add(f)
		}
	}
	return out
}

// answersIn is what each tool answered, found wherever a dialect has it.
func answersIn(body any) map[string]string {
	names, answers := map[string]string{}, map[string]string{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item)
			}
		case map[string]any:
			switch {
			case word(v, "type") == "function":
				names[word(v, "id")] = word(v, "function", "name")
			case word(v, "role") == "tool":
				answers[names[word(v, "tool_call_id")]] = word(v, "content")
			case word(v, "type") == "tool_use":
				names[word(v, "id")] = word(v, "name")
			case word(v, "type") == "function_call":
				names[word(v, "call_id")] = word(v, "name")
			case word(v, "type") == "tool_result":
				text := word(v, "content")
				for _, p := range items(v, "content") {
					text += word(p, "text")
				}
				answers[names[word(v, "tool_use_id")]] = text
			case word(v, "type") == "function_call_output":
				answers[names[word(v, "call_id")]] = word(v, "output")
			case at(v, "functionResponse") != nil:
				for _, name := range []string{"result", "output", "return_value"} {
					answers[word(v, "functionResponse", "name")] += word(v, "functionResponse", "response", name)
				}
			}
			for _, name := range []string{"messages", "contents", "input", "content", "parts", "tool_calls"} {
				walk(v[name])
			}
		}
	}
	walk(body)
	return answers
}

// documents are the JSON texts of an answer, plain or streamed.
func documents(t *testing.T, body string) []any {
	t.Helper()
	texts := []string{body}
	if !strings.HasPrefix(strings.TrimSpace(body), "{") {
		texts = nil
		for line := range strings.Lines(body) {
			if data, ok := strings.CutPrefix(line, "data:"); ok && strings.TrimSpace(data) != "[DONE]" {
				texts = append(texts, data)
			}
		}
	}
	var out []any
	for _, text := range texts {
		var d any
		if err := json.Unmarshal([]byte(text), &d); err != nil {
			t.Fatal(err)
		}
		out = append(out, d)
	}
	return out
}

func at(v any, path ...string) any {
	for _, name := range path {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func word(v any, path ...string) string {
	text, _ := at(v, path...).(string)
	return text
}

func items(v any, path ...string) []any {
	list, _ := at(v, path...).([]any)
	return list
}
