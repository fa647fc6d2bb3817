package cassette

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// A response file becomes a script for each key, with everything that it says
// and the lines where it does; keys that begin with _ are metadata.
func TestAgentLoom(t *testing.T) {
	c := parsed(t, []byte(`{
  "_version": 2,
  "ask": [
    {"content": "", "provider": "openai", "model": "m", "finish_reason": "tool_calls", "cost_usd": 0.5, "latency_ms": 1.5,
     "tool_calls": [{"id": "c1", "name": "get", "arguments": {"url": "https://a/\u00fc", "n": [1, 2.0, true, null]}}],
     "usage": {"prompt_tokens": 1, "completion_tokens": 2}},
    {"content": "done"}
  ],
  "slow": {"fault": {"type": "timeout", "after_ms": 5000}},
  "limited": {"fault": {"type": "http_error", "status_code": 429, "headers": {"Retry-After": "30"}, "body": "no"}},
  "cut": {"content": "a b", "fault": {"type": "stream_truncate", "after_chunks": 3, "raise": "httpx.ReadError"}}
}`))
	after := 5 * time.Second
	want := []*Script{
		{Key: "ask", Line: 3, Turns: []Turn{
			{
				Line: 4, HasReply: true, Provider: "openai", Model: "m", FinishReason: "tool_calls", CostUSD: 0.5, Latency: 1500 * time.Microsecond,
				ToolCalls: []ToolCall{{"c1", "get", `{"url": "https://a/\u00fc", "n": [1, 2.0, true, null]}`}},
				Usage:     &Usage{1, 2, 3},
			},
			{Line: 7, HasReply: true, Content: "done"},
		}},
		{Key: "slow", Line: 9, Turns: []Turn{{Line: 9, Fault: &FaultDecl{Line: 9, Kind: "timeout", Args: map[string]any{}, After: &after}}}},
		{Key: "limited", Line: 10, Turns: []Turn{{Line: 10, Fault: &FaultDecl{Line: 10, Kind: "http_error", Args: map[string]any{
			"status_code": 429, "headers": map[string]string{"Retry-After": "30"}, "body": "no",
		}}}}},
		{Key: "cut", Line: 11, Turns: []Turn{{
			Line: 11, HasReply: true, Content: "a b",
			Fault: &FaultDecl{Line: 11, Kind: "stream_truncate", Args: map[string]any{"after_chunks": 3, "end": "reset"}},
		}}},
	}
	if d := cmp.Diff(want, c.Scripts); d != "" {
		t.Error(d)
	}
	if c.Format != "agentloom" || !c.Whole || len(c.Warnings) != 0 {
		t.Errorf("%s, whole %v, %q", c.Format, c.Whole, c.Warnings)
	}
}

// Nothing in a response file is dropped in silence: unknown keys, an empty list
// and an exception without a form on the wire are warnings with their line.
func TestAgentLoomWarns(t *testing.T) {
	for text, want := range map[string]string{
		`{"content": "x", "mood": 1}`:                                `line 1: the answer of "a" has the unknown key "mood"`,
		`{"content": "x", "usage": {"cached": 1}}`:                   `line 1: the usage in the answer of "a" has the unknown key "cached"`,
		`{"content": "x", "tool_calls": [{"name": "f", "type": 1}]}`: `a tool call in the answer of "a" has the unknown key "type"`,
		`{"fault": {"type": "timeout", "body": "x"}}`:                `the fault timeout in the answer of "a" has the unknown key "body"`,
		`[]`: `line 1: the list for "a" is empty`,
		`{"fault": {"type": "stream_truncate", "raise": "TimeoutError"}}`: `line 1: raise = "TimeoutError" is played as a connection that is reset`,
	} {
		c := parsed(t, []byte(`{"_version": 2, "a": `+text+`}`))
		if len(c.Warnings) != 1 || !strings.Contains(c.Warnings[0], want) {
			t.Errorf("%s: %q", text, c.Warnings)
		}
	}
}

