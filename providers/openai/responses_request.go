package openai

import (
	"encoding/json"
	"maps"

	"github.com/scenario-lang/scenario/providers"
)

// A responsesRequest asks for no reasoning.encrypted_content: models that do
// not reason answer a request that does with a 400.
type responsesRequest struct {
	Model           string          `json:"model,omitempty"`
	Input           []any           `json:"input"`
	Tools           []responsesTool `json:"tools,omitempty"`
	Temperature     *float64        `json:"temperature,omitempty"`
	MaxOutputTokens *int            `json:"max_output_tokens,omitempty"`
	Text            *textOptions    `json:"text,omitempty"`
	Stream          bool            `json:"stream,omitempty"`
}

// The items of an input: a message, a call that the model asked for, and a
// tool's answer to it.
type (
	inputMessage struct {
		Role    string `json:"role"`
		Content string `json:"content"`
	}
	inputCall struct {
		Type      string `json:"type"`
		CallID    string `json:"call_id"`
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	}
	inputCallOutput struct {
		Type   string `json:"type"`
		CallID string `json:"call_id"`
		Output string `json:"output"`
	}
)

// A responsesTool says that its schema is no strict one, as Chat Completions
// takes it without being told: here the vendor's default is the other one.
type responsesTool struct {
	Type        string `json:"type"`
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Parameters  any    `json:"parameters"`
	Strict      bool   `json:"strict"`
}

type textOptions struct {
	Format any `json:"format"`
}

func responsesRequestBody(in providers.Input) responsesRequest {
	body := responsesRequest{
		Model:           in.Model,
		Input:           []any{},
		Temperature:     in.Temperature,
		MaxOutputTokens: in.MaxTokens,
		Stream:          in.Stream,
	}
	ids := providers.CallIDs{Prefix: madeUp}
	for _, m := range in.Messages {
		body.Input = append(body.Input, inputItems(m, &ids, m.ThoughtsFor(in.ThoughtOf(responsesFormat)))...)
	}
	for _, t := range in.Tools {
		body.Tools = append(body.Tools, responsesTool{Type: "function", Name: t.Name, Description: t.Description, Parameters: t.Schema})
	}
	if in.ResponseFormat != nil {
		body.Text = &textOptions{Format: textFormat(in.ResponseFormat)}
	}
	return body
}

// inputItems are one turn: thoughts and calls are items of their own, before
// and after what was said.
func inputItems(m providers.Message, ids *providers.CallIDs, thoughts []json.RawMessage) []any {
	if m.Role == "tool" {
		return []any{inputCallOutput{Type: "function_call_output", CallID: ids.Answered(m), Output: m.Content}}
	}
	var items []any
	for _, t := range thoughts {
		items = append(items, t)
	}
	if m.Content != "" || len(m.ToolCalls) == 0 {
		items = append(items, inputMessage{Role: m.Role, Content: m.Content})
	}
	for i, id := range ids.Calls(m.ToolCalls) {
		c := m.ToolCalls[i]
		items = append(items, inputCall{Type: itemCall, CallID: id, Name: c.Name, Arguments: c.Arguments})
	}
	return items
}

// textFormat is a response format in this API's terms: what Chat Completions
// nests in json_schema stands beside the type. Every other format is the same
// in both.
func textFormat(format any) any {
	object, ok := format.(map[string]any)
	if !ok {
		return format
	}
	nested, ok := object[formatSchema].(map[string]any)
	if !ok || object["type"] != formatSchema {
		return format
	}
	flat := maps.Clone(nested)
	flat["type"] = formatSchema
	return flat
}

const formatSchema = "json_schema"
