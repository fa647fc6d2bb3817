package anthropic

// spelled are the vendor's words for the finish reasons that a reply or a
// fault may give in OpenAI's, which the language's defaults use.
var spelled = map[string]string{
	"stop":           "end_turn",
	"length":         "max_tokens",
	"tool_calls":     "tool_use",
	"content_filter": "refusal",
}

// stopReason is the stop reason to send; any word but OpenAI's is sent as it
// is.
func stopReason(given string, calls int) string {
	word, known := spelled[given]
	switch {
	case known:
		return word
	case given != "":
		return given
	case calls > 0:
		return "tool_use"
	default:
		return "end_turn"
	}
}
