package catalog

import "github.com/scenario-lang/scenario/providers/gemini"

var geminiKind = &Kind{
	Name:        "gemini",
	Summary:     "Google's Gemini API. A `base_url` that ends in `/publishers/google` is Vertex AI.",
	Family:      "llm",
	Adapter:     gemini.Adapter{},
	BaseURL:     gemini.BaseURL,
	Reply:       modelReply("Why the model stopped, in the vendor's words: `STOP`, also where there are tool calls, unless given. `stop`, `length`, `tool_calls` and `content_filter` are sent as `STOP`, `MAX_TOKENS`, `STOP` and `SAFETY`."),
	ReplyOutput: openaiReply,
}
