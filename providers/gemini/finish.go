package gemini

// spelled are the vendor's words for the finish reasons that a reply or a
// fault may give in OpenAI's, which the language's defaults use. There is no
// word for an answer that asks for tools.
var spelled = map[string]string{
	"":               "STOP",
	"stop":           "STOP",
	"length":         "MAX_TOKENS",
	"tool_calls":     "STOP",
	"content_filter": "SAFETY",
}

// finishReason is the finish reason to send; any word but OpenAI's is sent as
// it is.
func finishReason(given string) string {
	if word, known := spelled[given]; known {
		return word
	}
	return given
}
