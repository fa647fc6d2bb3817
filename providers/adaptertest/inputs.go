package adaptertest

import (
	"fmt"
	"math/rand/v2"

	"github.com/scenario-lang/scenario/providers"
)

// Conversation draws what a step might ask a language model: turns of any role
// in any order, calls with and without ids, with arguments that are JSON and
// that are none, results that say which call they are of and that do not. Only
// thoughts and what is of one host are left out.
func Conversation(r *rand.Rand) providers.Input {
	in := providers.Input{
		Model:  one(r, "m", "gpt-4o-mini", "vendor/model:free", "claude-sonnet-4@20250514", "é ü"),
		Stream: r.IntN(2) == 0,
	}
	if r.IntN(2) == 0 {
		in.Temperature = new(one(r, 0, 0.7, 1, 1e-9))
	}
	if r.IntN(2) == 0 {
		in.MaxTokens = new(one(r, 1, 4096, 1<<40))
	}
	in.ResponseFormat = one[any](r, nil, nil,
		map[string]any{"type": "json_object"},
		map[string]any{"type": "json_schema", "json_schema": map[string]any{"name": "answer", "strict": true, "schema": schema(r)}},
	)
	for range r.IntN(3) {
		t := providers.Tool{Name: one(r, "f", "get_weather"), Description: text(r)}
		if r.IntN(2) == 0 {
			t.Schema = schema(r)
		}
		in.Tools = append(in.Tools, t)
	}
	behind := ""
	for range r.IntN(7) {
		m := message(r)
		if behind == "tool" && (m.Role == "system" || m.Role == "developer") {
			m.Role = "user" // the results of one turn are not interrupted
		}
		in.Messages, behind = append(in.Messages, m), m.Role
	}
	return in
}

// one draws one of a list.
func one[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }

func message(r *rand.Rand) providers.Message {
	m := providers.Message{Role: one(r, "system", "developer", "user", "user", "assistant", "assistant", "tool", "tool"), Content: text(r)}
	switch m.Role {
	case "assistant":
		for range r.IntN(3) {
			m.ToolCalls = append(m.ToolCalls, providers.ToolCall{
				ID: one(r, "", "", "c1", "c2"), Name: one(r, "f", "get_weather"), Signature: one(r, "", "c2ln"),
				Arguments: one(r, "", "{}", `{"b":1,"a":[1.50,null,"x"]}`, "{ \"city\": \"Ghent\",\n \"a\": 1e2 }", `{"cut`, "not json", "[1]", `"text"`, "null"),
			})
		}
	case "tool":
		m.ToolCallID, m.Name = one(r, "", "c1", "c2", "c9"), one(r, "", "f")
	}
	return m
}

// text draws a text of which some are short, some have what JSON and HTML
// escape, and some are any characters at all.
func text(r *rand.Rand) string {
	if r.IntN(3) > 0 {
		return one(r, "", "a", "Why is the sky blue?", "\n", "a \"quoted\" \\ <b> & \u2028 ☂ 🌈", "{}", "null", " spaces  ")
	}
	var b []rune
	for range r.IntN(20) {
		c := rune(r.IntN(0x11000))
		if c >= 0xd800 && c < 0xe000 {
			c = 'x' // half of a pair is no character
		}
		b = append(b, c)
	}
	return string(b)
}

func schema(r *rand.Rand) any {
	return map[string]any{"type": "object", "properties": map[string]any{
		"z": map[string]any{"type": "string", "enum": []any{"a", text(r)}},
		"a": map[string]any{"type": "number", "minimum": 0.5, "maximum": 10},
	}}
}

// Exchange draws a request of plain HTTP below the base URL that it names.
func Exchange(r *rand.Rand) providers.Input {
	in := providers.Input{
		BaseURL: one(r, "https://api.example.com", "https://api.example.com/", "http://127.0.0.1:8080/v1", "https://x.example/a%2Fb/c?version=2"),
		Method:  one(r, "", "GET", "post", "DELETE", "PATCH"),
		Path:    one(r, "", "/", "/a", "a/b", "/a%2Fb/c%20d", "/items/7/", "/%C3%A9?x=1&y=z"),
	}
	for range r.IntN(3) {
		put(&in.Query, one(r, "q", "page", "a b"), text(r))
	}
	for range r.IntN(3) {
		put(&in.Headers, one(r, "X-A", "x-trace-id", "Accept", "content-type"), one(r, "a", "text/event-stream", "application/json", "a, b; c"))
	}
	switch r.IntN(3) {
	case 0:
		in.Body = []byte(one(r, "", "plain", `{"stream":true}`, "\x00\xff", text(r)))
	case 1:
		in.HasJSON, in.JSON = true, one[any](r, nil, schema(r), text(r), 1.5, []any{1, "a"}, map[string]any{"stream": true})
	}
	return in
}

func put(m *map[string]string, name, value string) {
	if *m == nil {
		*m = map[string]string{}
	}
	(*m)[name] = value
}

// Query draws a statement and its arguments.
func Query(r *rand.Rand) providers.Input {
	in := providers.Input{Statement: one(r, "select 1", "insert into t values ($1, $2)", " begin;", "-- \"é\"\nselect '<&>'", "x"+text(r))}
	for range r.IntN(4) {
		in.Args = append(in.Args, one[any](r, nil, true, 7, -1.5, text(r), schema(r), []any{"a", 1}))
	}
	return in
}

// Call draws a message of JSON-RPC with its session, of a client that talks to
// a server at an address or over a pipe.
func Call(r *rand.Rand) providers.Input {
	in := providers.Input{
		BaseURL: "https://mcp.example.com/mcp",
		Stream:  r.IntN(2) == 0,
		Session: providers.Session{ID: one(r, "", "s-1"), Version: one(r, "", "2025-03-26", "2025-06-18", "2025-11-25")},
		RPC:     providers.RPC{ID: fmt.Sprintf("step/%d", r.IntN(9))},
	}
	if r.IntN(3) == 0 {
		in.Pipe, in.BaseURL, in.Session = true, "stdio:server", providers.Session{}
	}
	in.RPC.Method = one(r, "tools/call", "resources/read", "prompts/get", "tools/list", "ping", "notifications/cancelled")
	params := map[string]any{}
	for range r.IntN(3) {
		params[one(r, "name", "uri", "arguments", "cursor")] = one[any](r, text(r), schema(r), nil, 3)
	}
	if r.IntN(3) > 0 {
		in.RPC.Params = params
	}
	if in.RPC.Method == "notifications/cancelled" {
		in.RPC.ID, in.Stream = "", false
	}
	return in
}
