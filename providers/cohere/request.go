package cohere

import (
	"cmp"
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Request asks for one chat completion. The input's own headers win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	return chat.Post(ctx, in, cmp.Or(in.BaseURL, BaseURL), requestBody(in), providers.EventStream, "v2", "chat")
}

func requestBody(in providers.Input) chatRequest {
	body := chatRequest{
		Stream: in.Stream, Model: in.Model, Messages: make([]turn, 0, len(in.Messages)), Tools: chat.FunctionTools(in.Tools),
		ResponseFormat: format(in.ResponseFormat), MaxTokens: in.MaxTokens, Temperature: in.Temperature,
	}
	ids := newIDs()
	for _, m := range in.Messages {
		t := turn{Role: m.Role, ToolCalls: wired(m.ToolCalls, ids)}
		if m.Role == "tool" {
			t.ToolCallID = ids.Answered(m)
		}
		text := m.Content
		if len(t.ToolCalls) > 0 {
			t.ToolPlan, text = text, ""
		}
		thought := chat.ThoughtText(m.ThoughtsFor(in.ThoughtOf(thoughtFormat)))
		switch {
		case thought != "" && text != "":
			t.Content = []part{thinkingPart(thought), textPart(text)}
		case thought != "":
			t.Content = []part{thinkingPart(thought)}
		case len(t.ToolCalls) == 0:
			t.Content = text
		}
		body.Messages = append(body.Messages, t)
	}
	return body
}

// format is a response format in this interface's terms: a schema stands beside the
// type json_object. Anything but OpenAI's json_schema is passed on as it is.
func format(given any) any {
	object, ok := given.(map[string]any)
	if !ok || object["type"] != "json_schema" {
		return given
	}
	if nested, ok := object["json_schema"].(map[string]any); ok {
		object = nested
	}
	if object["schema"] == nil {
		return given
	}
	return map[string]any{"type": "json_object", "json_schema": object["schema"]}
}

// thoughtFormat names this interface's thoughts: the text of a turn's thinking, which
// a model that calls tools is to have back.
const thoughtFormat = "cohere"
