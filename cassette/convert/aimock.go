package convert

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/cassette/agentloom"
	"github.com/scenario-lang/scenario/cassette/internal/flaw"
	"github.com/scenario-lang/scenario/cassette/internal/foreign"
	"github.com/scenario-lang/scenario/cassette/internal/yamlnode"
	"gopkg.in/yaml.v3"
)

// importAIMock reads fixture files of aimock. A fixture is what a message has to
// contain and what is answered then; it becomes a step that sends this message,
// with the answer in its script.
var importAIMock = importer{
	name:  "aimock",
	is:    foreign.IsAIMock,
	read:  readAIMock,
	items: []string{"fixtures"},
}

func readAIMock(r *importReader, root *yaml.Node) error {
	file := r.object(root, "the file")
	d := &Draft{Provider: "openai", Model: "gpt-4o-mini"}
	m := mockReader{r: r, names: namer{}, steps: map[string]*DraftStep{}, draft: d}
	for i, n := range file.list("fixtures") {
		m.fixture(r.object(n, fmt.Sprintf("fixture #%d", i+1)))
		if r.err != nil {
			return r.err
		}
	}
	file.leave("it is for people", "$comment", "_comment")
	file.end()
	if len(d.Cases) == 0 {
		return flaw.New(root.Line, "only fixtures for chats are imported", "there is nothing to import")
	}
	r.out.Draft = d
	return nil
}

// A mockReader collects fixtures. Those that match the same are answers of one
// script.
type mockReader struct {
	r     *importReader
	names namer
	steps map[string]*DraftStep
	last  *DraftStep
	draft *Draft
}

func (m *mockReader) fixture(o *object) {
	match := o.child("match")
	if endpoint := match.text("endpoint"); endpoint != "" && endpoint != "chat" {
		m.r.note(o.node, "a fixture for the endpoint "+strconv.Quote(endpoint), "is left out: only chats are imported")
		return
	}
	if !isChat(o) {
		m.r.note(o.node, "a fixture without content, toolCalls, blocks or error", "is left out: only chats are imported")
		return
	}
	step := &DraftStep{Name: "answer", Safe: true}
	name, turn := m.match(match, step)
	e := m.entry(o, step)
	m.chaos(o)
	o.leave("it compares requests as they were recorded", "metadata")
	o.end()
	key := fmt.Sprint(step.Request, step.Notes)
	switch prior := m.steps[key]; {
	case turn && m.last != nil:
		m.turns(m.last, step, e)
	case prior != nil:
		prior.Entries = append(prior.Entries, e)
		m.tools(prior, e)
	default:
		step.Entries = []*Entry{e}
		m.tools(step, e)
		m.steps[key], m.last = step, step
		m.draft.Cases = append(m.draft.Cases, &Case{Name: m.names.unique(name), Steps: []*DraftStep{step}})
	}
}

func isChat(o *object) bool {
	response := yamlnode.Lookup(o.node, "response")
	for _, key := range []string{"content", "toolCalls", "blocks", "error"} {
		if yamlnode.Lookup(response, key) != nil {
			return true
		}
	}
	return false
}

// match turns what a request had to contain into the request that the step
// sends. turn says that the fixture answers the result of a tool.
func (m *mockReader) match(o *object, step *DraftStep) (name string, turn bool) {
	prompt, name := "…", "any message"
	if text := o.text("userMessage"); text != "" {
		prompt, name = text, text
		m.r.note(o.get("userMessage"), "userMessage", "was a part of the message; it is all of the step's prompt now")
	}
	step.Request = []Attr{{"prompt", prompt}}
	if system := systemText(o); system != "" {
		step.Request = append(step.Request, Attr{"system", system})
	}
	if model := o.text("model"); model != "" {
		step.Request = append(step.Request, Attr{"model", model})
	}
	if format := o.text("responseFormat"); format != "" {
		step.Request = append(step.Request, Attr{"response_format", []Attr{{"type", format}}})
	}
	if tool := o.text("toolName"); tool != "" {
		step.Tools = append(step.Tools, tool)
		if prompt == "…" {
			name = "use " + tool
		}
	}
	id, contains := o.text("toolCallId"), o.text("toolResultContains")
	n := o.get("hasToolResult")
	turn = id != "" || contains != "" || n != nil && n.Value == "true" || o.whole("turnIndex") > 0
	if turn {
		m.r.note(o.node, "what a fixture asks of a tool's result", "is not compared: its answer comes when the step's tool has run")
	}
	o.skip("sequenceIndex", "endpoint", "hasToolResult", "turnIndex")
	o.leave("it tells requests of several programs apart", "context", "inputText")
	o.end()
	return name, turn
}

func systemText(o *object) string {
	n := o.get("systemMessage")
	if n == nil || n.Kind != yaml.SequenceNode {
		return o.text("systemMessage")
	}
	var parts []string
	for _, item := range n.Content {
		parts = append(parts, item.Value)
	}
	return strings.Join(parts, "\n")
}

// turns adds an answer to the result of a tool: the next turn of the step that
// called the tool.
func (m *mockReader) turns(prior, step *DraftStep, e *Entry) {
	prior.Turns = true
	prior.Entries = append(prior.Entries, e)
	prior.Request = mergedAttrs(prior.Request, step.Request)
	m.tools(prior, e)
}

// mergedAttrs adds attributes that are not there yet.
func mergedAttrs(have, more []Attr) []Attr {
	for _, a := range more {
		found := false
		for _, h := range have {
			found = found || h.Name == a.Name
		}
		if !found {
			have = append(have, a)
		}
	}
	return have
}

