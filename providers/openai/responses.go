package openai

import (
	"context"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Responses is the adapter of the Responses API. The zero value is ready.
//
// The API has no finish reason. What stands for it is the response's status,
// "completed" whether or not tools are called, or for an incomplete one the
// reason it gives: "max_output_tokens", "content_filter". Tools that ran at the
// vendor, such as a web search, are no tool calls.
type Responses struct{}

var (
	_ providers.Adapter = Responses{}
	_ providers.Reader  = Responses{}
)

// Request asks for one response. It carries the whole conversation, and relies
// on nothing that the vendor may have kept of earlier turns.
func (Responses) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	return post(ctx, in, responsesRequestBody(in), "responses")
}

// Parse reads a response, plain or streamed, or says why there is none; see
// [Adapter.Parse]. A response that the vendor has yet to work on is a protocol
// error, because nothing here asks for it again.
func (Responses) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	out, failed := responses.Parse(ctx, in, resp, err, now, sink)
	return ofService(in, out), failed
}

var responses = chat.Dialect{
	Expected: "a completion was",
	Streamed: providers.EventStream,
	Refusal:  refusal,
	Object:   readResponse,
	Stream:   readResponseStream,
}
