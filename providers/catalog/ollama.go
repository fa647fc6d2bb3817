package catalog

import "github.com/scenario-lang/scenario/providers/ollama"

var ollamaKind = &Kind{
	Name:    "ollama",
	Summary: "Ollama's own chat interface. What it serves in OpenAI's shape under `/v1` is a provider of kind `openai` with that `base_url`.",
	Family:  "llm",
	Adapter: ollama.Adapter{},
	BaseURL: ollama.BaseURL,
	InFailure: []string{
		"A stream is one JSON object a line, and whole with `\"done\": true`.",
		"Errors are a string without a type, `{\"error\": \"…\"}`, also in the middle of a stream: rate limit and overload are told by its words.",
		"A model that is not there is a 404. There is no key, and as a rule no Retry-After.",
	},
	Reply:       modelReply("Why the model stopped, in the server's words: `stop`, also where there are tool calls, unless given. `tool_calls` is sent as `stop`."),
	ReplyOutput: openaiReply,
}
