package match

import (
	"net/url"
	"strings"
)

// conversation are the fields in which vendors carry what a model is told.
var conversation = []string{
	"messages", "input", "contents", "prompt",
	"system", "systemInstruction", "instructions",
}

// semanticFields returns what the profile semantic compares of a request to a
// model: the model, the conversation, the tools and whether it streams. A
// request that is none is compared by its query and its whole body, because
// without them any two of one path would be equal.
func (m Match) semanticFields(r Request, u *url.URL) []field {
	tree, isTree := m.jsonBody(r)
	object, _ := tree.(map[string]any)
	fields := modelFields(object)
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

// modelFields is nil for a body without a conversation.
func modelFields(body map[string]any) []field {
	if v, ok := body["system_instruction"]; ok && body["systemInstruction"] == nil {
		body["systemInstruction"] = v
	}
	var fields []field
	for _, name := range conversation {
		if v, ok := body[name]; ok {
			fields = append(fields, field{name, tidy(plainConversation(name, v))})
		}
	}
	if len(fields) == 0 {
		return nil
	}
	if v, ok := body["model"]; ok {
		fields = append([]field{{"model", v}}, fields...)
	}
	if tools := toolList(body["tools"]); len(tools) > 0 {
		fields = append(fields, field{"tools", tools})
	}
	if v, _ := body["stream"].(bool); v {
		fields = append(fields, field{"stream", true})
	}
	return fields
}

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
		if function, ok := object["function"].(map[string]any); ok {
			object = function
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
