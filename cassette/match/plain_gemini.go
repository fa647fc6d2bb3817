package match

import "slices"

// plainGemini is a conversation of Gemini, where a turn without a role is the
// user's, and so is one of the role "function", which earlier versions of the
// interface asked for.
func plainGemini(body map[string]any) {
	turns, _ := body["contents"].([]any)
	eachObject(turns, func(turn map[string]any) { turn["parts"] = partsOf(turn["parts"]) })
	loop := lastAsked(turns)
	var calls openCalls
	for i, item := range turns {
		if turn, ok := item.(map[string]any); ok {
			plainTurn(turn, i > loop, &calls)
		}
	}
	if v, ok := body["systemInstruction"].(map[string]any); ok { // whose role the vendor does not read
		body["systemInstruction"] = joinedParts(partsOf(v["parts"]))
	}
}

// partsOf takes a lone part for a list of one, as the vendor does, and gives the
// members of parts their one spelling.
func partsOf(v any) any {
	if part, ok := v.(map[string]any); ok {
		v = []any{part}
	}
	return eachObject(v, func(part map[string]any) {
		camelNames(part, "function_call", "function_response", "inline_data", "file_data")
	})
}

// lastAsked is the last turn of the user that is no result of a function, -1 for
// none.
func lastAsked(turns []any) int {
	for i, item := range slices.Backward(turns) {
		turn, _ := item.(map[string]any)
		parts, _ := turn["parts"].([]any)
		if turn["role"] != "model" && !slices.ContainsFunc(parts, isFunctionResponse) {
			return i
		}
	}
	return -1
}

func isFunctionResponse(part any) bool {
	object, _ := part.(map[string]any)
	return object["functionResponse"] != nil
}

func plainTurn(turn map[string]any, inLoop bool, calls *openCalls) {
	if role := turn["role"]; role == nil || role == "function" {
		turn["role"] = "user"
	}
	parts := without(turn["parts"], func(part map[string]any) bool { return dropThought(part, inLoop) })
	eachObject(parts, func(part map[string]any) { plainPart(part, calls) })
	turn["parts"] = joinedParts(parts)
}

// plainPart gives calls their numbers, and results those of their calls.
func plainPart(part map[string]any, calls *openCalls) {
	if call, ok := part["functionCall"].(map[string]any); ok {
		dropBlank(call, "args")
		calls.call(call, "id", call["name"])
	}
	if result, ok := part["functionResponse"].(map[string]any); ok {
		dropBlank(result, "id")
		calls.resultOf(result)
		plainResult(result)
	}
}

// resultNames are the members that say no more of a result than that it is one:
// "Callers can use any keys of their choice that fit the function's syntax to
// return the function output, e.g. output, result" (API reference,
// FunctionResponse). A member "error" says more.
var resultNames = []string{"output", "return_value"}

func plainResult(result map[string]any) {
	response, _ := result["response"].(map[string]any)
	if len(response) != 1 {
		return
	}
	for _, name := range resultNames {
		if v, ok := response[name]; ok {
			result["response"] = map[string]any{"result": v}
		}
	}
}

// joinedParts is the text of parts that are nothing else.
func joinedParts(v any) any {
	list, _ := v.([]any)
	text, ok := joined(list, func(part map[string]any) (string, bool) {
		text, ok := part["text"].(string)
		return text, ok && len(part) == 1
	})
	if ok {
		return text
	}
	return v
}
