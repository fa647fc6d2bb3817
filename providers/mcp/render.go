package mcp

import (
	"encoding/json"
	"net/http"
	"strconv"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Render is the answer to the message of in: a result in one piece, or behind
// reports of progress in a stream of events where one was asked for. A stream
// whose reply names no progress reports one step for each word of its content.
// Notifications, and answers to the server, are accepted without a word.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	if in.RPC.ID == "" {
		return wire.Response{Status: http.StatusAccepted}
	}
	var header []wire.Field
	if in.RPC.Method == methodHello && !in.Pipe {
		header = append(header, wire.Field{Name: headerSession, Value: sessionOf(in.RPC.ID)})
	}
	data, err := providers.EncodeJSON(answer{Version: rpcVersion, ID: idOf(in), Result: result(in, out)})
	if err != nil { // of a result that was read from JSON
		data = []byte("{}")
	}
	if !in.Stream {
		return framed(in, header, out, []wire.Part{{Data: data}})
	}
	var parts []wire.Part
	for i, p := range progress(out) {
		part := wire.Part{Kind: wire.PartChunk, Data: reported(in, p)}
		if i > 0 {
			part.Wait = out.ChunkDelay
		}
		parts = append(parts, part)
	}
	return framed(in, header, out, append(parts, wire.Part{Kind: wire.PartDone, Data: data}))
}

// framed puts every part into the form of the transport: one body, an event
// each, or a line each.
func framed(in providers.Input, header []wire.Field, out providers.Output, parts []wire.Part) wire.Response {
	media := "application/json"
	switch {
	case in.Pipe:
		media = providers.NDJSON
	case in.Stream:
		media = providers.EventStream
	}
	for i, p := range parts {
		switch {
		case in.Pipe:
			parts[i].Data = append(p.Data, '\n')
		case in.Stream:
			parts[i].Data = providers.AppendEvent(nil, "message", p.Data)
		}
	}
	return wire.Response{
		Status: http.StatusOK, Header: append([]wire.Field{{Name: "Content-Type", Value: media}}, header...),
		Wait: out.Latency, Parts: parts, Stream: in.Stream,
	}
}

// idOf is the id of the request that is answered.
func idOf(in providers.Input) json.RawMessage {
	if in.RPC.RawID != nil {
		return in.RPC.RawID
	}
	return quoted(in.RPC.ID)
}

func quoted(id string) json.RawMessage {
	raw, err := json.Marshal(id)
	if err != nil {
		return json.RawMessage(`""`)
	}
	return raw
}

// progress is what a streamed answer reports on its way.
func progress(out providers.Output) []providers.Progress {
	if out.Progress != nil {
		return out.Progress
	}
	words := providers.SplitWords(out.Content)
	list := make([]providers.Progress, len(words))
	for i := range words {
		list[i] = providers.Progress{Progress: float64(i + 1), Total: float64(len(words))}
	}
	return list
}

type report struct {
	Token any `json:"progressToken"`
	providers.Progress
}

func reported(in providers.Input, p providers.Progress) []byte {
	data, err := providers.EncodeJSON(request{Version: rpcVersion, Method: methodProgress, Params: report{tokenOf(in), p}})
	if err != nil {
		return []byte("{}")
	}
	return data
}

// tokenOf is what reports of progress on a request name it by.
func tokenOf(in providers.Input) any {
	if meta, ok := param(in, "_meta").(map[string]any); ok && meta["progressToken"] != nil {
		return meta["progressToken"]
	}
	return in.RPC.ID
}

type text struct {
	Type string `json:"type"`
	Text string `json:"text"`
}

// result is the result of a method with the content of a reply.
func result(in providers.Input, out providers.Output) any {
	if out.Result != nil {
		return json.RawMessage(out.Result)
	}
	switch in.RPC.Method {
	case methodHello:
		return welcome{in.Session.Version, offers, implementation{clientName, "1"}}
	case methodReadResource:
		return map[string]any{"contents": []any{map[string]any{"uri": param(in, "uri"), "mimeType": "text/plain", "text": out.Content}}}
	case methodGetPrompt:
		return map[string]any{"messages": []any{map[string]any{"role": "user", "content": text{"text", out.Content}}}}
	case methodListTools:
		return map[string]any{"tools": []any{}}
	}
	content := out.Content
	if content == "" && out.Structured != nil {
		content = string(out.Structured) // servers say it in both ways
	}
	return toolResult{[]text{{"text", content}}, out.Structured, out.IsError}
}

type welcome struct {
	Version      string         `json:"protocolVersion"`
	Capabilities map[string]any `json:"capabilities"`
	Server       implementation `json:"serverInfo"`
}

// offers is what a scripted server can do.
var offers = map[string]any{"prompts": map[string]any{}, "resources": map[string]any{}, "tools": map[string]any{}}

type toolResult struct {
	Content    []text          `json:"content"`
	Structured json.RawMessage `json:"structuredContent,omitempty"`
	IsError    bool            `json:"isError,omitempty"`
}

func param(in providers.Input, name string) any {
	params, _ := in.RPC.Params.(map[string]any)
	return params[name]
}

// RenderError is an error of JSON-RPC under a status. What has a status of its
// own was not taken as a request, and so it has no id.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	e := &rpcError{Code: codeServer, Message: message}
	if e.Message == "" {
		if e.Message = http.StatusText(status); e.Message == "" || status < 400 {
			e.Message = "the request failed"
		}
	}
	if typ != "" {
		e.Data = quoted(typ)
	}
	a := answer{Version: rpcVersion, Error: e}
	if status < 300 && in.RPC.ID != "" {
		a.ID = idOf(in)
	}
	data, err := providers.EncodeJSON(a)
	if err != nil {
		data = []byte("{}")
	}
	in.Stream = false
	resp := framed(in, nil, providers.Output{}, []wire.Part{{Data: data}})
	resp.Status = status
	return resp
}

// RenderTyped says what kind of failure it is: a tool that failed by its own
// result, a session that is gone by the status for it, and anything else by an
// error of JSON-RPC.
func (a Adapter) RenderTyped(in providers.Input, kind, message, code string) wire.Response {
	switch failure.Kind(kind) {
	case failure.ToolError:
		return a.Render(in, providers.Output{Content: message, IsError: true, Progress: []providers.Progress{}})
	case failure.SessionExpired:
		return a.RenderError(in, http.StatusNotFound, "", message)
	}
	e := &rpcError{Code: codeInternal, Message: message}
	if n, err := strconv.ParseInt(code, 10, 64); err == nil {
		e.Code = n
	}
	data, err := providers.EncodeJSON(answer{Version: rpcVersion, ID: idOf(in), Error: e})
	if err != nil {
		data = []byte("{}")
	}
	return framed(in, nil, providers.Output{}, []wire.Part{{Kind: wire.PartDone, Data: data}})
}

// WrongType is a page under which no client looks for a message.
func (Adapter) WrongType() string { return "text/html; charset=utf-8" }

// Label says of a recorded stream which parts report progress, and which is the
// answer.
func (Adapter) Label(resp *wire.Response) {
	if !resp.Stream {
		return
	}
	for i, p := range resp.Parts {
		resp.Parts[i].Kind = kindOf(p.Data)
	}
}

func kindOf(part []byte) wire.PartKind {
	m, failed := read(payload(part))
	switch {
	case failed != nil:
		return wire.PartEvent
	case m.Method == methodProgress:
		return wire.PartChunk
	case m.Method == "":
		return wire.PartDone
	default:
		return wire.PartEvent
	}
}
