package adaptertest_test

import (
	"bytes"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/openai"
	"github.com/scenario-lang/scenario/wire"
)

// chatCompletions is spoken by OpenAI and every host that is compatible.
var chatCompletions = &dialect{
	name:    "Chat Completions",
	adapter: openai.Adapter{},
	covers:  func(e exchange) bool { return strings.HasSuffix(e.url.Path, "/chat/completions") },
	calls:   func(exchange) bool { return true },
	lacks: func(answer wire.Response, documents []map[string]any) (failure.Kind, string) {
		choices := false
		for _, d := range documents {
			choices = choices || len(list(d["choices"])) > 0
		}
		switch {
		case !answer.Stream && !choices:
			return failure.MalformedResponse, "answer without choices, in a shape of the service's own, which only an http step reads"
		case answer.Stream && !bytes.Contains(answer.Body(), []byte("[DONE]")) && !bytes.Contains(answer.Body(), []byte(`"finish_reason":"`)):
			return failure.StreamIncomplete, "stream without an end"
		default:
			return "", ""
		}
	},
	walk: completionFacts,
	asks: under("/chat/completions"),
}

// responses is OpenAI's newer interface. A response that is fetched by its id is
// an answer like any other.
var responses = &dialect{
	name:    "Responses",
	adapter: openai.Responses{},
	covers: func(e exchange) bool {
		return e.url.Host == "api.openai.com" || strings.HasSuffix(e.url.Path, "/responses")
	},
	calls: func(e exchange) bool {
		_, after, _ := strings.Cut(e.url.Path, "/responses")
		return strings.HasSuffix(e.url.Path, "/responses") || strings.HasPrefix(after, "/resp_")
	},
	others: []service{
		{path: "/responses/input_tokens", does: "counting tokens"},
		{path: "/responses/compact", does: "shortening a conversation", alike: true},
		{path: "/conversations", does: "keeping a conversation"},
	},
	lacks: func(answer wire.Response, documents []map[string]any) (failure.Kind, string) {
		root := documents[len(documents)-1]
		if answer.Stream {
			root = object(root["response"])
		}
		switch status := str(root["status"]); {
		case answer.Stream && status == "":
			return failure.StreamIncomplete, "stream without an end"
		case status == "queued", status == "in_progress":
			return failure.ProtocolError, "response that is in progress"
		case root["output"] == nil:
			return failure.MalformedResponse, "answer without output"
		default:
			return "", ""
		}
	},
	walk: responseFacts,
	asks: under("/responses"),
}

// under is the input that asks at a path below a base URL.
func under(path string) func(*url.URL) (providers.Input, bool) {
	return func(u *url.URL) (providers.Input, bool) {
		base, ok := strings.CutSuffix(u.EscapedPath(), path)
		return providers.Input{BaseURL: u.Scheme + "://" + u.Host + base}, ok
	}
}

// completionFacts walks a recorded completion as untyped JSON.
func completionFacts(answer wire.Response, documents []map[string]any) facts {
	var f facts
	calls := map[int][3]string{}
	last := -1
	for _, root := range documents {
		if f.Model == "" {
			f.Model = str(root["model"])
		}
		if f.ID == "" {
			f.ID = str(root["id"])
		}
		if u := object(root["usage"]); u != nil {
			f.usage(u, "prompt_tokens", "completion_tokens")
		}
		for _, c := range list(root["choices"]) {
			choice := object(c)
			said := object(choice["message"])
			if answer.Stream {
				said = object(choice["delta"])
			}
			f.said(said)
			if r := str(choice["finish_reason"]); r != "" {
				f.Finish = r
			}
			for n, c := range list(said["tool_calls"]) {
				call := object(c)
				index := n
				if call["index"] != nil {
					index = num(call["index"])
				}
				function, p := object(call["function"]), calls[index]
				calls[index] = [3]string{p[0] + str(call["id"]), p[1] + str(function["name"]), p[2] + str(function["arguments"])}
				last = max(last, index)
			}
		}
	}
	for i := range last + 1 {
		c := calls[i]
		f.call(c[0], c[1], c[2], "")
	}
	return f
}

func (f *facts) said(message map[string]any) {
	f.Content += str(message["content"]) + str(message["refusal"])
	f.Reasoning += str(message["reasoning"]) + str(message["reasoning_content"])
	for _, p := range list(message["content"]) {
		f.Content += str(object(p)["text"])
		for _, thought := range list(object(p)["thinking"]) {
			f.Reasoning += str(object(thought)["text"])
		}
	}
}

// usage reads an object of usage whose names begin with those of the two sides.
func (f *facts) usage(u map[string]any, prompt, completion string) {
	f.Input, f.Output, f.Sum = num(u[prompt]), num(u[completion]), num(u["total_tokens"])
	f.Cached = num(object(u[prompt+"_details"])["cached_tokens"])
	f.ReasoningTokens = num(object(u[completion+"_details"])["reasoning_tokens"])
}

// responseFacts walks a recorded response as untyped JSON. Of a stream it takes
// the last event alone, which has the whole response: the events before it,
// which the adapter reads, have to come to the same.
func responseFacts(answer wire.Response, documents []map[string]any) facts {
	root := documents[len(documents)-1]
	if answer.Stream {
		root = object(root["response"])
	}
	f := facts{ID: str(root["id"]), Model: str(root["model"]), Finish: str(root["status"])}
	if details := object(root["incomplete_details"]); details != nil {
		f.Finish = str(details["reason"])
	}
	f.usage(object(root["usage"]), "input_tokens", "output_tokens")
	for _, o := range list(root["output"]) {
		item := object(o)
		said := ""
		for _, p := range append(list(item["summary"]), list(item["content"])...) {
			said += str(object(p)["text"]) + str(object(p)["refusal"])
		}
		switch item["type"] {
		case "message":
			f.Content += said
		case "reasoning":
			f.Reasoning += said
		case "function_call":
			f.call(str(item["call_id"]), str(item["name"]), str(item["arguments"]), "")
		}
	}
	return f
}
