package anthropic

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// Parse reads a message, plain or streamed, or says why there is none
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
		return parseStream(ctx, in, resp, out, sink)
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
	detail := ""
	if providers.DecodeJSON(body, &vendor) == nil && vendor.Error.Message != "" {
		detail = vendor.Error.text()
	} else {
		detail = providers.ErrorText(body)
	}
	return out, providers.StatusFailure(resp, detail, now)
}

func parsePlain(in providers.Input, resp *http.Response, out providers.Output, media string, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	body, err := providers.ReadBody(resp)
	out.Body = body
	if err != nil {
		return out, providers.TransportFailure(err)
	}
	answer, failed := readAnswer(body, media)
	if failed != nil {
		return out, failed
	}
	if answer.Error != nil {
		out.Complete = true
		return out, errorInside(*answer.Error, resp.StatusCode)
	}
	if answer.Content == nil {
		return out, providers.Malformed("the answer is no message, it has no content: %s", providers.Excerpt(body))
	}
	out = plainOutput(out, answer, in.ThoughtOf(format))
	if in.Stream && out.Content != "" {
		out.Chunks = []string{out.Content}
		if err := sink(providers.Chunk{Content: out.Content}); err != nil {
			return out, providers.Stopped(err)
		}
	}
	out.Complete = true
	return out, nil
}

// eventStreamAWS is Bedrock's binary encoding of a stream.
const eventStreamAWS = "application/vnd.amazon.eventstream"

func readAnswer(body []byte, media string) (answer, *failure.Failure) {
	var a answer
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return a, providers.Malformed("the answer is empty where a message was expected")
	case media == eventStreamAWS:
		return a, providers.Malformed("the answer is in Amazon's binary event stream encoding, which is not read: ask for it without streaming")
	case !providers.IsJSON(media):
		return a, providers.Malformed("the answer's content type is %q where application/json was expected: %s", media, providers.Excerpt(body))
	}
	if err := providers.DecodeObject(body, &a); err != nil {
		return a, providers.Malformed("the answer is no readable message: %v: %s", err, providers.Excerpt(body))
	}
	return a, nil
}

// An answer is a message as it is read, or an error in its place.
type answer struct {
	ID         string    `json:"id"`
	Model      string    `json:"model"`
	Content    []block   `json:"content"`
	StopReason string    `json:"stop_reason"`
	Usage      usage     `json:"usage"`
	Error      *apiError `json:"error"`
}

func plainOutput(out providers.Output, a answer, of string) providers.Output {
	out.ID, out.Model, out.FinishReason, out.Usage = a.ID, a.Model, a.StopReason, a.Usage.value()
	var content, reasoning strings.Builder
	for _, b := range a.Content {
		content.WriteString(b.text)
		reasoning.WriteString(b.thinking)
		out.Thoughts = appendThought(out.Thoughts, of, b.thinking, b.signature, b.redacted)
		if b.call != nil {
			out.ToolCalls = append(out.ToolCalls, *b.call)
		}
	}
	out.Content, out.Reasoning = content.String(), reasoning.String()
	return out
}
