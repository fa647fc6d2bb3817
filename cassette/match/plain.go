package match

import (
	"maps"
	"slices"
	"strings"
)

// Vendors take one and the same text in several forms: a string, or a list of
// typed blocks. The functions of this file bring a conversation into one form,
// in place, so that only what a model is told is compared.

// plainConversation is the value of one of the fields of a conversation.
func plainConversation(name string, v any) any {
	switch name {
	case "messages", "input":
		if text, ok := v.(string); ok && name == "input" {
			return []any{map[string]any{"role": "user", "content": text}}
		}
		return eachObject(v, plainMessage)
	case "contents":
		return plainContents(v)
	case "systemInstruction":
		return plainInstruction(v)
	default:
		return plainContent(v)
	}
}

func eachObject(v any, plain func(map[string]any)) any {
	list, _ := v.([]any)
	for _, item := range list {
		if object, ok := item.(map[string]any); ok {
			plain(object)
		}
	}
	return v
}

// plainMessage drops the members that are null, as clients differ in whether
// one that only calls tools says "content": null or nothing, and of an item
// that a response had what tells it apart there. What is deeper, such as the
// arguments of a call, is left as it is.
func plainMessage(message map[string]any) {
	maps.DeleteFunc(message, func(_ string, v any) bool { return v == nil })
	if message["type"] == "message" && message["role"] != nil {
		for _, name := range []string{"type", "id", "status"} {
			delete(message, name)
		}
	}
	delete(message, "cache_control")
	eachObject(message["tool_calls"], func(call map[string]any) { delete(call, "cache_control") })
	for _, name := range []string{"content", "output"} {
		if v, ok := message[name]; ok {
			message[name] = plainContent(v)
		}
	}
}

// plainContent is the text of a list of nothing but text blocks, joined as the
// model reads it. Other blocks stay; where one of them holds a tool's answer,
// that is a content in its turn.
func plainContent(v any) any {
	list, _ := v.([]any)
	if text, ok := joined(list, textOfBlock); ok {
		return text
	}
	return eachObject(v, func(block map[string]any) {
		delete(block, "cache_control")
		if content, ok := block["content"]; ok && block["type"] == "tool_result" {
			block["content"] = plainContent(content)
		}
	})
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
