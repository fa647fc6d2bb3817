package ollama

import (
	"context"
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

// dialect has no Refusal: what the server says is a text.
var dialect = chat.Dialect{
	Expected: "a chat completion was",
	Streamed: providers.NDJSON,
	Object:   readObject,
	Stream:   readStream,
}

func readObject(in providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var a answer
	if err := providers.DecodeObject(body, &a); err != nil {
		return out, providers.Malformed("the answer is no readable chat completion: %v: %s", err, providers.Excerpt(body))
	}
	switch {
	case a.failed():
		out.Complete = true
		text := providers.ErrorText(body)
		return out, chat.ErrorInside(errorKind(text, failure.HTTPStatus), out.StatusCode, 0, text)
	case a.Message == nil:
		return out, providers.Malformed("the answer has no message: %s", providers.Excerpt(body))
	case !a.Done:
		return out, providers.Malformed("the answer is not done: %s", providers.Excerpt(body))
	}
	r := newReader(in, out, func(providers.Chunk) error { return nil })
	failed := r.take(a)
	out = r.result(failed == nil)
	out.Chunks = nil
	return out, failed
}

// failed says that the answer is an error. An empty or null one is none.
func (a answer) failed() bool {
	return len(a.Error) > 0 && string(a.Error) != "null" && string(a.Error) != `""`
}
