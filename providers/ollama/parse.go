package ollama

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads a chat completion, plain or streamed, or says why there is none
// (semantics.md §3). A streamed request that was answered by one JSON object is
// read as that; the whole content is then the only delta.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	r := &reader{in: in, out: providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}, sink: sink}
	if err != nil {
		return r.out, providers.TransportFailure(err)
	}
	media := providers.MediaType(resp.Header)
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return refused(resp, r.out, now)
	case in.Stream && media == providers.NDJSON && resp.ContentLength != 0:
		return r.stream(ctx, resp.Body)
	default:
		return r.plain(resp, media, in.Stream)
	}
}

// refused reads an answer whose status is no success.
func refused(resp *http.Response, out providers.Output, now func() time.Time) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	out.Complete = true
	return out, providers.StatusFailure(resp, providers.ErrorText(body), now)
}

func (r *reader) plain(resp *http.Response, media string, streamed bool) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	r.out.Body = body
	switch {
	case err != nil:
		return r.out, providers.TransportFailure(err)
	case len(bytes.TrimSpace(body)) == 0:
		return r.out, providers.Malformed("the answer is empty where a chat completion was expected")
	case !providers.IsJSON(media):
		return r.out, providers.Malformed("the answer's content type is %q where application/json was expected: %s", media, providers.Excerpt(body))
	}
	var a answer
	if err := providers.DecodeObject(body, &a); err != nil {
		return r.out, providers.Malformed("the answer is no readable chat completion: %v: %s", err, providers.Excerpt(body))
	}
	switch {
	case a.failed():
		r.out.Complete = true
		text := providers.ErrorText(body)
		return r.out, &failure.Failure{
			Kind: errorKind(text, failure.HTTPStatus), StatusCode: resp.StatusCode,
			Message: fmt.Sprintf("HTTP %d with an error inside: %s", resp.StatusCode, text),
		}
	case a.Message == nil:
		return r.out, providers.Malformed("the answer has no message: %s", providers.Excerpt(body))
	case !a.Done:
		return r.out, providers.Malformed("the answer is not done: %s", providers.Excerpt(body))
	}
	if !streamed {
		r.sink = nil
	}
	failed := r.take(a)
	if !streamed {
		r.out.Chunks = nil
	}
	return r.result(failed == nil), failed
}

// failed says that the answer is an error. An empty or null one is none.
func (a answer) failed() bool {
	return len(a.Error) > 0 && string(a.Error) != "null" && string(a.Error) != `""`
}