// What has the wrong type is refused with its line, its key and what it must
// be.
func TestAgentLoomRefuses(t *testing.T) {
	for text, want := range map[string]string{
		`"x"`:                                  `the answer of "a" must be an object`,
		`[{"content": "x"}, 1]`:                `the answer of "a" must be an object`,
		`{}`:                                   `the answer of "a" has neither content nor a fault`,
		`{"content": []}`:                      `content in the answer of "a" must be a text`,
		`{"content": "", "cost_usd": -1}`:      "cost_usd in",
		`{"content": "", "cost_usd": "much"}`:  "must be a number of 0 or more",
		`{"content": "", "latency_ms": 1e300}`: "at most a year",
		`{"content": "", "usage": 1}`:          "usage in",
		`{"content": "", "usage": {"prompt_tokens": 1.5}}`:                 "prompt_tokens in the answer of \"a\" must be a whole number",
		`{"content": "", "tool_calls": {}}`:                                "must be a list",
		`{"content": "", "tool_calls": [1]}`:                               "must be a list of objects",
		`{"content": "", "content": ""}`:                                   `the key "content" stands twice`,
		`{"fault": 1}`:                                                     "fault in",
		`{"fault": {"type": "meteor"}}`:                                    `the unknown type "meteor"`,
		`{"fault": {"type": "http_error", "headers": 1}}`:                  "headers in",
		`{"fault": {"type": "http_error", "headers": {"A": "x\r\nB: y"}}}`: "line break",
		`{"fault": {"type": "http_error", "status_code": "x"}}`:            "status_code in",
	} {
		_, err := Parse("a.json", []byte("{\"_version\": 2,\n\"a\": "+text+"}"))
		e, ok := err.(*LoadError)
		if !ok || !strings.Contains(e.Problem, want) || e.Line != 2 || e.Hint == "" {
			t.Errorf("%s: want %q at line 2, got %v", text, want, err)
		}
	}
}

// V49, V50: the hash of a request is that of Python's json.dumps; model and
// temperature count, and 0 may be 0 or 0.0. The sums were computed by Python.
func TestV49V50PromptHash(t *testing.T) {
	base := Prompt{Model: "gpt-4o-mini", Messages: []Message{{"user", "hash me"}}}
	number := func(f float64) *float64 { return &f }
	tokens := 100
	for name, tt := range map[string]struct {
		change func(*Prompt)
		want   []string
	}{
		"V49":   {func(*Prompt) {}, []string{"89469d4c2baa0203229de565fa0a0b9dba77c2f99d7f10c968b6d36c5b0deb45"}},
		"model": {func(p *Prompt) { p.Model = "gpt-4o" }, []string{"33c8c25470cb348d8fc5f09ef5d375df7851b6a3be133c700e42e219e6d55690"}},
		"warm":  {func(p *Prompt) { p.Temperature = number(0.7) }, []string{"87b1e4d54b5b80a68a34b5b22e4a0dccd8ac8ba119357185aaee2840bcd6bc7c"}},
		"cold":  {func(p *Prompt) { p.Temperature = number(0) }, []string{"985a73ac79f0c7230a4a46e03c09f7b61756ecd93348107e8c59068c1567e0ee", "123c8606884a0590c09cd32ac71ffd35ac444150519111ab1b21de6d05028960"}},
		"all": {func(p *Prompt) {
			p.Temperature, p.MaxTokens = number(1e-05), &tokens
			p.Messages = []Message{{"system", "be \"brief\"\n"}, {"user", "é \u2028 😀 \x7f"}}
		}, []string{"f44352897cf92754f18afeed716d4cdcecdf99af9e00abaf9d5038dc83e43119"}},
	} {
		p := base
		tt.change(&p)
		if d := cmp.Diff(tt.want, p.Hashes()); d != "" {
			t.Errorf("%s\n%s", name, d)
		}
	}
}
