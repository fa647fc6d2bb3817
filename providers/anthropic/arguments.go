package anthropic

import (
	"bytes"
	"encoding/json"
)

// inputOf is the object that stands for a call's arguments on the wire. Text
// that is no JSON object has no form there; it is sent as a string, which
// argumentsOf reads back.
func inputOf(arguments string) json.RawMessage {
	text := bytes.TrimSpace([]byte(arguments))
	switch {
	case len(text) == 0:
		return json.RawMessage("{}")
	case text[0] == '{' && json.Valid(text):
		return text
	default:
		return mustEncode(arguments)
	}
}

// argumentsOf is the text of an input without space between its tokens; the
// order of keys and the digits of numbers are the model's. An absent input is
// an empty object.
func argumentsOf(input json.RawMessage) string {
	var text string
	switch {
	case len(input) == 0, string(input) == "null":
		return "{}"
	case json.Unmarshal(input, &text) == nil:
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, input) != nil {
		return string(input)
	}
	return b.String()
}
