package gemini

import (
	"context"
	"net/http"
	"time"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Parse reads an answer, plain or streamed, or says why there is none.
func (Adapter) Parse(ctx context.Context, in providers.Input, resp *http.Response, err error, now func() time.Time, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	return dialect.Parse(ctx, in, resp, err, now, sink)
}

var dialect = chat.Dialect{
	Expected: "candidates were",
	Streamed: providers.EventStream,
	Refusal:  refusal,
	Object:   readAnswer,
	Stream:   readStream,
}

func refusal(body []byte) chat.Refusal {
	var vendor errorBody
	if providers.DecodeJSON(body, &vendor) != nil || vendor.Error.Message == "" {
		return chat.Refusal{}
	}
	r := chat.Refusal{Text: vendor.Error.text()}
	r.RetryAfter, r.HasRetryAfter = vendor.Error.retryAfter()
	return r
}

func readAnswer(_ providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var a answer
	if err := providers.DecodeObject(body, &a); err != nil {
		return out, providers.Malformed("the answer is not readable: %v: %s", err, providers.Excerpt(body))
	}
	if a.Error != nil {
		out.Complete = true
		return out, a.Error.observed(chat.ErrorInside(a.Error.kind(failure.HTTPStatus), out.StatusCode, a.Error.stands(), a.Error.text()))
	}
	if c, ok := a.candidate(); a.finish() == "" && (!ok || c.Content == nil) {
		return out, providers.Malformed("the answer has neither candidates[0].content nor a reason for having none: %s", providers.Excerpt(body))
	}
	out = plainOutput(out, a)
	out.Complete = true
	return out, nil
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
