package adaptertest_test

import (
	"maps"
	"net/url"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/gemini"
	"github.com/scenario-lang/scenario/wire"
)

// generateContent is Gemini's interface, of its own API and on Vertex AI.
var generateContent = &dialect{
	name:    "generateContent",
	adapter: gemini.Adapter{},
	covers: func(e exchange) bool {
		return strings.HasSuffix(e.url.Host, ".googleapis.com") || isGenerate(e.url)
	},
	calls: func(e exchange) bool { return isGenerate(e.url) },
	others: []service{
		{path: ":countTokens", does: "counting tokens"},
		{path: "/fileSearchStores", does: "storing files to search"},
		{path: "/token", does: "access token"},
	},
	lacks: func(answer wire.Response, documents []map[string]any) (failure.Kind, string) {
		for _, d := range documents {
			if str(object(d["promptFeedback"])["blockReason"]) != "" {
				return "", ""
			}
			for _, c := range list(d["candidates"]) {
				if str(object(c)["finishReason"]) != "" {
					return "", ""
				}
			}
		}
		if answer.Stream {
			return failure.StreamIncomplete, "stream without a finishReason"
		}
		return failure.MalformedResponse, "answer without a finishReason"
	},
	walk:      contentFacts,
	arguments: canonical,
	asks: func(u *url.URL) (providers.Input, bool) {
		base, model, ok := strings.Cut(u.Path, "/models/")
		model, method, _ := strings.Cut(model, ":")
		return providers.Input{BaseURL: u.Scheme + "://" + u.Host + base, Model: model, Stream: method == "streamGenerateContent"}, ok
	},
	endSpeaks: true,
}

func isGenerate(u *url.URL) bool {
	return strings.HasSuffix(u.Path, ":generateContent") || strings.HasSuffix(u.Path, ":streamGenerateContent")
}

// contentFacts walks a recorded answer as untyped JSON. The total is the
// vendor's own.
func contentFacts(_ wire.Response, documents []map[string]any) facts {
	var f facts
	usage := map[string]any{}
	for _, d := range documents {
		f.ID, f.Model = str(d["responseId"]), str(d["modelVersion"])
		maps.Copy(usage, object(d["usageMetadata"]))
		if r := str(object(d["promptFeedback"])["blockReason"]); r != "" {
			f.Finish = r
		}
		for _, c := range list(d["candidates"]) {
			if r := str(object(c)["finishReason"]); r != "" {
				f.Finish = r
			}
			for _, p := range list(object(object(c)["content"])["parts"]) {
				f.contentPart(object(p))
			}
		}
	}
	f.Cached, f.ReasoningTokens = num(usage["cachedContentTokenCount"]), num(usage["thoughtsTokenCount"])
	f.Input = num(usage["promptTokenCount"]) + num(usage["toolUsePromptTokenCount"])
	f.Output = num(usage["candidatesTokenCount"]) + f.ReasoningTokens
	f.Sum = num(usage["totalTokenCount"])
	return f
}

func (f *facts) contentPart(p map[string]any) {
	call := object(p["functionCall"])
	switch {
	case call != nil:
		arguments := "{}"
		if call["args"] != nil {
			arguments = jsonOf(call["args"])
		}
		f.call(str(call["id"]), str(call["name"]), arguments, str(p["thoughtSignature"]))
	case p["thought"] == true:
		f.Reasoning += str(p["text"])
	default:
		f.Content += str(p["text"])
	}
}
