package match

// plainResponses is the conversation of OpenAI's interface "responses".
// Instructions are "a system (or developer) message inserted into the model's
// context" (API reference, instructions), so they become the first one.
func plainResponses(body map[string]any) {
	items, isList := body["input"].([]any)
	if text, ok := body["input"].(string); ok {
		items, isList = []any{map[string]any{"role": "user", "content": text}}, true
	}
	if !isList && body["input"] != nil {
		return // what this interface does not take
	}
	if text, ok := body["instructions"].(string); ok {
		items = append([]any{map[string]any{"role": "system", "content": text}}, items...)
		delete(body, "instructions")
	}
	var calls openCalls
	eachObject(items, func(item map[string]any) { plainItem(item, &calls) })
	body["input"] = without(items, unsaidItem)
}

// plainItem drops of an item that a response had what tells it apart there: its
// id and its status are "populated when items are returned via API" (API
// reference, input).
func plainItem(item map[string]any, calls *openCalls) {
	clean(item)
	switch {
	case item["type"] == "message", item["type"] == nil && item["role"] != nil:
		for _, name := range []string{"type", "id", "status"} {
			delete(item, name)
		}
		plainRole(item)
	case item["type"] == "function_call", item["type"] == "custom_tool_call":
		delete(item, "id")
		delete(item, "status")
		plainArguments(item, "arguments")
		calls.call(item, "call_id", nil)
	case item["type"] == "function_call_output", item["type"] == "custom_tool_call_output":
		delete(item, "id")
		delete(item, "status")
		calls.result(item, "call_id")
	}
	for _, name := range []string{"content", "output"} {
		if v, ok := item[name]; ok {
			item[name] = plainContent(v)
		}
	}
}

// unsaidItem reports whether an item tells the model nothing that it did not
// think itself: a reasoning item, which is there to save it from thinking again,
// and a message without a text, which clients put before a call.
func unsaidItem(item map[string]any) bool {
	return item["type"] == "reasoning" ||
		saysNothing(item) || item["role"] == "assistant" && isBlank(item["content"])
}
