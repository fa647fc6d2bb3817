package catalog

import "github.com/scenario-lang/scenario/providers/ollama"

var ollamaKind = &Kind{
	Name:        "ollama",
	Summary:     "Ollama's own chat interface. What it serves in OpenAI's shape under `/v1` is a provider of kind `openai` with that `base_url`.",
	Family:      "llm",
	Adapter:     ollama.Adapter{},
	BaseURL:     ollama.BaseURL,
	Reply:       modelReply("Why the model stopped, in the server's words: `stop`, also where there are tool calls, unless given. `tool_calls` is sent as `stop`."),
	ReplyOutput: openaiReply,
}
