package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads until the answer to the message of in, in one piece or in a
// stream, and tells in.OnMessage of what comes before it; sink is called once for
// each report of progress. A message that is not answered is accepted by any
// status of success. A session that the server does not know any more is the
// failure session_expired; a result that calls itself an error is tool_error,
// with its content read; an error of JSON-RPC and an answer to another request
// are protocol_error, but for an unknown tool, which is tool_not_found.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		f := providers.TransportFailure(providers.NoResponse(err))
		if f.Kind == failure.Exception && in.RPC.Method == methodCallTool {
			f.Kind = failure.ToolError // what a tool raises, its caller is told
		}
		return providers.Output{}, f
	}
	defer resp.Body.Close()
	out := providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return out, refused(in, resp, now)
	}
	if in.RPC.ID == "" {
		out.Complete = true
		return out, nil
	}
	p := parser{ctx: ctx, in: in, out: &out, sink: sink}
	failed := p.answer(resp)
	return out, failed
}

// refused is an answer by status.
func refused(in providers.Input, resp *http.Response, now func() time.Time) *failure.Failure {
	body, err := providers.ReadBody(resp)
	if err != nil {
		return providers.TransportFailure(err)
	}
	f := providers.StatusFailure(resp, providers.ErrorText(body), now)
	if resp.StatusCode == http.StatusNotFound && in.Session.ID != "" && in.RPC.Method != methodHello {
		f.Kind = failure.SessionExpired
		f.Message = "the server does not know the session any more: " + f.Message
	}
	return f
}

type parser struct {
	ctx  context.Context
	in   providers.Input
	out  *providers.Output
	sink func(providers.Chunk) error
}

func (p *parser) answer(resp *http.Response) *failure.Failure {
	switch media := providers.MediaType(resp.Header); {
	case media == providers.EventStream:
		return p.stream(eventMessages(providers.LimitBody(resp.Body)))
	case media == providers.NDJSON:
		return p.stream(lineMessages(providers.LimitBody(resp.Body)))
	case providers.IsJSON(media):
		body, err := providers.ReadBody(resp)
		if err != nil {
			return providers.TransportFailure(err)
		}
		if len(bytes.TrimSpace(body)) == 0 {
			return providers.Malformed("the answer is empty where a JSON-RPC message should be (status %d)", resp.StatusCode)
		}
		m, failed := read(body)
		if failed != nil {
			return failed
		}
		if m.Method != "" {
			return providers.Malformed("the answer in one piece is no answer: its method is %q", m.Method)
		}
		return p.result(m)
	case resp.StatusCode == http.StatusAccepted:
		return &failure.Failure{Kind: failure.ProtocolError, Message: "the server accepted a request and gave no answer to it"}
	default:
		return providers.Malformed("the answer has the content type %q: it is application/json or %s", resp.Header.Get("Content-Type"), providers.EventStream)
	}
}

// errCut is a stream that ended inside a message, or before the answer.
var errCut = errors.New("the stream ended before the answer")

// eventMessages reads the data of events. One without data primes a client for
// reconnecting and says nothing.
func eventMessages(r io.Reader) func() ([]byte, error) {
	events := providers.NewEventReader(r)
	return func() ([]byte, error) {
		for {
			event, err := events.Next()
			switch {
			case err == io.EOF, errors.Is(err, providers.ErrCutEvent):
				return nil, errCut
			case err != nil || len(bytes.TrimSpace(event.Data)) > 0:
				return event.Data, err
			}
		}
	}
}

// lineMessages reads lines. A last one without its end is cut.
func lineMessages(r io.Reader) func() ([]byte, error) {
	lines := providers.NewLineReader(r)
	return func() ([]byte, error) {
		line, ended, err := lines.Next()
		if err == io.EOF || err == nil && !ended {
			return nil, errCut
		}
		return line, err
	}
}

