package lie

import "github.com/scenario-lang/scenario/schema"

// refused is what most say.
const refused = "I'm sorry, but I can't help with that."

// Refusal declines in good order.
var Refusal = &Lie{
	Name:       "refusal",
	Summary:    "A refusal in a success: a model or a tool answers, in good order, that it will not. A database that refuses so returns no rows: `truncated_list` with `keep = 0`; an HTTP service that says so under status 200 is `error_in_200`.",
	AlsoCalled: []string{"refused_answer", "model_refusal", "declined", "guardrail"},
	For:        []string{"llm", "mcp tool"},
	Attrs: []schema.Attr{
		{Name: "content", Type: schema.String, Default: `"` + refused + `"`, Doc: "What it says."},
		{Name: "finish_reason", Type: schema.String, Doc: "The finish reason of a model, such as `content_filter` or `refusal`. Default: that of any whole answer."},
	},
	Words: refused,
	Tried: []schema.Values{{}},
}
