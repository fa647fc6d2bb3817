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
	if resp != nil && providers.MediaType(resp.Header) == providers.AmazonStream {
		return amazonDialect.Parse(ctx, in, resp, err, now, sink)
	}
	return dialect.Parse(ctx, in, resp, err, now, sink)
}

var dialect = chat.Dialect{
	Expected: "a message was",
	Streamed: providers.EventStream,
	Refusal:  refusal,
	Object:   readMessage,
	Stream:   readStream,
}

// amazonDialect is how Bedrock streams.
var amazonDialect = chat.Dialect{
	Expected: "a message was",
	Streamed: providers.AmazonStream,
	Unread: map[string]string{
		providers.AmazonStream: "the answer is a stream in Amazon's encoding where one message was expected: ask for it with stream = true",
	},
	Refusal: refusal,
	Object:  readMessage,
	Stream:  readAmazonStream,
}

func refusal(body []byte) chat.Refusal {
	var vendor errorBody
	if providers.DecodeJSON(body, &vendor) != nil || vendor.Error.Message == "" {
		return chat.Refusal{}
	}
	return chat.Refusal{Text: vendor.Error.text()}
}

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
