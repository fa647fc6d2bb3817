package interp

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gopkg.in/yaml.v3"

	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/providers/adaptertest"
)

// recording is a file of the corpus, read without the packages under test.
type recording struct{ Interactions []recordedCall }

type recordedCall struct {
	Request  struct{ URL, Body string }
	Response struct{ Body string }
	refused  bool
}

// UnmarshalYAML reads an exchange of go-vcr, or one of vcrpy, which calls the
// address uri and keeps JSON as YAML under parsed_body.
func (c *recordedCall) UnmarshalYAML(n *yaml.Node) error {
	var raw struct {
		Request struct {
			URL, URI, Body string
			Parsed         any `yaml:"parsed_body"`
		}
		Response struct {
			Code         int
			Status, Body yaml.Node
			Parsed       any `yaml:"parsed_body"`
		}
	}
	if err := n.Decode(&raw); err != nil {
		return err
	}
	c.Request.URL, c.Request.Body = raw.Request.URL+raw.Request.URI, raw.Request.Body
	code := raw.Response.Code
	if raw.Response.Status.Kind == yaml.MappingNode {
		var status struct{ Code int }
		var body struct{ String string }
		if err := errors.Join(raw.Response.Status.Decode(&status), raw.Response.Body.Decode(&body)); err != nil {
			return err
		}
		code, c.Response.Body = status.Code, body.String
	} else if err := raw.Response.Body.Decode(&c.Response.Body); err != nil {
		return err
	}
	c.refused = code/100 != 2
	for text, parsed := range map[*string]any{&c.Request.Body: raw.Request.Parsed, &c.Response.Body: raw.Response.Parsed} {
		if parsed == nil {
			continue
		}
		data, err := json.Marshal(parsed)
		if err != nil {
			return err
		}
		*text = string(data)
	}
	return nil
}

// chatMessage and chatBody are what the test reads of a recorded request.
type chatMessage struct {
	Role, Content string
	ToolCallID    string `json:"tool_call_id"`
	ToolCalls     []struct {
		ID       string
		Function struct{ Name, Arguments string }
	} `json:"tool_calls"`
}

type chatBody struct {
	Model     string
	Stream    bool
	MaxTokens int `json:"max_tokens"`
	Messages  []chatMessage
	Tools     []struct {
		Function struct {
			Name, Description string
			Parameters        map[string]any
		}
	}
}

// said is what a run must have made of a recording.
type said struct {
	Content string
	Calls   []string
	Turns   int
	Tokens  int
}

// conversations are recordings of several vendors that this version's messages
// can express: plain, streamed, and with one or two tools.
var conversations = []string{
	"TestOpenAICommon/*/*.yaml", "TestAzureCommon/*/*.yaml", "TestOpenAICompatibleCommon/*/*.yaml",
}

