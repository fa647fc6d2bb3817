package anthropic

import (
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// maxTokensDefault is asked for where a step gives no limit: the API demands
// one.
const maxTokensDefault = 4096

// Request asks for one message. There is a key only where the input has one:
// as X-Api-Key, or as a bearer token on Vertex AI and Bedrock, whose request
// signatures are not written. The input's own headers win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	to, err := hostOf(in)
	if err != nil {
		return nil, err
	}
	req, err := providers.Post(ctx, to.url, requestBody(in, to), chat.Accept(in, accepted(to)))
	if err != nil {
		return nil, err
	}
	authenticate(req, in.APIKey, to)
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

// accepted is the media type of a stream.
func accepted(to host) string {
	if to.oneAddress {
		return providers.AmazonStream
	}
	return providers.EventStream
}

func authenticate(req *http.Request, key string, to host) {
	if to.version == "" {
		req.Header.Set("Anthropic-Version", apiVersion)
	}
	switch {
	case key == "":
	case to.version == "":
		req.Header.Set("X-Api-Key", key)
	default:
		req.Header.Set("Authorization", "Bearer "+key)
	}
}

func requestBody(in providers.Input, to host) messageRequest {
	body := messageRequest{
		Version:      to.version,
		MaxTokens:    maxTokensDefault,
		Temperature:  in.Temperature,
		OutputConfig: outputFormat(in.ResponseFormat),
		Stream:       in.Stream && !to.oneAddress,
	}
	if to.version == "" {
		body.Model = in.Model
	}
	if in.MaxTokens != nil {
		body.MaxTokens = *in.MaxTokens
	}
	body.System, body.Messages = conversation(in.Messages, in.ThoughtOf(format))
	for _, t := range in.Tools {
		schema := t.Schema
		if schema == nil {
			schema = map[string]string{"type": "object"}
		}
		body.Tools = append(body.Tools, tool{Name: t.Name, Description: t.Description, InputSchema: schema})
	}
	return body
}

// outputFormat takes a response format over. One in OpenAI's shape,
// { type = "json_schema", json_schema = { schema } }, is turned into this
// vendor's, so that the targets of a gateway may be of both; any other is
// passed on as it is.
func outputFormat(format any) *outputConfig {
	if format == nil {
		return nil
	}
	object, _ := format.(map[string]any)
	if openai, ok := object["json_schema"].(map[string]any); ok {
		return &outputConfig{Format: map[string]any{"type": "json_schema", "schema": openai["schema"]}}
	}
	return &outputConfig{Format: format}
}
