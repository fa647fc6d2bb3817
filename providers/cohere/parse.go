package cohere

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Parse reads a chat completion, plain or streamed, or says why there is none.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return dialect.Parse(ctx, in, resp, err, now, sink)
}

// dialect has no Refusal: what the service says of an error is a text.
var dialect = chat.Dialect{
	Expected: "a chat completion was",
	Streamed: providers.EventStream,
	Object:   readObject,
	Stream:   readStream,
}

func readObject(in providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var said struct {
		Message string          `json:"message"`
		Error   json.RawMessage `json:"error"`
	}
	if err := providers.DecodeObject(body, &said); err == nil && (said.Message != "" || len(said.Error) > 0 && string(said.Error) != "null") {
		out.Complete = true
		text := providers.ErrorText(body)
		return out, chat.ErrorInside(errorKind(text, failure.HTTPStatus), out.StatusCode, 0, text)
	}
	var a answer
	switch err := providers.DecodeObject(body, &a); {
	case err != nil:
		return out, providers.Malformed("the answer is no readable chat completion: %v: %s", err, providers.Excerpt(body))
	case a.Message == nil:
		return out, providers.Malformed("the answer has no message: %s", providers.Excerpt(body))
	case a.FinishReason == "":
		return out, providers.Malformed("the answer has no finish_reason: %s", providers.Excerpt(body))
	}
	r := newReader(in, out, func(providers.Chunk) error { return nil })
	r.Out.ID, r.Out.FinishReason, r.Out.Usage = a.ID, a.FinishReason, a.Usage.value()
	failed := r.Say(a.Message.ToolPlan)
	if failed == nil {
		failed = r.parts(a.Message.Content)
	}
	for i, c := range a.Message.ToolCalls {
		if failed == nil {
			failed = r.begin(i, c)
		}
	}
	if failed == nil {
		failed = r.ended()
	}
	out = r.result(failed == nil)
	out.Chunks = nil
	return out, failed
}

// A reader puts an answer together.
type reader struct {
	chat.Answer
	in    providers.Input
	calls map[int]int // the places of calls, by their index
}

func newReader(in providers.Input, out providers.Output, sink func(providers.Chunk) error) *reader {
	return &reader{Answer: chat.Answer{Out: out, Sink: sink}, in: in, calls: map[int]int{}}
}

// parts adds pieces of content.
func (r *reader) parts(list []part) *failure.Failure {
	for _, p := range list {
		if p.Thinking != nil {
			r.Think(*p.Thinking)
		}
		if p.Text == nil {
			continue
		}
		if failed := r.Say(*p.Text); failed != nil {
			return failed
		}
	}
	return nil
}

// begin adds a call of a tool.
func (r *reader) begin(index int, c toolCall) *failure.Failure {
	r.Deltas++
	if len(r.Out.ToolCalls) == chat.CallsMax {
		return providers.Malformed("the answer has more than %d tool calls", chat.CallsMax)
	}
	r.calls[index] = len(r.Out.ToolCalls)
	r.Out.ToolCalls = append(r.Out.ToolCalls, providers.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: c.Function.Arguments})
	return nil
}

// ended says what the reason of an answer's end says.
func (r *reader) ended() *failure.Failure {
	if r.Out.FinishReason == "ERROR" {
		return chat.ErrorEvent(failure.HTTPStatus, "the generation failed: finish_reason is ERROR")
	}
	return nil
}

func (r *reader) result(complete bool) providers.Output {
	out := r.Output(complete)
	out.Thoughts = chat.TextThoughts(r.in, thoughtFormat, out.Reasoning)
	return out
}
