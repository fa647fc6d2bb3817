package ollama

import (
	"context"
	"io"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

// callsMax bounds how many tool calls one answer may have.
const callsMax = 4096

// A reader puts an answer together, line by line; a plain one is a single line.
type reader struct {
	in        providers.Input
	out       providers.Output
	content   strings.Builder
	reasoning strings.Builder
	// deltas counts what the model said: content, thinking, tool calls. Once
	// there is one, a broken connection is an interrupted stream.
	deltas int
	// sink may be nil.
	sink func(providers.Chunk) error
}

// stream returns at the line that is done, without waiting for the end of the
// body, or with the failure that came first.
func (r *reader) stream(ctx context.Context, body io.Reader) (providers.Output, *failure.Failure) {
	lines := providers.NewLineReader(providers.LimitBody(body))
	for {
		line, ended, err := lines.Next()
		if err == nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		switch {
		case err == io.EOF:
			return r.result(false), incomplete("the stream ended before a line that is done")
		case err != nil:
			return r.result(false), providers.StreamFailure(err, r.deltas)
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
		return false, incomplete("the stream ended inside a line, before one that is done")
	case err != nil:
		return false, providers.Malformed("a line of the stream is not readable: %v: %s", err, providers.Excerpt(line))
	case a.failed():
		text := providers.ErrorText(line)
		return false, &failure.Failure{Kind: errorKind(text, failure.StreamInterrupted), Message: "the stream reported an error: " + text}
	case a.Message == nil && !a.Done:
		return false, providers.Malformed("a line of the stream has no message and is not done: %s", providers.Excerpt(line))
	}
	return a.Done, r.take(a)
}

func incomplete(message string) *failure.Failure {
	return &failure.Failure{Kind: failure.StreamIncomplete, Message: message}
}

func (r *reader) take(a answer) *failure.Failure {
	if r.out.Model == "" {
		r.out.Model = a.Model
	}
	if a.Done {
		r.out.FinishReason, r.out.Usage = a.DoneReason, a.usage()
	}
	if a.Message == nil {
		return nil
	}
	if a.Message.Thinking != "" {
		r.deltas++
		r.reasoning.WriteString(a.Message.Thinking)
	}
	for _, c := range a.Message.ToolCalls {
		r.deltas++
		if len(r.out.ToolCalls) == callsMax {
			return providers.Malformed("the answer has more than %d tool calls", callsMax)
		}
		r.out.ToolCalls = append(r.out.ToolCalls, providers.ToolCall{ID: c.ID, Name: c.Function.Name, Arguments: string(c.Function.Arguments)})
	}
	if a.Message.Content == "" {
		return nil
	}
	return r.chunk(a.Message.Content)
}

func (r *reader) chunk(text string) *failure.Failure {
	r.deltas++
	r.content.WriteString(text)
	r.out.Chunks = append(r.out.Chunks, text)
	if r.sink == nil {
		return nil
	}
	if err := r.sink(providers.Chunk{Content: text}); err != nil {
		return providers.Stopped(err)
	}
	return nil
}

func (r *reader) result(complete bool) providers.Output {
	r.out.Content = r.content.String()
	r.out.Reasoning = r.reasoning.String()
	r.out.Thoughts = thoughts(r.in, r.out.Reasoning)
	r.out.Complete = complete
	return r.out
}
