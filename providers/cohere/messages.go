package cohere

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// The types of this file are the interface's own objects, as its reference has them
// (https://docs.cohere.com/v2/reference/chat).

type chatRequest struct {
	Stream         bool                `json:"stream"`
	Model          string              `json:"model,omitempty"`
	Messages       []turn              `json:"messages"`
	Tools          []chat.FunctionTool `json:"tools,omitempty"`
	ResponseFormat any                 `json:"response_format,omitempty"`
	MaxTokens      *int                `json:"max_tokens,omitempty"`
	Temperature    *float64            `json:"temperature,omitempty"`
}

// A turn is one that is asked. Content is a string, or a list of parts for a turn
// that has thoughts; what a turn that calls tools says is its plan.
type turn struct {
	Role       string     `json:"role"`
	ToolPlan   string     `json:"tool_plan,omitempty"`
	Content    any        `json:"content,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// A part is a piece of content: a text, or what the model thought.
type part struct {
	Type     string  `json:"type"`
	Text     *string `json:"text,omitempty"`
	Thinking *string `json:"thinking,omitempty"`
}

func textPart(text string) part { return part{Type: "text", Text: &text} }

func thinkingPart(text string) part { return part{Type: "thinking", Thinking: &text} }

type toolCall struct {
	ID       string       `json:"id"`
	Type     string       `json:"type"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// An answer is one in one piece.
type answer struct {
	ID           string   `json:"id"`
	FinishReason string   `json:"finish_reason"`
	Message      *message `json:"message"`
	Usage        *usage   `json:"usage,omitempty"`
}

type message struct {
	Role      string     `json:"role"`
	ToolPlan  string     `json:"tool_plan,omitempty"`
	ToolCalls []toolCall `json:"tool_calls,omitempty"`
	Content   []part     `json:"content,omitempty"`
}

// A usage counts what is paid for, and the tokens that the model read and wrote.
type usage struct {
	BilledUnits *units   `json:"billed_units,omitempty"`
	Tokens      *units   `json:"tokens,omitempty"`
	Cached      *float64 `json:"cached_tokens,omitempty"`
}

// units are numbers with a fraction in the vendor's reference, and whole ones in its
// answers.
type units struct {
	Input  float64 `json:"input_tokens"`
	Output float64 `json:"output_tokens"`
}

func (u *usage) value() providers.Usage {
	if u == nil {
		return providers.Usage{}
	}
	n := u.Tokens
	if n == nil {
		n = u.BilledUnits
	}
	if n == nil {
		return providers.Usage{}
	}
	out := providers.Usage{Set: true, Prompt: count(n.Input), Completion: count(n.Output)}
	if u.Cached != nil {
		out.Cached = count(*u.Cached)
	}
	out.Total = out.Prompt + out.Completion
	return out
}

func count(n float64) int {
	if !(n > 0) || n > 1<<31 {
		return 0
	}
	return int(n)
}

// An event is one of a stream. Delta is an object, whose shape is the event's.
type event struct {
	Type  string          `json:"type"`
	ID    string          `json:"id,omitempty"`
	Index *int            `json:"index,omitempty"`
	Delta json.RawMessage `json:"delta,omitempty"`
}

// A delta is what is read of those of all events.
type delta struct {
	Message *struct {
		Content   oneOrMore[part]     `json:"content"`
		ToolPlan  string              `json:"tool_plan"`
		ToolCalls oneOrMore[toolCall] `json:"tool_calls"`
	} `json:"message"`
	Error        json.RawMessage `json:"error"`
	FinishReason string          `json:"finish_reason"`
	Usage        *usage          `json:"usage"`
}

// oneOrMore is what a delta has one of, or, where a message begins, a list.
type oneOrMore[T any] []T

// UnmarshalJSON reads one or a list of them.
func (p *oneOrMore[T]) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return providers.DecodeJSON(data, (*[]T)(p))
	}
	var one T
	err := providers.DecodeJSON(data, &one)
	*p = oneOrMore[T]{one}
	return err
}

// newIDs numbers calls that have no id, from 1.
func newIDs() *providers.CallIDs { return &providers.CallIDs{Prefix: "call_"} }

func wired(list []providers.ToolCall, ids *providers.CallIDs) []toolCall {
	var out []toolCall
	for i, id := range ids.Calls(list) {
		out = append(out, toolCall{ID: id, Type: "function", Function: functionCall{Name: list[i].Name, Arguments: list[i].Arguments}})
	}
	return out
}
