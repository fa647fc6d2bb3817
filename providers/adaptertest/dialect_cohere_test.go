package adaptertest_test

import (
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers/cohere"
	"github.com/scenario-lang/scenario/wire"
)

// cohereChat is the second version of Cohere's chat interface.
var cohereChat = &dialect{
	name:    "Cohere",
	adapter: cohere.Adapter{},
	covers:  func(e exchange) bool { return e.url.Host == "api.cohere.com" },
	calls:   func(e exchange) bool { return strings.HasSuffix(e.url.Path, "/v2/chat") },
	lacks: func(answer wire.Response, documents []map[string]any) (failure.Kind, string) {
		last := documents[len(documents)-1]
		switch {
		case answer.Stream && last["type"] != "message-end":
			return failure.StreamIncomplete, "stream without an end"
		case !answer.Stream && last["finish_reason"] == nil:
			return failure.MalformedResponse, "answer without a finish_reason"
		}
		return "", ""
	},
	walk: cohereFacts,
	asks: under("/v2/chat"),
}

// cohereFacts walks a recorded answer as untyped JSON.
func cohereFacts(answer wire.Response, documents []map[string]any) facts {
	var f facts
	calls := [][3]string{}
	for _, d := range documents {
		if id := str(d["id"]); id != "" {
			f.ID = id
		}
		root := d
		if answer.Stream {
			root = object(d["delta"])
		}
		f.Finish += str(root["finish_reason"])
		if u := object(root["usage"]); u != nil {
			f.Input, f.Output, f.Cached = num(object(u["tokens"])["input_tokens"]), num(object(u["tokens"])["output_tokens"]), num(u["cached_tokens"])
		}
		message := object(root["message"])
		f.Content += str(message["tool_plan"])
		parts := list(message["content"])
		if one := object(message["content"]); one != nil {
			parts = append(parts, one)
		}
		for _, p := range parts {
			f.Content += str(object(p)["text"])
			f.Reasoning += str(object(p)["thinking"])
		}
		asked := list(message["tool_calls"])
		if one := object(message["tool_calls"]); one != nil {
			asked = append(asked, one)
		}
		for _, c := range asked {
			function := object(object(c)["function"])
			if d["type"] == "tool-call-delta" {
				calls[len(calls)-1][2] += str(function["arguments"])
				continue
			}
			calls = append(calls, [3]string{str(object(c)["id"]), str(function["name"]), str(function["arguments"])})
		}
	}
	f.Sum = f.Input + f.Output
	for _, c := range calls {
		f.call(c[0], c[1], c[2], "")
	}
	return f
}
