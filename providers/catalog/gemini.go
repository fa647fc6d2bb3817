package catalog

import "github.com/scenario-lang/scenario/providers/gemini"

var geminiKind = &Kind{
	Name:    "gemini",
	Summary: "Google's Gemini API. A `base_url` that ends in `/publishers/google` is Vertex AI.",
	Family:  "llm",
	Adapter: gemini.Adapter{},
	BaseURL: gemini.BaseURL,
	InFailure: []string{
		"There is no end marker: a stream is whole when an event carried a `finishReason` and the body ended in order.",
		"A prompt that is blocked is answered with status 200 and no candidate: an answer without content whose finish reason is the block reason.",
		"The wait that is asked for stands in the error's body (`retryDelay`); a Retry-After header wins over it.",
		"Overload is status 503 with `UNAVAILABLE`, an `http_status`; the same word inside a 200 or a stream is `overloaded`.",
		"The API key stands in a header, never in the address.",
	},
	Reply:       modelReply("Why the model stopped, in the vendor's words: `STOP`, also where there are tool calls, unless given. `stop`, `length`, `tool_calls` and `content_filter` are sent as `STOP`, `MAX_TOKENS`, `STOP` and `SAFETY`."),
	ReplyOutput: openaiReply,
}
