package chat

import (
	"bytes"
	"encoding/json"
)

// ArgumentsObject is the object that stands for a call's arguments on the wire.
// Text that is no JSON object has no form there; it is sent as a string, which
// [ArgumentsText] reads back.
func ArgumentsObject(arguments string) json.RawMessage {
	text := bytes.TrimSpace([]byte(arguments))
	switch {
	case len(text) == 0:
		return json.RawMessage("{}")
	case text[0] == '{' && json.Valid(text):
		return text
	default:
		return Encode(arguments)
	}
}

// ArgumentsText is the text of the object without space between its tokens; the
// order of keys and the digits of numbers are the model's. A call without
// arguments is one with an empty object.
func ArgumentsText(object json.RawMessage) string {
	var text string
	switch {
	case len(object) == 0, string(object) == "null":
		return "{}"
	case json.Unmarshal(object, &text) == nil:
		return text
	}
	var b bytes.Buffer
	if json.Compact(&b, object) != nil {
		return string(object)
	}
	return b.String()
}
