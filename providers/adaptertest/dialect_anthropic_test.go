package adaptertest_test

import (
	"maps"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/anthropic"
	"github.com/scenario-lang/scenario/wire"
)

// messages is Claude's interface, at Anthropic, on Vertex AI and on Bedrock.
var messages = &dialect{
	name:    "Messages",
	adapter: anthropic.Adapter{},
	covers: func(e exchange) bool {
		return e.url.Host == "api.anthropic.com" || strings.Contains(e.url.Path, "/publishers/anthropic/") ||
			strings.HasPrefix(e.url.Host, "bedrock-runtime.") || strings.HasSuffix(e.url.Path, "/v1/messages")
	},
	calls: func(e exchange) bool {
		for _, end := range []string{"/v1/messages", ":rawPredict", ":streamRawPredict", "/invoke", "/invoke-with-response-stream"} {
			if strings.HasSuffix(e.url.Path, end) {
				return true
			}
		}
		return false
	},
	others: []service{{path: "/count_tokens", does: "counting tokens"}},
	lacks: func(answer wire.Response, documents []map[string]any) (failure.Kind, string) {
		for _, d := range documents {
			if (!answer.Stream && d["type"] == "message") || d["type"] == "message_stop" {
				return "", ""
			}
		}
		if answer.Stream {
			return failure.StreamIncomplete, "stream without message_stop"
		}
		return failure.MalformedResponse, "answer that is no message"
	},
	walk:      messageFacts,
	arguments: canonical,
	asks: func(u *url.URL) (providers.Input, bool) {
		path := u.EscapedPath()
		in := providers.Input{BaseURL: u.Scheme + "://" + u.Host, Stream: strings.HasSuffix(path, ":streamRawPredict")}
		switch {
		case strings.Contains(path, "/publishers/anthropic/models/"):
			base, model, _ := strings.Cut(path, "/models/")
			in.BaseURL += base
			in.Model, _, _ = strings.Cut(model, ":")
		case strings.HasPrefix(path, "/model/"):
			name, method, _ := strings.Cut(strings.TrimPrefix(path, "/model/"), "/")
			model, err := url.PathUnescape(name)
			if err != nil {
				return in, false
			}
			in.Model, in.Stream = model, method == "invoke-with-response-stream"
		default:
			in.BaseURL += strings.TrimSuffix(path, "/v1/messages")
		}
		return in, true
	},
}

// messageFacts walks a recorded message as untyped JSON.
func messageFacts(_ wire.Response, documents []map[string]any) facts {
	var f facts
	usage := map[string]any{}
	blocks := map[int]map[string]any{}
	last := -1
	for _, d := range documents {
		switch str(d["type"]) {
		case "message":
			f.ID, f.Model, f.Finish = str(d["id"]), str(d["model"]), str(d["stop_reason"])
			maps.Copy(usage, object(d["usage"]))
			for i, b := range list(d["content"]) {
				blocks[i], last = object(b), i
				blocks[i]["json"] = jsonOf(blocks[i]["input"])
			}
		case "message_start":
			m := object(d["message"])
			f.ID, f.Model = str(m["id"]), str(m["model"])
			maps.Copy(usage, object(m["usage"]))
		case "content_block_start":
			last = max(last, num(d["index"]))
			blocks[num(d["index"])] = object(d["content_block"])
		case "content_block_delta":
			b, delta := blocks[num(d["index"])], object(d["delta"])
			b["text"] = str(b["text"]) + str(delta["text"])
			b["thinking"] = str(b["thinking"]) + str(delta["thinking"])
			b["json"] = str(b["json"]) + str(delta["partial_json"])
		case "message_delta":
			f.Finish = str(object(d["delta"])["stop_reason"])
			maps.Copy(usage, object(d["usage"]))
		}
	}
	for i := range last + 1 {
		b := blocks[i]
		switch str(b["type"]) {
		case "text":
			f.Content += str(b["text"])
		case "thinking":
			f.Reasoning += str(b["thinking"])
		case "tool_use":
			arguments := str(b["json"])
			if arguments == "" {
				arguments = "{}"
			}
			f.call(str(b["id"]), str(b["name"]), canonical(arguments), "")
		}
	}
	f.Cached = num(usage["cache_read_input_tokens"])
	f.Input = num(usage["input_tokens"]) + num(usage["cache_creation_input_tokens"]) + f.Cached
	f.Output = num(usage["output_tokens"])
	f.ReasoningTokens = num(object(usage["output_tokens_details"])["thinking_tokens"])
	f.Sum = f.Input + f.Output
	return f
}
