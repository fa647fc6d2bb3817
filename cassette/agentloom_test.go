package cassette

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/scenario-lang/scenario/cassette/agentloom"
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
	want := []*agentloom.Script{
		{Key: "ask", Line: 3, Turns: []agentloom.Turn{
			{
				Line: 4, HasReply: true, Provider: "openai", Model: "m", FinishReason: "tool_calls", CostUSD: 0.5, Latency: 1500 * time.Microsecond,
				ToolCalls: []agentloom.ToolCall{{ID: "c1", Name: "get", Arguments: `{"url": "https://a/\u00fc", "n": [1, 2.0, true, null]}`}},
				Usage:     &agentloom.Usage{Prompt: 1, Completion: 2, Total: 3},
			},
			{Line: 7, HasReply: true, Content: "done"},
		}},
		{Key: "slow", Line: 9, Turns: []agentloom.Turn{{Line: 9, Fault: &agentloom.FaultDecl{Line: 9, Kind: "timeout", Args: map[string]any{}, After: &after}}}},
		{Key: "limited", Line: 10, Turns: []agentloom.Turn{{Line: 10, Fault: &agentloom.FaultDecl{Line: 10, Kind: "http_error", Args: map[string]any{
			"status_code": 429, "headers": map[string]string{"Retry-After": "30"}, "body": "no",
		}}}}},
		{Key: "cut", Line: 11, Turns: []agentloom.Turn{{
			Line: 11, HasReply: true, Content: "a b",
			Fault: &agentloom.FaultDecl{Line: 11, Kind: "stream_truncate", Args: map[string]any{"after_chunks": 3, "end": "reset"}},
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
		`{"content": []}`:                      `content in the answer of "a" must be a string`,
		`{"content": "", "cost_usd": -1}`:      "cost_usd in",
		`{"content": "", "cost_usd": "much"}`:  "must be a number of 0 or more",
		`{"content": "", "latency_ms": 1e300}`: "at most a year",
		`{"content": "", "usage": 1}`:          "usage in",
		`{"content": "", "usage": {"prompt_tokens": 1.5}}`:                 "prompt_tokens in the answer of \"a\" must be an integer",
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
