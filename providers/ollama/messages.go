package ollama

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// The types of this file are the interface's own objects, in the order of
// fields in which the server writes them.

type chatRequest struct {
	Model    string              `json:"model,omitempty"`
	Messages []message           `json:"messages"`
	Tools    []chat.FunctionTool `json:"tools,omitempty"`
	Format   any                 `json:"format,omitempty"`
	Options  *options            `json:"options,omitempty"`
	// Stream is always said: the server streams what does not ask for it.
	Stream bool `json:"stream"`
}

type options struct {
	Temperature *float64 `json:"temperature,omitempty"`
	NumPredict  *int     `json:"num_predict,omitempty"`
}

// A message is one turn, asked or answered.
type message struct {
	Role       string     `json:"role"`
	Content    string     `json:"content"`
	Thinking   string     `json:"thinking,omitempty"`
	ToolCalls  []toolCall `json:"tool_calls,omitempty"`
	ToolName   string     `json:"tool_name,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

// A toolCall has an id only at servers that are new enough.
type toolCall struct {
	ID       string       `json:"id,omitempty"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string    `json:"name"`
	Arguments arguments `json:"arguments"`
}

// arguments are an object on the wire, and JSON text to the engine. Text that
// is no object goes over the wire as a string, none at all as an empty object.
type arguments string

// MarshalJSON writes the object that the text is.
func (a arguments) MarshalJSON() ([]byte, error) {
	return chat.ArgumentsObject(string(a)), nil
}

// UnmarshalJSON keeps the value's text.
func (a *arguments) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return providers.DecodeJSON(data, (*string)(a))
	}
	*a = arguments(data)
	return nil
}

// An answer is a whole one, or one line of a stream, whose last line alone has
// what follows done. Durations are in nanoseconds.
type answer struct {
	Model              string          `json:"model"`
	CreatedAt          string          `json:"created_at"`
	Message            *message        `json:"message,omitempty"`
	Done               bool            `json:"done"`
	DoneReason         string          `json:"done_reason,omitempty"`
	TotalDuration      int64           `json:"total_duration,omitempty"`
	LoadDuration       int64           `json:"load_duration,omitempty"`
	PromptEvalCount    *int            `json:"prompt_eval_count,omitempty"`
	PromptEvalDuration int64           `json:"prompt_eval_duration,omitempty"`
	EvalCount          *int            `json:"eval_count,omitempty"`
	EvalDuration       int64           `json:"eval_duration,omitempty"`
	Error              json.RawMessage `json:"error,omitempty"`
}

// usage is what the answer counts. A server leaves a count of zero out, such as
// that of a prompt it has in its cache.
func (a answer) usage() providers.Usage {
	if a.PromptEvalCount == nil && a.EvalCount == nil {
		return providers.Usage{}
	}
	u := providers.Usage{Set: true, Prompt: chat.Tokens(a.PromptEvalCount), Completion: chat.Tokens(a.EvalCount)}
	u.Total = u.Prompt + u.Completion
	return u
}

// newIDs numbers calls that have no id, from 1.
func newIDs() *providers.CallIDs { return &providers.CallIDs{Prefix: "call_"} }

func calls(list []providers.ToolCall, ids *providers.CallIDs) []toolCall {
	var wired []toolCall
	for i, id := range ids.Calls(list) {
		c := list[i]
		wired = append(wired, toolCall{ID: id, Function: functionCall{Name: c.Name, Arguments: arguments(c.Arguments)}})
	}
	return wired
}
