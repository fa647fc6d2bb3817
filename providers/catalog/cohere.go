package catalog

import (
	"slices"

	"github.com/scenario-lang/scenario/providers/cohere"
	"github.com/scenario-lang/scenario/schema"
)

var cohereKind = &Kind{
	Name:    "cohere",
	Summary: "Cohere's chat interface, version 2. What Cohere serves in OpenAI's shape under `/compatibility/v1` is a provider of kind `openai` with that `base_url`.",
	Family:  "llm",
	Adapter: cohere.Adapter{},
	BaseURL: cohere.BaseURL,
	InFailure: []string{
		"A stream is whole with the event `message-end`. An error inside one is such an event with an `error` and the finish reason `ERROR`, which is a failure in an answer in one piece, too.",
		"Errors are a string without a type, `{\"id\": \"…\", \"message\": \"…\"}`: in an answer with status 200, rate limit and overload are told by its words.",
		"What a model plans before it calls tools, its `tool_plan`, is the content of the answer. Answers do not name their model.",
	},
	Reply: slices.DeleteFunc(modelReply("Why the model stopped, in the vendor's words: `COMPLETE`, or `TOOL_CALL` where there are any, unless given. `stop`, `length` and `tool_calls` are sent as `COMPLETE`, `MAX_TOKENS` and `TOOL_CALL`."),
		func(a schema.Attr) bool { return a.Name == "model" }),
	ReplyOutput: openaiReply,
}
