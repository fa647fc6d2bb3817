package ollama

import (
	"strings"
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
	defaultModel = "scenario"
	// createdAt is where virtual time begins.
	createdAt = "2000-01-01T00:00:00Z"
	// phase is how long loading, reading and answering are said to have taken,
	// each: clients divide by it.
	phase = int64(time.Millisecond)
)

// Render lays a reply out as the server answers it: one JSON object, or for a
// stream a line for the thinking, one per delta of content, one per tool call
// and the last, which is done. A stream of content without chunks is cut after
// each word. Usage that the reply does not give is an estimate
// ([providers.EstimateUsage]). The finish reason is "stop", also for
// "tool_calls", which this interface has no word for.
func (Adapter) Render(in providers.Input, out providers.Output) wire.Response {
	out = completed(in, out)
	last := ending(out)
	if in.Stream {
		return renderStream(out, last)
	}
	last.Message = &message{Role: "assistant", Content: out.Content, Thinking: out.Reasoning, ToolCalls: calls(out.ToolCalls, newIDs())}
	return jsonAnswer(200, out.Latency, last)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	switch {
	case out.Chunks != nil:
		out.Content = strings.Join(out.Chunks, "")
	case in.Stream:
		out.Chunks = providers.SplitWords(out.Content)
	}
	if out.FinishReason == "" || out.FinishReason == "tool_calls" {
		out.FinishReason = "stop"
	}
	if out.Model == "" {
		out.Model = in.Model
	}
	if out.Model == "" {
		out.Model = defaultModel
	}
	if !out.Usage.Set {
		out.Usage = providers.EstimateUsage(in, out)
	}
	return out
}

// ending is an answer that is done, without its message.
func ending(out providers.Output) answer {
	return answer{
		Model: out.Model, CreatedAt: createdAt, Done: true, DoneReason: out.FinishReason,
		TotalDuration: 3 * phase, LoadDuration: phase,
		PromptEvalCount: &out.Usage.Prompt, PromptEvalDuration: phase,
		EvalCount: &out.Usage.Completion, EvalDuration: phase,
	}
}

func jsonAnswer(status int, wait time.Duration, body any) wire.Response {
	return wire.Response{
		Status: status,
		Header: []wire.Field{{Name: "Content-Type", Value: "application/json; charset=utf-8"}},
		Wait:   wait,
		Parts:  []wire.Part{{Data: mustEncode(body)}},
	}
}

// mustEncode encodes this package's own objects, which hold nothing that JSON
// cannot say.
func mustEncode(v any) []byte {
	data, err := providers.EncodeJSON(v)
	if err != nil {
		return []byte("null")
	}
	return data
}
