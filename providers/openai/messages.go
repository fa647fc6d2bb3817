package openai

import (
	"encoding/json"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// The types of this file are the API's own objects, in the order of fields in
// which the vendor writes them.

type chatRequest struct {
	Model          string              `json:"model,omitempty"`
	Messages       []message           `json:"messages"`
	Tools          []chat.FunctionTool `json:"tools,omitempty"`
	Temperature    *float64            `json:"temperature,omitempty"`
	MaxTokens      *int                `json:"max_tokens,omitempty"`
	ResponseFormat any                 `json:"response_format,omitempty"`
	Stream         bool                `json:"stream,omitempty"`
	StreamOptions  *streamOptions      `json:"stream_options,omitempty"`
}

type streamOptions struct {
	IncludeUsage bool `json:"include_usage"`
}

// A message is one turn, asked or answered. Content is null only beside tool
// calls; a refusal stands in its place. The other texts are of hosts that show
// a model's reasoning.
type message struct {
	Role             string          `json:"role"`
	Content          *content        `json:"content"`
	Refusal          string          `json:"refusal,omitempty"`
	Reasoning        string          `json:"reasoning,omitempty"`
	ReasoningContent string          `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCalls        []toolCall      `json:"tool_calls,omitempty"`
	ToolCallID       string          `json:"tool_call_id,omitempty"`
}

// A toolCall has an index in a stream alone.
type toolCall struct {
	Index    *int         `json:"index,omitempty"`
	ID       string       `json:"id,omitempty"`
	Type     string       `json:"type,omitempty"`
	Function functionCall `json:"function"`
}

type functionCall struct {
	Name      string `json:"name,omitempty"`
	Arguments string `json:"arguments"`
}

// A completion is what is read of one, or of an event of its stream.
type completion struct {
	ID      string    `json:"id"`
	Model   string    `json:"model"`
	Choices []choice  `json:"choices"`
	Usage   *usage    `json:"usage"`
	Error   *apiError `json:"error"`
}

// A rendered completion is one as it is written.
type rendered struct {
	ID      string   `json:"id"`
	Object  string   `json:"object"`
	Created int64    `json:"created"`
	Model   string   `json:"model"`
	Choices []choice `json:"choices"`
	Usage   *usage   `json:"usage,omitempty"`
}

type choice struct {
	Index        int      `json:"index"`
	Message      *message `json:"message,omitempty"`
	Delta        *delta   `json:"delta,omitempty"`
	FinishReason *string  `json:"finish_reason"`
}

type delta struct {
	Role             string          `json:"role,omitempty"`
	Content          *content        `json:"content,omitempty"`
	Refusal          string          `json:"refusal,omitempty"`
	Reasoning        string          `json:"reasoning,omitempty"`
	ReasoningContent string          `json:"reasoning_content,omitempty"`
	ReasoningDetails json.RawMessage `json:"reasoning_details,omitempty"`
	ToolCalls        []toolCall      `json:"tool_calls,omitempty"`
}

// A textDelta is a delta that has nothing but text.
type textDelta struct {
	Content string `json:"content"`
}

// text is what the delta adds to the content.
func (d *delta) text() string { return d.Content.text() + d.Refusal }

type usage struct {
	PromptTokens      int                `json:"prompt_tokens"`
	CompletionTokens  int                `json:"completion_tokens"`
	TotalTokens       int                `json:"total_tokens"`
	PromptDetails     *promptDetails     `json:"prompt_tokens_details,omitempty"`
	CompletionDetails *completionDetails `json:"completion_tokens_details,omitempty"`
}

type promptDetails struct {
	CachedTokens int `json:"cached_tokens"`
}

type completionDetails struct {
	ReasoningTokens int `json:"reasoning_tokens"`
}

type errorBody struct {
	Error apiError `json:"error"`
}

// An apiError is the vendor's error object. Code is a string at OpenAI and the
// HTTP status at some compatible hosts; others send the message alone, as a
// string in place of the object.
type apiError struct {
	Message string          `json:"message"`
	Type    string          `json:"type"`
	Param   any             `json:"param"`
	Code    json.RawMessage `json:"code"`
}

func (e *apiError) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '"' {
		return providers.DecodeJSON(data, &e.Message)
	}
	type object apiError
	return providers.DecodeJSON(data, (*object)(e))
}
