package chat

import (
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
)

// Post is the request to an interface whose address is a base and a path, and
// whose key is a bearer token: content as JSON, answered in the media type
// streamed where the input asks for a stream. There is an Authorization field
// only where the input has a key, so a replay needs none; the input's own headers
// win.
func Post(ctx context.Context, in providers.Input, base string, content any, streamed string, path ...string) (*http.Request, error) {
	target, err := providers.ParseBase(base)
	if err != nil {
		return nil, err
	}
	req, err := providers.Post(ctx, target.JoinPath(path...), content, Accept(in, streamed))
	if err != nil {
		return nil, err
	}
	if in.APIKey != "" {
		req.Header.Set("Authorization", "Bearer "+in.APIKey)
	}
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

// Accept is the media type that a request asks for.
func Accept(in providers.Input, streamed string) string {
	if in.Stream {
		return streamed
	}
	return "application/json"
}

// A FunctionTool is a tool as OpenAI's Chat Completions writes it, and what took
// after them.
type FunctionTool struct {
	Type     string   `json:"type"`
	Function Function `json:"function"`
}

// A Function is what a [FunctionTool] offers.
type Function struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	Parameters  any    `json:"parameters,omitempty"`
}

// FunctionTools are the tools of an input, nil where there is none.
func FunctionTools(tools []providers.Tool) []FunctionTool {
	var list []FunctionTool
	for _, t := range tools {
		list = append(list, FunctionTool{Type: "function", Function: Function{Name: t.Name, Description: t.Description, Parameters: t.Schema}})
	}
	return list
}