// Real traffic of many vendors is replayed through a whole workflow: every
// request that the steps make, tool answers included, matches the recorded one,
// and the results are what a plain walk over the recorded bytes finds.
func TestReplayRecordedTraffic(t *testing.T) {
	dir := adaptertest.Corpus(t)
	replayed, tools, streams := 0, 0, 0
	for _, pattern := range conversations {
		paths, err := filepath.Glob(filepath.Join(dir, "go-vcr", pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, _ := filepath.Rel(dir, path)
			t.Run(name, func(t *testing.T) {
				rec, bodies := readRecording(t, path)
				replayed++
				if len(bodies) > 1 {
					tools++
				}
				if bodies[0].Stream {
					streams++
				}
				got := replayThrough(t, path, conversation(t, path, rec, bodies))
				if diff := cmp.Diff(wanted(t, rec, bodies), got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
	if adaptertest.WholeCorpus() && (replayed < 20 || tools < 10 || streams < 10) {
		t.Errorf("only %d recordings, %d with tools and %d streamed, were replayed", replayed, tools, streams)
	}
}

func readRecordedCalls(t *testing.T, path string) (rec recording) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &rec); err != nil {
		t.Fatal(err)
	}
	return rec
}

// readRecording reads the requests of a file; it skips conversations with parts
// that a message of the language cannot say.
func readRecording(t *testing.T, path string) (recording, []chatBody) {
	t.Helper()
	rec := readRecordedCalls(t, path)
	var bodies []chatBody
	for _, it := range rec.Interactions {
		if !strings.HasSuffix(it.Request.URL, "/chat/completions") {
			t.Skip("is about another interface: " + it.Request.URL)
		}
		var b chatBody
		if err := json.Unmarshal([]byte(it.Request.Body), &b); err != nil {
			t.Fatal(err)
		}
		bodies = append(bodies, b)
	}
	return rec, bodies
}

// replayThrough lays the recording beside a scenario whose step "ask" asks for
// the same, in a directory of its own, and runs it.
func replayThrough(t *testing.T, path, source string) said {
	t.Helper()
	dir := t.TempDir()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "recorded.yaml"), data, 0o600); err != nil {
		t.Fatal(err)
	}
	plans := compileAt(t, filepath.Join(dir, "replay.scenario.hcl"), source)
	r := Run(plans[0], RunOptions{})
	if r.Verdict != Pass {
		complain(t, r)
	}
	var got said
	for _, e := range r.Events {
		if e.Type != "step_end" || e.Step != "ask" {
			continue
		}
		got.Content, got.Turns = e.Text("content"), int(e.Int("turns"))
		calls, _ := e.Attr("tool_calls").(event.Calls)
		for _, c := range calls {
			got.Calls = append(got.Calls, c.ID+" "+c.Name+" "+c.Arguments)
		}
	}
	for _, e := range r.Events {
		if u, ok := e.Attr("usage").(event.Usage); ok && e.Type == "attempt_end" {
			got.Tokens += u.Total
		}
	}
	return got
}

// conversation writes the scenario that asks what was asked. Each tool answers
// what was answered then; a second step goes on with the first one's content.
func conversation(t *testing.T, path string, rec recording, bodies []chatBody) string {
	t.Helper()
	first := bodies[0]
	var b strings.Builder
	url := strings.TrimSuffix(rec.Interactions[0].Request.URL, "/chat/completions")
	fmt.Fprintf(&b, "provider \"openai\" \"recorded\" {\n  model    = %q\n  base_url = %q\n}\n", first.Model, url)
	b.WriteString("workflow \"conversation\" {\n  provider = provider.recorded\n  step \"llm\" \"ask\" {\n")
	for _, m := range first.Messages {
		switch m.Role {
		case "system":
			fmt.Fprintf(&b, "    system = %s\n", quoted(t, m.Content))
		case "user":
			fmt.Fprintf(&b, "    prompt = %s\n", quoted(t, m.Content))
		default:
			t.Skipf("begins with a message of the role %s, which no step can write", m.Role)
		}
	}
	if first.MaxTokens > 0 {
		fmt.Fprintf(&b, "    max_tokens = %d\n", first.MaxTokens)
	}
	fmt.Fprintf(&b, "    stream = %t\n", first.Stream)
	answers := toolAnswers(bodies)
	for _, tool := range first.Tools {
		parameters, err := json.Marshal(tool.Function.Parameters)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "    tool %q {\n      description = %s\n      parameters = jsondecode(%s)\n      output = %s\n    }\n",
			tool.Function.Name, quoted(t, tool.Function.Description), quoted(t, string(parameters)), quoted(t, answers[tool.Function.Name]))
	}
	b.WriteString("  }\n  step \"value\" \"shout\" { value = upper(step.ask.content) }\n  output = step.shout.output\n}\n")
	fmt.Fprintf(&b, "scenario %s {\n  run = workflow.conversation\n  cassette { path = \"recorded.yaml\" }\n", quoted(t, filepath.Base(path)))
	fmt.Fprintf(&b, "  expect \"ask\" { turns = %d }\n", len(bodies))
	b.WriteString("  assert \"the dependant read it\" { condition = run.output == upper(step.ask.content) }\n}\n")
	return b.String()
}

// toolAnswers is what each tool answered in the recording.
func toolAnswers(bodies []chatBody) map[string]string {
	names, answers := map[string]string{}, map[string]string{}
	for _, m := range bodies[len(bodies)-1].Messages {
		for _, c := range m.ToolCalls {
			names[c.ID] = c.Function.Name
		}
		if m.Role == "tool" {
			answers[names[m.ToolCallID]] = m.Content
		}
	}
	return answers
}

// quoted is a string literal of the language: JSON's escapes are its own, and
// templates are escaped.
func quoted(t *testing.T, s string) string {
	t.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer("${", "$${", "%{", "%%{").Replace(string(data))
}

// wanted walks over the recorded answers as untyped JSON.
func wanted(t *testing.T, rec recording, bodies []chatBody) said {
	t.Helper()
	w := said{Turns: len(bodies)}
	for i, it := range rec.Interactions {
		documents := []string{it.Response.Body}
		if bodies[i].Stream {
			documents = nil
			for line := range strings.Lines(it.Response.Body) {
				if data, ok := strings.CutPrefix(line, "data:"); ok && strings.TrimSpace(data) != "[DONE]" {
					documents = append(documents, data)
				}
			}
		}
		a := walkAnswer(t, documents)
		w.Content = a.Content
		w.Calls = append(w.Calls, a.Calls...)
		w.Tokens += a.Tokens
	}
	return w
}

func walkAnswer(t *testing.T, documents []string) said {
	t.Helper()
	var a said
	calls := map[float64]*[3]string{}
	for _, d := range documents {
		var root map[string]any
		if err := json.Unmarshal([]byte(d), &root); err != nil {
			t.Fatal(err)
		}
		if u, ok := root["usage"].(map[string]any); ok {
			total, _ := u["total_tokens"].(float64)
			a.Tokens = int(total)
		}
		choices, _ := root["choices"].([]any)
		for _, c := range choices {
			choice := c.(map[string]any)
			part, ok := choice["message"].(map[string]any)
			if !ok {
				part, _ = choice["delta"].(map[string]any)
			}
			content, _ := part["content"].(string)
			a.Content += content
			list, _ := part["tool_calls"].([]any)
			for n, e := range list {
				call := e.(map[string]any)
				index, ok := call["index"].(float64)
				if !ok {
					index = float64(n)
				}
				if calls[index] == nil {
					calls[index] = &[3]string{}
				}
				function, _ := call["function"].(map[string]any)
				for i, v := range []any{call["id"], function["name"], function["arguments"]} {
					text, _ := v.(string)
					calls[index][i] += text
				}
			}
		}
	}
	var order []float64
	for i := range calls {
		order = append(order, i)
	}
	sort.Float64s(order)
	for _, i := range order {
		a.Calls = append(a.Calls, strings.Join(calls[i][:], " "))
	}
	return a
}
