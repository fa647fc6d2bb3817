package anthropic

import (
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// Claims reports whether a request asks for a message: at the vendor's own API,
// whose base URL may end in /v1 or not, or at an address of Vertex AI or Bedrock.
func (Adapter) Claims(r *http.Request) bool {
	_, ok := addressOf(r)
	return ok
}

// Read reads a request for a message, as the API's reference has it
// (https://docs.anthropic.com/en/api/messages). The system's blocks are messages
// of the system, one each, before all others; the results of tools are messages
// of their own. Of a content only the text is read.
func (Adapter) Read(r *http.Request, body []byte) (providers.Input, error) {
	to, _ := addressOf(r)
	o := chat.ReadObject(body)
	in := providers.Input{
		Model:          to.model,
		Messages:       readSystem(o.Get("system")),
		Temperature:    o.Get("temperature").Number(),
		MaxTokens:      o.Get("max_tokens").Int(),
		Stream:         to.stream || o.Get("stream").Bool(),
		ResponseFormat: readFormat(o),
	}
	if to.model == "" {
		in.Model = o.Get("model").Text()
	}
	if to.amazon {
		in.BaseURL = bedrockURL // whose streams are encoded otherwise
	}
	for _, turn := range o.Need("messages").Objects() {
		in.Messages = append(in.Messages, readTurn(turn)...)
	}
	for _, t := range o.Get("tools").Objects() {
		if t.Get("type").Given() && !t.Get("name").Given() {
			continue // a set of tools that a server has
		}
		in.Tools = append(in.Tools, providers.Tool{
			Name: t.Need("name").Text(), Description: t.Get("description").Text(), Schema: t.Get("input_schema").Any(),
		})
	}
	return chat.Result(in, o)
}

// An address is what stands in the path of a request.
type address struct {
	// model is "" where the body names it.
	model  string
	stream bool
	// amazon says that the stream is one in Amazon's encoding.
	amazon bool
}

func addressOf(r *http.Request) (address, bool) {
	if r.Method != http.MethodPost {
		return address{}, false
	}
	if chat.Posts(r, "/v1/messages", "/messages") {
		return address{}, true
	}
	switch model, method := chat.ModelMethod(r, "models"); method {
	case "rawPredict", "streamRawPredict":
		return address{model: model, stream: method == "streamRawPredict"}, model != ""
	}
	model, ok := strings.CutPrefix(r.URL.EscapedPath(), "/model/")
	if !ok {
		return address{}, false
	}
	model, method, ok := cutLast(model, "/")
	stream := method == "invoke-with-response-stream"
	return address{model: chat.Unescaped(model), stream: stream, amazon: stream}, ok && model != "" && (stream || method == "invoke")
}

// cutLast cuts a text around the last separator in it.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// readFormat reads where the format stands now, and where it stood before.
func readFormat(o chat.Object) any {
	if v := o.Get("output_config").Object().Get("format"); v.Given() {
		return v.Any()
	}
	return o.Get("output_format").Any()
}

func readSystem(v chat.Value) []providers.Message {
	if !v.IsList() {
		if !v.Given() {
			return nil
		}
		return []providers.Message{{Role: "system", Content: v.Said()}}
	}
	var list []providers.Message
	for _, b := range v.Objects() {
		list = append(list, providers.Message{Role: "system", Content: b.Need("text").Text()})
	}
	return list
}

// readTurn is one message of the API: the results of tools that it holds, then
// what is said.
func readTurn(o chat.Object) []providers.Message {
	said := providers.Message{Role: o.Need("role").Text()}
	content := o.Need("content")
	if !content.IsList() {
		said.Content = content.Said()
		return []providers.Message{said}
	}
	var results []providers.Message
	speaks := false
	for _, b := range content.Objects() {
		switch b.Need("type").Text() {
		case "text":
			said.Content += b.Need("text").Text()
			speaks = true
		case "tool_use":
			said.ToolCalls = append(said.ToolCalls, providers.ToolCall{
				ID: b.Need("id").Text(), Name: b.Need("name").Text(), Arguments: b.Get("input").Arguments(),
			})
		case "tool_result":
			results = append(results, providers.Message{
				Role: "tool", ToolCallID: b.Need("tool_use_id").Text(), Content: b.Get("content").Texts("text"),
			})
		}
	}
	if results == nil {
		return []providers.Message{said}
	}
	if !speaks && said.ToolCalls == nil {
		return results
	}
	said.WithResults = true
	return append(results, said)
}
