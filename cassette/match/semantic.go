package match

import (
	"net/url"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// conversation are the fields in which vendors carry what a model is told.
var conversation = []string{
	"messages", "input", "contents", "prompt",
	"system", "systemInstruction", "instructions",
}

// attached are the fields in which vendors carry what a model reads beside its
// conversation: documents to answer from (Cohere, Chat; AI21, vLLM), pictures and what
// follows the gap (Ollama, API, Generate a completion; OpenAI, Completions; Workers AI),
// the template of the prompt and the tokens of turns before (Ollama), and functions as
// OpenAI named tools at first. Alone they make no request one to a model.
var attached = []string{"documents", "images", "image", "suffix", "template", "context", "functions"}

// continued are the fields that name a conversation which the service keeps, and
// that a request goes on with.
var continued = []string{"previous_response_id", "conversation", "cachedContent"}

// semanticFields returns what the profile semantic compares of a request to a
// model: the model, the conversation, the tools and whether it streams. A
// request that is none is compared by its query and its whole body, because
// without them any two of one path would be equal.
func (m Match) semanticFields(r Request, u *url.URL) []field {
	tree, isTree := m.jsonBody(r)
	object, _ := tree.(map[string]any)
	fields := modelFields(object, path(u))
	switch {
	case len(fields) > 0:
		return fields
	case isTree:
		return append(appendQuery(nil, u), field{"body", tidy(tree)})
	case len(r.Body) > 0:
		return append(appendQuery(nil, u), field{"body", tidyText(string(rawBody(r)))})
	}
	return appendQuery(nil, u)
}

// IsTold reports whether a place, as a [FieldDiff] names it, is part of what
// semantic compares of a request, where that is one to a model.
func IsTold(r Request, place string) bool {
	if !asksModel(Match{}.object(r), pathOf(r)) {
		return false
	}
	name, in := strings.CutPrefix(place, "body.")
	if strings.HasPrefix(name, "toolConfig.tools") {
		return in
	}
	if end := strings.IndexAny(name, ".["); end >= 0 {
		name = name[:end]
	}
	return in && slices.Contains(slices.Concat([]string{"model", "tools", "stream"}, conversation, attached, continued), name)
}

// streams reports whether a path is one whose answers stream where a request does
// not say: those of Ollama's own interface (Ollama, API, Generate a chat
// completion).
func streams(path string) bool {
	return strings.HasSuffix(path, "/api/chat") || strings.HasSuffix(path, "/api/generate")
}

// modelFields is nil for a body that asks no model. It changes the body.
func modelFields(body map[string]any, path string) []field {
	if !asksModel(body, path) {
		return nil
	}
	plainBody(body)
	var fields []field
	for _, name := range slices.Concat([]string{"model"}, conversation, attached, continued) {
		if v, ok := body[name]; ok && v != nil && !(slices.Contains(attached, name) && isBlank(v)) {
			fields = append(fields, field{"body." + name, tidy(v)})
		}
	}
	if tools := toolList(body["tools"]); len(tools) > 0 {
		fields = append(fields, field{"body.tools", tools})
	}
	if config, ok := body["toolConfig"].(map[string]any); ok { // Bedrock, Converse
		if tools := toolList(config["tools"]); len(tools) > 0 {
			fields = append(fields, field{"body.toolConfig.tools", tools})
		}
	}
	if v, ok := body["stream"].(bool); v || !ok && streams(path) {
		fields = append(fields, field{"body.stream", true})
	}
	return fields
}

// pathOf is the path of a request, "" where its URL is none.
func pathOf(r Request) string {
	u, err := url.Parse(r.URL)
	if err != nil {
		return ""
	}
	return path(u)
}

// asksModel reports whether a request is one to a model: it has a conversation, and
// names the model there or in its path. An order may have messages, too, and a form
// an input: of those nothing may be left out.
func asksModel(body map[string]any, path string) bool {
	if _, named := body["model"].(string); !named && !modelPath().MatchString(path) {
		return false
	}
	return body["system_instruction"] != nil || slices.ContainsFunc(conversation, func(name string) bool { _, ok := body[name]; return ok })
}

// modelPath are the paths of requests that name their model there, or leave it to the
// service: gateways in front of one model, Azure, Bedrock, Cloudflare, Gemini and what
// Vertex has of others.
var modelPath = pattern.New(`/chat/completions$|/openai/deployments/|/model/[^/]+/(invoke|converse)|/ai/run/|:(streamG|g)enerateContent$|:(streamR|r)awPredict$`)

// tidy trims every text in a tree and gives it LF line ends, in place.
func tidy(v any) any {
	switch v := v.(type) {
	case string:
		return tidyText(v)
	case []any:
		for i := range v {
			v[i] = tidy(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = tidy(v[k])
		}
	}
	return v
}

func tidyText(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.TrimSpace(strings.ReplaceAll(s, "\r", "\n"))
}

// toolList reduces tools to their names and schemas. A tool of the vendor's
// own, which has no schema, counts as it is.
func toolList(v any) []any {
	tools, _ := v.([]any)
	var out []any
	for _, tool := range tools {
		object, _ := tool.(map[string]any)
		declared := firstOf(object, "functionDeclarations", "function_declarations")
		if list, ok := declared.([]any); ok {
			out = append(out, toolList(list)...)
			continue
		}
		for _, name := range []string{"function", "toolSpec"} {
			if inner, ok := object[name].(map[string]any); ok {
				object = inner
			}
		}
		schema := firstOf(object, "parameters", "input_schema", "parametersJsonSchema", "inputSchema")
		if name, ok := object["name"]; ok && schema != nil {
			out = append(out, map[string]any{"name": name, "schema": schema})
		} else {
			out = append(out, tool)
		}
	}
	return out
}

func firstOf(object map[string]any, names ...string) any {
	for _, name := range names {
		if v, ok := object[name]; ok {
			return v
		}
	}
	return nil
}