// tools declares the tools that an answer calls.
func (m *mockReader) tools(s *DraftStep, e *Entry) {
	for _, name := range e.calls {
		known := false
		for _, t := range s.Tools {
			known = known || t == name
		}
		if !known {
			s.Tools = append(s.Tools, name)
		}
	}
}

// entry is the answer of a fixture.
func (m *mockReader) entry(o *object, step *DraftStep) *Entry {
	response := o.child("response")
	var e *Entry
	if response.has("error") {
		e = m.failure(response)
	} else {
		e = m.reply(response)
	}
	m.timing(o, step, e)
	response.leave("only text and tool calls are imported", "reasoning", "reasoningSignature", "redactedThinking", "webSearches")
	response.leave("it is made for every answer", "id", "created", "systemFingerprint", "role", "provider", "nativeFinishReason")
	response.end()
	return e
}

func (m *mockReader) failure(o *object) *Entry {
	err := o.child("error")
	status := 500
	if o.has("status") {
		status = o.status("status")
	}
	e := &Entry{Fault: "http_error", Args: []Attr{{"status_code", status}}}
	if status == http.StatusTooManyRequests {
		after := 1
		if o.has("retryAfter") {
			after = o.whole("retryAfter")
		}
		e.Args = append(e.Args, Attr{"headers", []Attr{{"Retry-After", fmt.Sprint(after)}}})
	}
	o.skip("retryAfter")
	o.leave("routing between models is a gateway's work", "fallthrough")
	e.Args = append(e.Args, Attr{"json", []Attr{{"error", treeValue(err.node)}}})
	e.Fails, e.Again, e.Refused = e.judge()
	return e
}

func (m *mockReader) reply(o *object) *Entry {
	e := &Entry{}
	content, calls := m.content(o), m.calls(o.list("toolCalls"))
	if blocks := o.list("blocks"); len(blocks) > 0 {
		content, calls = m.blocks(blocks)
	}
	if content != "" || len(calls) == 0 {
		e.Reply = append(e.Reply, Attr{"content", content})
	}
	if len(calls) > 0 {
		e.Reply = append(e.Reply, Attr{"tool_calls", callTree(calls)})
	}
	for _, c := range calls {
		e.calls = append(e.calls, c.Name)
	}
	if reason := o.text("finishReason"); reason != "" {
		e.Reply = append(e.Reply, Attr{"finish_reason", reason})
	}
	if model := o.text("model"); model != "" {
		e.Reply = append(e.Reply, Attr{"model", model})
	}
	return m.usage(o.child("usage"), e)
}

// mockUsage are the words of several vendors for the same counts.
var mockUsage = []struct{ ours, a, b, c string }{
	{"prompt_tokens", "prompt_tokens", "input_tokens", "promptTokenCount"},
	{"completion_tokens", "completion_tokens", "output_tokens", "candidatesTokenCount"},
	{"total_tokens", "total_tokens", "total_tokens", "totalTokenCount"},
}

func (m *mockReader) usage(o *object, e *Entry) *Entry {
	var usage []Attr
	for _, u := range mockUsage {
		for _, key := range []string{u.a, u.b, u.c} {
			if o.has(key) {
				usage = append(usage, Attr{u.ours, o.whole(key)})
				break
			}
		}
		o.skip(u.a, u.b, u.c)
	}
	if len(usage) > 0 {
		e.Reply = append(e.Reply, Attr{"usage", usage})
	}
	if o.has("cost") {
		e.Reply = append(e.Reply, Attr{"cost_usd", Number(o.text("cost"))})
	}
	o.end()
	return e
}

// content may be a value, which is sent as JSON.
func (m *mockReader) content(o *object) string {
	n := o.get("content")
	if n == nil {
		return ""
	}
	if n.Kind != yaml.ScalarNode {
		return jsonText(n)
	}
	return n.Value
}

func (m *mockReader) calls(list []*yaml.Node) []agentloom.ToolCall {
	var calls []agentloom.ToolCall
	for _, n := range list {
		calls = append(calls, m.call(m.r.object(n, "a tool call")))
	}
	return calls
}

func (m *mockReader) call(o *object) agentloom.ToolCall {
	c := agentloom.ToolCall{ID: o.text("id"), Name: o.text("name")}
	if n := o.get("arguments"); n != nil && n.Kind != yaml.ScalarNode {
		c.Arguments = jsonText(n)
	} else {
		c.Arguments = o.text("arguments")
	}
	o.end()
	return c
}

// blocks are text and tool calls in the order in which they are streamed.
func (m *mockReader) blocks(list []*yaml.Node) (string, []agentloom.ToolCall) {
	var text strings.Builder
	var calls []agentloom.ToolCall
	for _, n := range list {
		o := m.r.object(n, "a block")
		if o.text("type") == "text" {
			if len(calls) > 0 {
				m.r.note(n, "text behind a tool call", "comes before it: an answer has its text first")
			}
			text.WriteString(o.text("text"))
			o.end()
			continue
		}
		calls = append(calls, m.call(o))
	}
	return text.String(), calls
}

// chaos is what a fixture does by chance.
func (m *mockReader) chaos(o *object) {
	c := o.child("chaos")
	c.leave("faults come where they are written, never by chance", "dropRate", "malformedRate", "disconnectRate", "rateLimitRate")
	c.leave("give the reply a latency", "latencyMs")
	c.end()
}
