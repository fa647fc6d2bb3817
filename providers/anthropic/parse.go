package anthropic

import (
	"context"
	"net/http"
	"strings"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Parse reads a message, plain or streamed, or says why there is none.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return dialect.Parse(ctx, in, resp, err, now, sink)
}

var dialect = chat.Dialect{
	Expected: "a message was",
	Streamed: providers.EventStream,
	Unread: map[string]string{
		eventStreamAWS: "the answer is in Amazon's binary event stream encoding, which is not read: ask for it without streaming",
	},
	Refusal: refusal,
	Object:  readMessage,
	Stream:  readStream,
}

func refusal(body []byte) chat.Refusal {
	var vendor errorBody
	if providers.DecodeJSON(body, &vendor) != nil || vendor.Error.Message == "" {
		return chat.Refusal{}
	}
	return chat.Refusal{Text: vendor.Error.text()}
}

// eventStreamAWS is Bedrock's binary encoding of a stream.
const eventStreamAWS = "application/vnd.amazon.eventstream"

func readMessage(in providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var a answer
	if err := providers.DecodeObject(body, &a); err != nil {
		return out, providers.Malformed("the answer is no readable message: %v: %s", err, providers.Excerpt(body))
	}
	switch {
	case a.Error != nil:
		out.Complete = true
		return out, chat.ErrorInside(a.Error.kind(failure.HTTPStatus), out.StatusCode, a.Error.stands(), a.Error.text())
	case a.Content == nil:
		return out, providers.Malformed("the answer is no message, it has no content: %s", providers.Excerpt(body))
	}
	out = plainOutput(out, a, in.ThoughtOf(format))
	out.Complete = true
	return out, nil
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
