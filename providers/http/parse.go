package http

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads an answer whole: status, headers, body bytes. What Expect does
// not accept is a failure by its status; a body that is announced as JSON and
// is none is malformed, an empty one included, and one that is an error object
// and nothing else is that error. JSON is left to the caller to decode. A streamed answer is given to sink as its events arrive, or as its
// bytes do where it is no event stream.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	out := providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	expected := expects(in, resp.StatusCode)
	if in.Stream && expected {
		return parseStream(ctx, resp, out, sink)
	}
	out.Body, err = providers.ReadBody(resp)
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	out.Complete = true
	if !expected {
		return out, providers.StatusFailure(resp, providers.ErrorText(out.Body), now)
	}
	return out, checkBody(in, resp, out.Body)
}

func expects(in providers.Input, status int) bool {
	if in.Expect != nil {
		return in.Expect(status)
	}
	return 200 <= status && status <= 399
}

// checkBody holds an answer to its own announcement of JSON, and finds an error
// in the place of one.
func checkBody(in providers.Input, resp *http.Response, body []byte) *failure.Failure {
	switch {
	case !providers.IsJSON(providers.MediaType(resp.Header)):
		return nil
	case json.Valid(body) && 200 <= resp.StatusCode && resp.StatusCode <= 299:
		return errorInside(resp.StatusCode, body)
	case json.Valid(body):
		return nil
	case len(body) > 0:
		return providers.Malformed("the body is announced as JSON and is none: %s", providers.Excerpt(body))
	case bodiless(in, resp.StatusCode):
		return nil
	default:
		return providers.Malformed("the body is announced as JSON and is empty")
	}
}

// bodiless follows RFC 9110 §6.4.1: answers that have a head alone.
func bodiless(in providers.Input, status int) bool {
	return method(in) == http.MethodHead || status == http.StatusNoContent || status == http.StatusNotModified
}

func parseStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	var body bytes.Buffer
	source := io.TeeReader(providers.LimitBody(resp.Body), &body)
	next := byteChunks(source)
	if providers.MediaType(resp.Header) == providers.EventStream {
		next = eventChunks(source)
	}
	failed := readChunks(ctx, next, &out, sink)
	out.Body, out.Content = body.Bytes(), strings.Join(out.Chunks, "")
	out.Complete = failed == nil
	if failed == nil {
		failed = checkBody(providers.Input{}, resp, out.Body)
	}
	return out, failed
}

func readChunks(ctx context.Context, next func() (string, error), out *providers.Output, sink func(providers.Chunk) error) *failure.Failure {
	for {
		chunk, err := next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, providers.ErrCutEvent):
			return &failure.Failure{Kind: failure.StreamIncomplete, Message: err.Error()}
		case err != nil:
			return providers.StreamFailure(err, len(out.Chunks))
		}
		out.Chunks = append(out.Chunks, chunk)
		if sink == nil {
			continue
		}
		if err := sink(providers.Chunk{Content: chunk}); err != nil {
			return providers.Stopped(err)
		}
	}
}

func eventChunks(r io.Reader) func() (string, error) {
	events := providers.NewEventReader(r)
	return func() (string, error) {
		event, err := events.Next()
		return string(event.Data), err
	}
}

// byteChunks delivers what each read brings: on a recorded or scripted answer
// one part, on a live one whatever had arrived.
func byteChunks(r io.Reader) func() (string, error) {
	buf := make([]byte, 64<<10)
	var held error
	return func() (string, error) {
		for range 100 {
			if held != nil {
				return "", held
			}
			var n int
			if n, held = r.Read(buf); n > 0 {
				return string(buf[:n]), nil
			}
		}
		return "", io.ErrNoProgress
	}
}
