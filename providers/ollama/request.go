package ollama

import (
	"cmp"
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Request asks for one chat completion. There is an Authorization field only
// where the input has a key: the vendor's cloud wants one, a server of one's
// own does not. The input's own headers win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	return chat.Post(ctx, in, cmp.Or(in.BaseURL, BaseURL), requestBody(in), providers.NDJSON, "api", "chat")
}

func requestBody(in providers.Input) chatRequest {
	body := chatRequest{
		Model:    in.Model,
		Messages: make([]message, 0, len(in.Messages)),
		Format:   format(in.ResponseFormat),
		Stream:   in.Stream,
		Tools:    chat.FunctionTools(in.Tools),
	}
	ids := newIDs()
	for _, m := range in.Messages {
		of := m.ToolCallID
		if m.Role == "tool" {
			of = ids.Answered(m)
		}
		body.Messages = append(body.Messages, message{
			Role: m.Role, Content: m.Content, Thinking: chat.ThoughtText(m.ThoughtsFor(in.ThoughtOf(thoughtFormat))), ToolCalls: calls(m.ToolCalls, ids), ToolName: m.Name, ToolCallID: of,
		})
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

// thoughtFormat names this interface's thoughts: the text of a turn's thinking,
// which a model that calls tools is to have back.
const thoughtFormat = "ollama"