func (p *parser) stream(next func() ([]byte, error)) *failure.Failure {
	for {
		data, err := next()
		if err == nil && p.ctx.Err() != nil {
			err = context.Cause(p.ctx)
		}
		switch {
		case errors.Is(err, errCut):
			return &failure.Failure{Kind: failure.StreamIncomplete, Message: err.Error()}
		case err != nil:
			return providers.StreamFailure(err, len(p.out.Chunks))
		}
		m, failed := read(data)
		if failed != nil {
			return failed
		}
		if m.Method == "" {
			return p.result(m)
		}
		if failed := p.incoming(m); failed != nil {
			return failed
		}
	}
}

// incoming is a message on the way to the answer.
func (p *parser) incoming(m message) *failure.Failure {
	if p.in.OnMessage != nil {
		if err := p.in.OnMessage(providers.Incoming{ID: bytes.Clone(m.ID), Method: m.Method, Params: bytes.Clone(m.Params)}); err != nil {
			return providers.Stopped(err)
		}
	}
	if m.Method != methodProgress {
		return nil
	}
	var got report
	if err := providers.DecodeJSON(m.Params, &got); err != nil {
		return providers.Malformed("a report of progress cannot be read: %s", providers.Excerpt(m.Params))
	}
	if fmt.Sprint(got.Token) != fmt.Sprint(tokenOf(p.in)) {
		return nil // of another call
	}
	p.out.Progress = append(p.out.Progress, got.Progress)
	p.out.Chunks = append(p.out.Chunks, got.Message)
	if p.sink == nil {
		return nil
	}
	if err := p.sink(providers.Chunk{Content: got.Message}); err != nil {
		return providers.Stopped(err)
	}
	return nil
}

// result is the answer.
func (p *parser) result(m message) *failure.Failure {
	if failed := m.answers(p.in.RPC); failed != nil {
		return failed
	}
	if m.Error != nil {
		return p.refusal(m.Error)
	}
	p.out.Result = bytes.Clone(m.Result)
	if p.in.RPC.Method == methodHello {
		return p.welcomed(m.Result)
	}
	if err := readResult(p.in.RPC.Method, m.Result, p.out); err != nil {
		return providers.Malformed("the result of %s cannot be read: %s", p.in.RPC.Method, err)
	}
	p.out.Complete = true
	if p.out.IsError && !p.in.ReadsErrors {
		text := p.out.Content
		if text == "" {
			text = "the tool failed and said nothing"
		}
		return &failure.Failure{Kind: failure.ToolError, Message: text}
	}
	return nil
}

// refusal is an error of JSON-RPC. The protocol has no code of its own for an
// unknown tool: servers say it under "invalid params".
func (p *parser) refusal(e *rpcError) *failure.Failure {
	kind := failure.ProtocolError
	said := strings.ToLower(e.Message)
	if p.in.RPC.Method == methodCallTool && e.Code == codeInvalidParams && strings.Contains(said, "tool") && (strings.Contains(said, "unknown") || strings.Contains(said, "not found")) {
		kind = failure.ToolNotFound
	}
	return &failure.Failure{Kind: kind, Message: fmt.Sprintf("JSON-RPC error %d: %s", e.Code, e.Message)}
}

// welcomed reads the answer to the handshake.
func (p *parser) welcomed(raw json.RawMessage) *failure.Failure {
	var w welcome
	if err := providers.DecodeJSON(raw, &w); err != nil || w.Version == "" {
		return providers.Malformed("the answer to initialize names no protocolVersion: %s", providers.Excerpt(raw))
	}
	known := false
	for _, v := range Versions() {
		known = known || v == w.Version
	}
	if !known {
		return &failure.Failure{Kind: failure.ProtocolError, Message: fmt.Sprintf("the server speaks revision %q of the protocol, which is not known here: %s are", w.Version, strings.Join(Versions(), ", "))}
	}
	p.out.Session = providers.Session{ID: p.out.Headers.Get(headerSession), Version: w.Version, Server: w.Server.Name}
	p.out.Complete = true
	return nil
}
