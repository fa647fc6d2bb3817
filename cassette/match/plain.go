package match

import (
	"maps"
	"slices"
	"strings"
)

// Vendors take one conversation in several forms, and clients differ in which
// they send. The functions of the files plain*.go bring a conversation into its
// normal form, in place, so that only what a model is told is compared. A normal
// form is that of itself. Every rule names the page of a vendor that says that
// both forms are answered alike.

// plainBody is the normal form of a request to a model. What is in fields that
// are no part of the conversation stays.
func plainBody(body map[string]any) {
	camelNames(body, "system_instruction", "cached_content")
	switch {
	case body["contents"] != nil:
		plainGemini(body)
	case body["input"] != nil || body["instructions"] != nil:
		plainResponses(body)
	case body["messages"] != nil:
		plainMessages(body)
	}
	for _, name := range []string{"system", "prompt"} {
		if v, ok := body[name]; ok {
			body[name] = plainContent(v)
		}
	}
	dropBlank(body, "system", "systemInstruction", "instructions", "prompt")
}

// dropBlank deletes those of the members that say nothing: null, a text of white
// space, an empty list or object.
func dropBlank(object map[string]any, names ...string) {
	for _, name := range names {
		if v, ok := object[name]; ok && isBlank(v) {
			delete(object, name)
		}
	}
}

func isBlank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return strings.TrimSpace(v) == ""
	case []any:
		return len(v) == 0
	case map[string]any:
		return len(v) == 0
	}
	return false
}

func isNull(_ string, v any) bool { return v == nil }

func eachObject(v any, plain func(map[string]any)) any {
	list, _ := v.([]any)
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			plain(object)
		}
	}
	return v
}

// without is a list without the objects that drop says, and v itself where that
// is no list.
func without(v any, drop func(map[string]any) bool) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	return slices.DeleteFunc(list, func(item any) bool {
		object, ok := item.(map[string]any)
		return ok && drop(object)
	})
}

// plainContent is the text of a list of nothing but text blocks, joined as the
// model reads it. Other blocks stay; where one of them holds a tool's answer,
// that is a content in its turn.
func plainContent(v any) any {
	list, _ := v.([]any)
	if text, ok := joined(list, textOfBlock); ok {
		return text
	}
	return eachObject(v, plainBlock)
}

// joined is false for an empty list, and where one item is no plain text.
func joined(list []any, textOf func(map[string]any) (string, bool)) (string, bool) {
	var b strings.Builder
	for _, item := range list {
		object, _ := item.(map[string]any)
		text, ok := textOf(object)
		if !ok {
			return "", false
		}
		b.WriteString(text)
	}
	return b.String(), len(list) > 0
}

var textTypes = []string{"text", "input_text", "output_text"}

// textOfBlock is the text of a block that says nothing else: how long it is
// kept in a cache is no part of what the model is told, and an empty list of
// citations is none.
func textOfBlock(block map[string]any) (string, bool) {
	text, ok := block["text"].(string)
	kind, _ := block["type"].(string)
	if !ok || !slices.Contains(textTypes, kind) {
		return "", false
	}
	for name, v := range block {
		if list, isList := v.([]any); v == nil || isList && len(list) == 0 {
			continue
		}
		if name != "type" && name != "text" && name != "cache_control" {
			return "", false
		}
	}
	return text, true
}

// plainArguments is the JSON of a call's arguments, which most vendors send as a
// text: its spaces and the order of its members are no part of the call. What
// is no object stays as it is.
func plainArguments(object map[string]any, name string) {
	text, _ := object[name].(string)
	if tree, ok := parseJSON([]byte(text)); ok {
		if arguments, ok := tree.(map[string]any); ok {
			object[name] = arguments
		}
	}
}

// camelNames renames members that a vendor takes in two spellings: those of
// Gemini are protocol buffers, whose parsers take the name of a field as it is
// declared beside the one in camel case (protobuf.dev/programming-guides/json).
func camelNames(object map[string]any, names ...string) {
	for _, name := range names {
		camel := camelCase(name)
		if v, ok := object[name]; ok && object[camel] == nil {
			object[camel] = v
			delete(object, name)
		}
	}
}

func camelCase(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// clean deletes the members that are null, as clients differ in whether a message
// that only calls tools says "content": null or nothing, and the marks of caches.
// What is deeper, such as the arguments of a call, is left as it is.
func clean(object map[string]any) {
	maps.DeleteFunc(object, isNull)
	delete(object, "cache_control")
}
