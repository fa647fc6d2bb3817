package gemini

import (
	"bytes"
	"encoding/json"
)

// argsOf is the object that stands for a call's arguments on the wire. Text
// that is no JSON object has no form there; it is sent as a string, which
// argumentsOf reads back.
func argsOf(arguments string) json.RawMessage {
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

// argumentsOf is the text of a call's args without space between its tokens;
// the order of keys and the digits of numbers are the model's. A function
// without parameters is called without args, which are an empty object.
func argumentsOf(args json.RawMessage) string {
	var text string
	switch {
	case len(args) == 0, string(args) == "null":
		return "{}"
	case json.Unmarshal(args, &text) == nil:
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, args) != nil {
		return string(args)
	}
	return b.String()
}
