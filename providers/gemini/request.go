package gemini

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Request asks for one answer. There is a key only where the input has one: as
// X-Goog-Api-Key, or as a bearer token on Vertex AI. The input's own headers
// win.
func (Adapter) Request(ctx context.Context, in providers.Input) (*http.Request, error) {
	target, err := endpoint(in)
	if err != nil {
		return nil, err
	}
	req, err := providers.Post(ctx, target, requestBody(in), chat.Accept(in, providers.EventStream))
	if err != nil {
		return nil, err
	}
	switch {
	case in.APIKey == "":
	case onVertex(target):
		req.Header.Set("Authorization", "Bearer "+in.APIKey)
	default:
		req.Header.Set("X-Goog-Api-Key", in.APIKey)
	}
	providers.SetHeaders(req, in.Headers)
	return req, nil
}

func onVertex(u *url.URL) bool { return strings.Contains(u.Path, "/publishers/google/models/") }

var errNoModel = errors.New("the address of a Gemini model contains its name: name one on the step or the provider")

// endpoint is the address of the model's method. A base without a path gets
// the version that [BaseURL] has; on Vertex AI the base ends in
// /publishers/google.
func endpoint(in providers.Input) (*url.URL, error) {
	base := in.BaseURL
	if base == "" {
		base = BaseURL
	}
	u, err := providers.ParseBase(base)
	switch {
	case err != nil:
		return nil, err
	case in.Model == "":
		return nil, errNoModel
	}
	if strings.Trim(u.Path, "/") == "" {
		u = u.JoinPath("v1beta")
	}
	name := url.PathEscape(strings.TrimPrefix(in.Model, "models/"))
	if !in.Stream {
		return u.JoinPath("models", name+":generateContent"), nil
	}
	u = u.JoinPath("models", name+":streamGenerateContent")
	query := u.Query()
	query.Set("alt", "sse")
	u.RawQuery = query.Encode()
	return u, nil
}

func requestBody(in providers.Input) generateRequest {
	body := generateRequest{GenerationConfig: generationConfig(in)}
	body.SystemInstruction, body.Contents = conversation(in.Messages)
	var declared []functionDeclaration
	for _, t := range in.Tools {
		declared = append(declared, functionDeclaration{Name: t.Name, Description: t.Description, Parameters: t.Schema})
	}
	if declared != nil {
		body.Tools = []tool{{FunctionDeclarations: declared}}
	}
	return body
}

// generationConfig takes a response format over. One in OpenAI's shape,
// { type = "json_schema", json_schema = { schema } } or { type = "json_object" },
// is turned into this vendor's, so that the targets of a gateway may be of
// both; the fields of any other are passed on as they are.
func generationConfig(in providers.Input) map[string]any {
	config := map[string]any{}
	format, _ := in.ResponseFormat.(map[string]any)
	openai, ok := format["json_schema"].(map[string]any)
	switch {
	case ok:
		config["responseMimeType"], config["responseJsonSchema"] = "application/json", openai["schema"]
	case format["type"] == "json_object":
		config["responseMimeType"] = "application/json"
	case format != nil:
		maps.Copy(config, format)
	case in.ResponseFormat != nil:
		config["responseFormat"] = in.ResponseFormat
	}
	if in.Temperature != nil {
		config["temperature"] = *in.Temperature
	}
	if in.MaxTokens != nil {
		config["maxOutputTokens"] = *in.MaxTokens
	}
	return config
}
