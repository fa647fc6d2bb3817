package ollama

import (
	"time"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// What a rendered answer says where a reply does not: fixed, so that equal
// replies are equal bytes.
const (
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
	return whole(200, out.Latency, last)
}

// completed gives every missing field its deterministic value.
func completed(in providers.Input, out providers.Output) providers.Output {
	out = chat.Filled(in, out)
	if out.FinishReason == "" || out.FinishReason == "tool_calls" {
		out.FinishReason = "stop"
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

func whole(status int, wait time.Duration, body any) wire.Response {
	return chat.Whole(status, "application/json; charset=utf-8", wait, body)
}
