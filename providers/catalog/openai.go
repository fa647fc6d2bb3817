package catalog

import (
	"strconv"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/schema"
)

// The values of the attribute `api`.
const (
	chatCompletions = "chat_completions"
	responses       = "responses"
)

var openaiKind = &Kind{
	Name:    "openai",
	Summary: "OpenAI's Chat Completions and Responses, and every service compatible with either.",
	Family:  "llm",
	Adapter: openai.Adapter{},
	APIs:    map[string]providers.Adapter{chatCompletions: openai.Adapter{}, responses: openai.Responses{}},
	BaseURL: openai.BaseURL,
	InFailure: []string{
		"A stream of Chat Completions is whole with `data: [DONE]`; its client libraries treat one that ends without it as complete, this adapter calls it `stream_incomplete`. One of Responses is whole with `response.completed`, `response.incomplete` or `response.failed`.",
		"An error inside a stream is an `error` object in an event (Chat Completions), or an `error` event or `response.failed` (Responses).",
		"An error object may come with status 200, from gateways in front of it above all: it is classified by its type.",
		"A response that is still queued or in progress is a `protocol_error` where nobody asked for one in the background. A program that does, with `background = true`, fetches it until it is there: both are requests of the provider with `api = \"responses\"`, and `reply { finish_reason = \"in_progress\" }` is an answer that is not there yet.",
		"A cut answer has `finish_reason` `length`; with `api = \"responses\"` it is an incomplete response with the reason `max_output_tokens`.",
	},
	Attrs: []schema.Attr{{
		Name: "api", Type: schema.String, Default: strconv.Quote(chatCompletions), OneOf: []string{chatCompletions, responses},
		Doc: "Which of the vendor's interfaces is spoken.",
	}},
	Reply: []schema.Attr{
		{Name: "content", Type: schema.String, Doc: "The text of the answer. With `stream = true` it is split after each word's trailing space."},
		{Name: "chunks", Type: schema.Strings, Doc: "The deltas of a streamed answer, one event each. Joined they are the content."},
		{Name: "tool_calls", Type: schema.Any, Doc: "The tools that the model asks for: a list of `{ id, name, arguments }`. `arguments` is an object, whose members are sent in the order of their names, or a string that is sent as it is, valid JSON or not; `id` is numbered where it is missing."},
		{Name: "finish_reason", Type: schema.String, Doc: "Why the model stopped: `stop`, or `tool_calls` where there are any, unless given. With `api = \"responses\"` it is read back as `completed`, or as the reason of an incomplete response: `max_output_tokens` for `length`, any other word as it is."},
		{Name: "usage", Type: schema.Map, Doc: "The tokens reported: `{ prompt_tokens, completion_tokens, total_tokens, cached_tokens, reasoning_tokens }`. Without it a quarter of the characters, rounded up; without `total_tokens` the sum."},
		{Name: "model", Type: schema.String, Doc: "The model that the answer names: the one asked for, unless given."},
		costAttr, latencyAttr, chunkDelayAttr,
	},
	ReplyOutput: openaiReply,
}

func openaiReply(values schema.Values) (providers.Output, error) {
	r := reader{values: values}
	out := providers.Output{
		Content:      r.text("content"),
		Chunks:       r.texts("chunks"),
		ToolCalls:    r.toolCalls("tool_calls"),
		FinishReason: r.text("finish_reason"),
		Usage:        r.usage("usage"),
		Model:        r.text("model"),
	}
	r.common(&out)
	if r.err == nil && out.Chunks != nil && r.has("content") {
		return providers.Output{}, errTwoTexts
	}
	return out, r.err
}
