package gemini

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads an answer, plain or streamed, or says why there is none
// (semantics.md §3). A streamed request that was answered by one JSON object is
// read as that; the whole content is then the only delta.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	if resp == nil {
		return providers.Output{}, providers.TransportFailure(providers.NoResponse(err))
	}
	defer resp.Body.Close()
	out := providers.Output{StatusCode: resp.StatusCode, Headers: resp.Header}
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	if sink == nil {
		sink = func(providers.Chunk) error { return nil }
	}
	media := providers.MediaType(resp.Header)
	switch {
	case resp.StatusCode < 200 || resp.StatusCode > 299:
		return refused(resp, out, now)
	case in.Stream && media == providers.EventStream && resp.ContentLength != 0:
		return parseStream(ctx, resp, out, sink)
	default:
		return parsePlain(in, resp, out, media, sink)
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
	var vendor errorBody
	if providers.DecodeJSON(body, &vendor) != nil || vendor.Error.Message == "" {
		return out, providers.StatusFailure(resp, providers.ErrorText(body), now)
	}
	f := providers.StatusFailure(resp, vendor.Error.text(), now)
	if !f.HasRetryAfter {
		f.RetryAfter, f.HasRetryAfter = vendor.Error.retryAfter()
	}
	return out, f
}

func parsePlain(in providers.Input, resp *http.Response, out providers.Output, media string, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	a, failed := readAnswer(body, media)
	if failed != nil {
		return out, failed
	}
	if a.Error != nil {
		out.Complete = true
		return out, a.Error.observed(failure.HTTPStatus, resp.StatusCode, fmt.Sprintf("HTTP %d with an error inside", resp.StatusCode))
	}
	if c, ok := a.candidate(); a.finish() == "" && (!ok || c.Content == nil) {
		return out, providers.Malformed("the answer has neither candidates[0].content nor a reason for having none: %s", providers.Excerpt(body))
	}
	out = plainOutput(out, a)
	if in.Stream && out.Content != "" {
		out.Chunks = []string{out.Content}
		if err := sink(providers.Chunk{Content: out.Content}); err != nil {
			return out, providers.Stopped(err)
		}
	}
	out.Complete = true
	return out, nil
}

func readAnswer(body []byte, media string) (answer, *failure.Failure) {
	var a answer
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return a, providers.Malformed("the answer is empty where candidates were expected")
	case !providers.IsJSON(media):
		return a, providers.Malformed("the answer's content type is %q where application/json was expected: %s", media, providers.Excerpt(body))
	}
	if err := providers.DecodeObject(body, &a); err != nil {
		return a, providers.Malformed("the answer is not readable: %v: %s", err, providers.Excerpt(body))
	}
	return a, nil
}

func plainOutput(out providers.Output, a answer) providers.Output {
	s := a.says()
	out.ID, out.Model, out.FinishReason = a.ResponseID, a.ModelVersion, a.finish()
	out.Content, out.Reasoning, out.ToolCalls = s.text, s.thought, s.calls
	if a.Usage != nil {
		out.Usage = a.Usage.value()
	}
	return out
}
