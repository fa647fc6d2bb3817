package catalog

import "github.com/scenario-lang/scenario/providers/anthropic"

var anthropicKind = &Kind{
	Name:        "anthropic",
	Summary:     "Anthropic's Messages API. A `base_url` that ends in `/publishers/anthropic` is Claude on Vertex AI, one that begins with `https://bedrock-runtime` Claude on Amazon Bedrock.",
	Family:      "llm",
	Adapter:     anthropic.Adapter{},
	BaseURL:     anthropic.BaseURL,
	Reply:       modelReply("Why the model stopped, in the vendor's words: `end_turn`, or `tool_use` where there are tool calls, unless given. `stop`, `length`, `tool_calls` and `content_filter` are sent as `end_turn`, `max_tokens`, `tool_use` and `refusal`."),
	ReplyOutput: openaiReply,
}
