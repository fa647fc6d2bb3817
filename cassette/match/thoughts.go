package match

// thoughtMembers are the members of a message in which a model's thoughts are
// sent back.
var thoughtMembers = []string{
	"reasoning", "reasoning_content", "reasoning_details", "reasoning_opaque", "thinking", "thinking_blocks", "extra_content",
}

// dropThoughts takes what a model thought out of a message of its own: no two
// clients send it back alike, and services leave the thoughts of earlier turns
// out of what the model reads (Anthropic, Extended thinking; DeepSeek, Reasoning
// model) or take several forms for one (OpenRouter, Reasoning tokens).
//
// Anthropic checks those of the loop of tools that is going on, and refuses a
// request without them. There it is compared that they are sent.
func dropThoughts(message map[string]any, inLoop bool) {
	for _, name := range thoughtMembers {
		delete(message, name)
	}
	signed := false
	message["content"] = without(message["content"], func(block map[string]any) bool {
		if !isThoughtBlock(block) {
			return false
		}
		if inLoop && !signed && (block["signature"] != nil || block["data"] != nil) {
			signed = true
			for name := range block {
				delete(block, name)
			}
			block["type"], block["signature"] = "thinking", true
			return false
		}
		return true
	})
}

func isThoughtBlock(block map[string]any) bool {
	kind := block["type"]
	return kind == "thinking" || kind == "redacted_thinking" || kind == "reasoning"
}

// dropThought takes the signature of a thought off a part of Gemini, and reports
// whether the part is a thought and no more. A signature is the state of the
// model, which clients may leave out but for calls of the loop that is going on,
// where the newer models refuse a request without it (Gemini API, Thought
// signatures). There it is compared that it is sent.
func dropThought(part map[string]any, inLoop bool) bool {
	camelNames(part, "thought_signature")
	if part["thought"] == true {
		return true
	}
	delete(part, "thought")
	if part["thoughtSignature"] != nil && inLoop && part["functionCall"] != nil {
		part["thoughtSignature"] = true
	} else {
		delete(part, "thoughtSignature")
	}
	return false
}
