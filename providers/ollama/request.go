package ollama

import (
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
)

// Request asks for one chat completion. There is an Authorization field only
// where the input has a key: the vendor's cloud wants one, a server of one's
// own does not. The input's own headers win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	given := in.BaseURL
	if given == "" {
		given = BaseURL
	}
	base, err := providers.ParseBase(given)
	if err != nil {
		return nil, err
	}
	accept := "application/json"
	if in.Stream {
		accept = providers.NDJSON
	}
	req, err := providers.Post(ctx, base.JoinPath("api", "chat"), requestBody(in), accept)
	if err != nil {
		return nil, err
	}
	if in.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+in.APIKey)
	}
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

func requestBody(in providers.Input) chatRequest {
	body := chatRequest{
		Model:    in.Model,
		Messages: make([]message, 0, len(in.Messages)),
		Format:   format(in.ResponseFormat),
		Stream:   in.Stream,
	}
	ids := newIDs()
	for _, m := range in.Messages {
		of := m.ToolCallID
		if m.Role == "tool" {
			of = ids.Answered(m)
		}
		body.Messages = append(body.Messages, message{
			Role: m.Role, Content: m.Content, Thinking: thinking(m.ThoughtsFor(in.ThoughtOf(thoughtFormat))), ToolCalls: calls(m.ToolCalls, ids), ToolName: m.Name, ToolCallID: of,
		})
	}
	for _, t := range in.Tools {
		body.Tools = append(body.Tools, tool{Type: "function", Function: toolFunction{
			Name: t.Name, Description: t.Description, Parameters: t.Schema,
		}})
	}
	if in.Temperature != nil || in.MaxTokens != nil {
		body.Options = &options{Temperature: in.Temperature, NumPredict: in.MaxTokens}
	}
	return body
}

// format is a response format in this interface's terms, "json" or a schema.
// OpenAI's formats become those; anything else is passed on as it is.
func format(given any) any {
	object, ok := given.(map[string]any)
	if !ok {
		return given
	}
	switch object["type"] {
	case "text":
		return nil
	case "json_object":
		return "json"
	case "json_schema":
		if nested, ok := object["json_schema"].(map[string]any); ok {
			object = nested
		}
		if object["schema"] != nil {
			return object["schema"]
		}
	}
	return given
}
