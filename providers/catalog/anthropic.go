package catalog

import "github.com/scenario-lang/scenario/providers/anthropic"

var anthropicKind = &Kind{
	Name:    "anthropic",
	Summary: "Anthropic's Messages API. A `base_url` that ends in `/publishers/anthropic` is Claude on Vertex AI, one that begins with `https://bedrock-runtime` Claude on Amazon Bedrock.",
	Family:  "llm",
	Adapter: anthropic.Adapter{},
	BaseURL: anthropic.BaseURL,
	InFailure: []string{
		"Overload has a status of its own, 529, and the type `overloaded_error`; a rate limit is 429 with `rate_limit_error`.",
		"A stream is whole with the event `message_stop`. An error inside one is `event: error`, which may say `overloaded_error` long after the 200.",
		"A cut answer ends with `max_tokens`; a refusal is an answer that ends with `refusal`.",
		"Streams of Bedrock come in Amazon's own encoding (`/invoke-with-response-stream`). What Bedrock reports inside one is `rate_limit` for a `throttlingException`, `overloaded` for a `serviceUnavailableException`, and else `stream_interrupted`; a message whose checksum is wrong is `malformed_response`. `Converse` is another interface, and is not read.",
	},
	Reply:       modelReply("Why the model stopped, in the vendor's words: `end_turn`, or `tool_use` where there are tool calls, unless given. `stop`, `length`, `tool_calls` and `content_filter` are sent as `end_turn`, `max_tokens`, `tool_use` and `refusal`."),
	ReplyOutput: openaiReply,
}
