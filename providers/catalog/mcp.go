package catalog

import (
	"fmt"
	"strconv"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/schema"
)

var mcpKind = &Kind{
	Name:    "mcp",
	Summary: "A server of the Model Context Protocol: tools, resources and prompts, over streamable HTTP (`base_url`) or over the standard input and output of a process (`command`).",
	Family:  "mcp",
	Adapter: mcp.Adapter{},
	InFailure: []string{
		"A result that says `isError` of itself is `tool_error`; its content is there to be read. An error of JSON-RPC, and an answer to another request, are `protocol_error`; one with the code -32602 that says the tool is unknown or not found is `tool_not_found`.",
		"Status 404 to a request inside a session is `session_expired`: the next attempt opens a new session. Such a request was not taken, so it is tried again also where the step may not be repeated.",
		"A stream is whole with the answer to the request, whatever follows. One that ends before it is `stream_incomplete`: it is not taken up again with `Last-Event-ID`.",
		"A connection that ends before any byte of an answer is made anew once within the attempt, with a new session.",
		"When a deadline or a cancellation ends an attempt, the server is told with `notifications/cancelled`.",
	},
	ToPrograms: []string{
		"A server with `base_url` is asked over HTTP. One with `command` is a process, whose command is `provider.NAME.command` in the expressions of `sut`: a list, [`scenario bridge`](command-line.md#scenario-bridge) with an address and a token, that the program starts in the place of the server. `jsonencode` makes one text of it.",
		"The handshake, `ping`, `logging/setLevel`, notifications, cancellations, and the lists of tools, prompts and resources are no calls and take no entry. Conditions find them by their methods: `events({ type = \"message\", method = \"initialize\" })`. A list has what endpoints and entries name with `tool`. An endpoint or an entry whose `match` has `method = \"tools/list\"` scripts that list itself. `server/discover`, with which clients of later revisions begin, is an unknown method, after which they go on with the handshake.",
		"Requests over a pipe are answered each in its own time; one that is cancelled is over. A fault that ends the connection ends the process.",
		"A request that breaks a gate is answered with the error -32603, which says which.",
	},
	Attrs: []schema.Attr{
		{Name: "protocol_version", Type: schema.String, Default: strconv.Quote(mcp.Versions()[0]), OneOf: mcp.Versions(), Doc: "The revision of the protocol that is asked for. The server may answer with another of these."},
		{Name: "command", Type: schema.Strings, Doc: "The program that is the server, with its arguments, in place of `base_url`. It is started only when a live run dials."},
	},
	Reply: []schema.Attr{
		{Name: "content", Type: schema.String, Doc: "The text of the answer: of a tool's result, a resource or a prompt."},
		{Name: "structured", Type: schema.Any, Doc: "The structured content of a tool's result. Without `content` its JSON is the text, too."},
		{Name: "is_error", Type: schema.Bool, Doc: "Whether the tool says that it failed: the step fails with `tool_error`."},
		{Name: "tools", Type: schema.Any, Doc: "What a list of tools holds: a list of `{ name, description, parameters }`."},
		{Name: "result", Type: schema.Any, Doc: "The whole result as it is sent, in place of all of these: for images, several messages, or what no server should send."},
		{Name: "progress", Type: schema.Any, Doc: "Reports of progress before the answer, with `stream = true`: a list of `{ progress, total, message }`. One for each word of `content` unless given."},
		costAttr, latencyAttr, chunkDelayAttr,
	},
	ReplyOutput: mcpReply,
}

func mcpReply(values schema.Values) (providers.Output, error) {
	r := reader{values: values}
	out := providers.Output{Content: r.text("content"), IsError: r.truth("is_error"), Progress: r.progress("progress")}
	if r.has("structured") && r.err == nil {
		out.Structured, r.err = r.json("structured")
	}
	if r.has("result") && r.err == nil {
		out.Result, r.err = r.json("result")
	}
	if r.has("tools") && r.err == nil {
		if out.Result, r.err = r.tools("tools"); r.err == nil {
			r.alone("tools", "content", "structured", "is_error", "result")
		}
	}
	if r.has("result") {
		r.alone("result", "content", "structured", "is_error", "tools")
	}
	if _, ok := values["structured"].(map[string]any); r.has("structured") && !ok {
		r.fail("structured", "an object", values["structured"])
	}
	r.common(&out)
	return out, r.err
}

// alone refuses attributes beside one that says all.
func (r *reader) alone(name string, others ...string) {
	for _, other := range others {
		if r.has(other) && r.err == nil {
			r.err = fmt.Errorf("%s and %s both give the result: keep one", other, name)
		}
	}
}

func (r *reader) truth(name string) bool {
	v, ok := r.values[name].(bool)
	if !ok && r.has(name) {
		r.fail(name, "true or false", r.values[name])
	}
	return v
}

// objects takes a tuple of objects apart; each is read by its own reader, whose
// error is given its place.
func (r *reader) objects(name string, keys []string, each func(*reader)) {
	list, ok := r.values[name].([]any)
	if !ok {
		r.fail(name, "a list of objects", r.values[name])
		return
	}
	for i, v := range list {
		object, ok := v.(map[string]any)
		if !ok {
			r.fail(fmt.Sprintf("%s[%d]", name, i), "an object", v)
			return
		}
		one := reader{values: object}
		if err := onlyKeys(object, keys...); err != nil {
			one.err = err
		} else if each(&one); one.err != nil {
			one.err = fmt.Errorf(".%w", one.err)
		}
		if one.err != nil && r.err == nil {
			r.err = fmt.Errorf("%s[%d]%w", name, i, one.err)
		}
	}
}

func (r *reader) progress(name string) []providers.Progress {
	if !r.has(name) {
		return nil
	}
	list := []providers.Progress{}
	r.objects(name, []string{"progress", "total", "message"}, func(o *reader) {
		if !o.has("progress") {
			o.err = fmt.Errorf("progress is missing")
		}
		list = append(list, providers.Progress{Progress: o.number("progress"), Total: o.number("total"), Message: o.text("message")})
	})
	return list
}

func (r *reader) number(name string) float64 {
	switch v := r.values[name].(type) {
	case nil:
		return 0
	case int:
		return float64(v)
	case float64:
		return v
	default:
		r.fail(name, "a number", v)
		return 0
	}
}

// tools is the result of a list in the protocol's own words.
func (r *reader) tools(name string) ([]byte, error) {
	type listed struct {
		Name        string `json:"name"`
		Description string `json:"description,omitempty"`
		Schema      any    `json:"inputSchema"`
	}
	list := []listed{}
	r.objects(name, []string{"name", "description", "parameters"}, func(o *reader) {
		t := listed{o.text("name"), o.text("description"), o.values["parameters"]}
		if t.Schema == nil {
			t.Schema = map[string]any{"type": "object"}
		}
		if t.Name == "" && o.err == nil {
			o.err = fmt.Errorf("name is missing")
		}
		list = append(list, t)
	})
	if r.err != nil {
		return nil, r.err
	}
	data, err := providers.EncodeJSON(map[string]any{"tools": list})
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written as JSON: %w", name, err)
	}
	return data, nil
}
