package http

import (
	"cmp"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// Render lays a reply out as it stands: its status (200), its headers sorted by
// name, its body. A streamed request with chunks, or with content in place of
// a body, is answered by a part for each: an event where the content type is
// that of an event stream, which is the default, else the bytes alone.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	resp := wire.Response{Status: out.StatusCode, Header: fields(out.Headers, out.Spelling), Wait: out.Latency}
	if resp.Status == 0 {
		resp.Status = http.StatusOK
	}
	media := providers.MediaType(out.Headers)
	if chunks := streamed(in, out); chunks != nil {
		if media == "" {
			media = providers.EventStream
			resp.Header = append(resp.Header, wire.Field{Name: "Content-Type", Value: media})
		}
		resp.Stream, resp.Whole, resp.Parts = true, media != providers.EventStream, parts(chunks, media, out)
		return resp
	}
	body := plainBody(out)
	if len(body) == 0 {
		return resp
	}
	if media == "" {
		resp.Header = append(resp.Header, wire.Field{Name: "Content-Type", Value: "text/plain; charset=utf-8"})
	}
	resp.Parts = []wire.Part{{Data: body}}
	return resp
}

// streamed returns the chunks of a streamed answer, nil for a plain one.
func streamed(in providers.Input, out providers.Output) []string {
	switch {
	case !in.Stream || out.Body != nil:
		return nil
	case out.Chunks != nil:
		return out.Chunks
	default:
		return providers.SplitWords(out.Content)
	}
}

func parts(chunks []string, media string, out providers.Output) []wire.Part {
	list := []wire.Part{}
	for _, c := range chunks {
		if c == "" {
			continue
		}
		p := wire.Part{Kind: wire.PartChunk, Data: []byte(c)}
		if media == providers.EventStream {
			p.Data = providers.AppendEvent(nil, "", p.Data)
		}
		if len(list) > 0 {
			p.Wait = out.ChunkDelay
		}
		list = append(list, p)
	}
	return list
}

// Label calls every part of a stream a chunk of content: the protocol has no
// other events and no end marker. Bytes that are no events stay in their pieces.
func (Adapter) Label(resp *wire.Response) {
	if !resp.Stream {
		return
	}
	resp.Whole = !slices.ContainsFunc(resp.Header, func(f wire.Field) bool {
		return strings.EqualFold(f.Name, "Content-Type") && providers.MediaType(http.Header{"Content-Type": {f.Value}}) == providers.EventStream
	})
	for i := range resp.Parts {
		resp.Parts[i].Kind = wire.PartChunk
	}
}

func plainBody(out providers.Output) []byte {
	switch {
	case out.Body != nil:
		return out.Body
	case out.Chunks != nil:
		return []byte(strings.Join(out.Chunks, ""))
	default:
		return []byte(out.Content)
	}
}

func fields(h http.Header, spelling map[string]string) []wire.Field {
	if len(h) == 0 {
		return nil
	}
	var list []wire.Field
	for _, name := range slices.Sorted(maps.Keys(h)) {
		for _, value := range h[name] {
			list = append(list, wire.Field{Name: cmp.Or(spelling[name], name), Value: value})
		}
	}
	return list
}

// RenderError is an error object as many services answer it.
func (Adapter) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	if message == "" {
		message = http.StatusText(status)
		if message == "" || status < 400 {
			message = "the request failed"
		}
	}
	type object struct {
		Message string `json:"message"`
		Type    string `json:"type,omitempty"`
		Status  int    `json:"status"`
	}
	body, err := providers.EncodeJSON(struct {
		Error object `json:"error"`
	}{object{message, typ, status}})
	if err != nil {
		body = []byte("{}")
	}
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json"}},
		Parts:  []wire.Part{{Data: body}},
	}
}

// WrongType is JSON: plain HTTP takes every other type as it comes.
func (Adapter) WrongType() string { return "application/json" }
