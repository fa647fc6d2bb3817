package match

import "slices"

// plainMessages is the conversation of a chat: that of OpenAI and of the many who
// have its interface, of Anthropic, Cohere and Ollama.
func plainMessages(body map[string]any) {
	list, _ := body["messages"].([]any)
	var calls openCalls
	loop := lastSaid(list)
	for i, item := range list {
		if message, ok := item.(map[string]any); ok {
			plainMessage(message, i > loop, &calls)
		}
	}
	body["messages"] = without(body["messages"], saysNothing)
}

// lastSaid is where the user last said something, -1 for nowhere: what comes
// after it is the loop of tools that is going on.
func lastSaid(messages []any) int {
	for i, item := range slices.Backward(messages) {
		message, _ := item.(map[string]any)
		if message["role"] == "user" && !isResults(message["content"]) {
			return i
		}
	}
	return -1
}

// isResults reports whether a content has the result of a tool in it, which
// Anthropic takes in a message of the user.
func isResults(content any) bool {
	list, _ := content.([]any)
	return slices.ContainsFunc(list, func(item any) bool {
		block, _ := item.(map[string]any)
		return block["type"] == "tool_result"
	})
}

// plainMessage brings one message into its normal form.
func plainMessage(message map[string]any, inLoop bool, calls *openCalls) {
	clean(message)
	if message["role"] == "assistant" {
		dropThoughts(message, inLoop)
		dropBlank(message, "content", "tool_calls", "annotations")
	}
	plainRole(message)
	eachObject(message["tool_calls"], func(call map[string]any) { plainToolCall(call, calls) })
	eachObject(message["content"], func(block map[string]any) { calls.block(block) })
	calls.result(message, "tool_call_id")
	if v, ok := message["content"]; ok {
		message["content"] = plainContent(v)
	}
}

// plainRole takes a developer for a system message: "When you use a system
// message with o4-mini, o3, o3-mini and o1 it will be treated as a developer
// message" (Azure OpenAI, Reasoning models), and other models know no developer.
func plainRole(message map[string]any) {
	if message["role"] == "developer" {
		message["role"] = "system"
	}
}

// plainToolCall drops what servers write into a call and do not read there: its
// place in a stream (index), and the one type that most of them have.
func plainToolCall(call map[string]any, calls *openCalls) {
	clean(call)
	delete(call, "index")
	delete(call, "extra_content")
	if call["type"] == "function" {
		delete(call, "type")
	}
	function, _ := call["function"].(map[string]any)
	if function != nil {
		plainArguments(function, "arguments")
	}
	calls.call(call, "id", nil)
}

// plainBlock is a block of a content. "is_error" is optional and false where it
// is not there, and so is the content of a result that is empty (Anthropic, Tool
// use: handle tool calls).
func plainBlock(block map[string]any) {
	delete(block, "cache_control")
	if block["type"] != "tool_result" {
		return
	}
	if block["is_error"] == false || block["is_error"] == nil {
		delete(block, "is_error")
	}
	if content, ok := block["content"]; ok {
		block["content"] = plainContent(content)
		dropBlank(block, "content")
	}
}

// saysNothing reports whether a message is one of the system without a text, as
// clients send it whose instructions are "".
func saysNothing(message map[string]any) bool {
	return message["role"] == "system" && isBlank(message["content"])
}
