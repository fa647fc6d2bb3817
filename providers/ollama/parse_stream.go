package ollama

import (
	"context"
	"io"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// A reader puts an answer together, line by line; a plain one is a single line.
type reader struct {
	chat.Answer
	in providers.Input
}

func newReader(in providers.Input, out providers.Output, sink func(providers.Chunk) error) *reader {
	return &reader{Answer: chat.Answer{Out: out, Sink: sink}, in: in}
}

// readStream returns at the line that is done, without waiting for the end of the
// body, or with the failure that came first.
func readStream(ctx context.Context, in providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := newReader(in, out, sink)
	lines := providers.NewLineReader(providers.LimitBody(resp.Body))
	for {
		line, ended, err := lines.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		switch {
		case err == io.EOF:
			return r.result(false), chat.Incomplete("the stream ended before a line that is done")
		case err != nil:
			return r.result(false), providers.StreamFailure(err, r.Deltas)
		}
		if done, failed := r.line(line, ended); done || failed != nil {
			return r.result(failed == nil), failed
		}
	}
}

// line reads one line. One that cannot be read is cut where it has no end.
func (r *reader) line(line []byte, ended bool) (done bool, failed *failure.Failure) {
	var a answer
	err := providers.DecodeObject(line, &a)
	switch {
	case err != nil && !ended:
		return false, chat.Incomplete("the stream ended inside a line, before one that is done")
	case err != nil:
		return false, providers.Malformed("a line of the stream is not readable: %v: %s", err, providers.Excerpt(line))
	case a.failed():
		text := providers.ErrorText(line)
		return false, chat.ErrorEvent(errorKind(text, failure.StreamInterrupted), text)
	case a.Message == nil && !a.Done:
		return false, providers.Malformed("a line of the stream has no message and is not done: %s", providers.Excerpt(line))
	}
	return a.Done, r.take(a)
}

func (r *reader) take(a answer) *failure.Failure {
	if r.Out.Model == "" {
		r.Out.Model = a.Model
	}
	if a.Done {
		r.Out.FinishReason, r.Out.Usage = a.DoneReason, a.usage()
	}
	if a.Message == nil {
		return nil
	}
	r.Think(a.Message.Thinking)
	for _, c := range a.Message.ToolCalls {
		r.Deltas++
		if len(r.Out.ToolCalls) == chat.CallsMax {
			return providers.Malformed("the answer has more than %d tool calls", chat.CallsMax)
		}
		r.Out.ToolCalls = append(r.Out.ToolCalls, providers.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	return r.Say(a.Message.Content)
}

func (r *reader) result(complete bool) providers.Output {
	out := r.Output(complete)
	out.Thoughts = chat.TextThoughts(r.in, thoughtFormat, out.Reasoning)
	return out
}
