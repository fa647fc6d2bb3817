package gemini

import (
	"errors"
	"net/http"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// The methods of a model, which stand in the address.
const (
	methodWhole  = "generateContent"
	methodStream = "streamGenerateContent"
)

// Claims reports whether a request asks a model for content, whatever version,
// project or publisher stands before the model in its address.
func (Adapter) Claims(r *http.Request) bool {
	model, _ := modelAsked(r)
	return model != ""
}

// modelAsked is the model in an address, "" for any other address, and whether
// it is asked for a stream.
func modelAsked(r *http.Request) (model string, stream bool) {
	if r.Method != http.MethodPost {
		return "", false
	}
	model, method := chat.ModelMethod(r, "models")
	if model == "" {
		if model, method = chat.ModelMethod(r, "tunedModels"); model != "" {
			model = "tunedModels/" + model
		}
	}
	switch method {
	case methodWhole, methodStream:
		return model, method == methodStream
	}
	return "", false
}

var errNoEvents = errors.New("the address asks streamGenerateContent for a JSON list, which is not written: it has to have the query parameter alt=sse")

// Read reads a request for content, as the API's reference has it
// (https://ai.google.dev/api/generate-content), with names in camelCase or in
// snake_case, as the encoding of its messages in JSON allows
// (https://protobuf.dev/programming-guides/json/). The model and whether a
// stream is wanted stand in the address. The parts of the system's instruction
// are messages of the system, one each, before all others; the results of
// functions are messages of their own. Of other parts only the text is read, and
// of the generation's configuration that which an input has.
func (Adapter) Read(r *http.Request, body []byte) (providers.Input, error) {
	model, stream := modelAsked(r)
	if stream && r.URL.Query().Get("alt") != "sse" {
		return providers.Input{}, errNoEvents
	}
	o := chat.ReadObject(body)
	config := o.Get("generationConfig", "generation_config").Object()
	in := providers.Input{
		Model:          model,
		Messages:       readSystem(o.Get("systemInstruction", "system_instruction")),
		Tools:          readTools(o.Get("tools")),
		Temperature:    config.Get("temperature").Number(),
		MaxTokens:      config.Get("maxOutputTokens", "max_output_tokens").Int(),
		Stream:         stream,
		ResponseFormat: readFormat(config),
	}
	for _, c := range o.Need("contents").Objects() {
		in.Messages = append(in.Messages, readTurn(c)...)
	}
	return chat.Result(in, o)
}

// readSystem reads a content, and the bare text that the vendor takes for one.
func readSystem(v chat.Value) []providers.Message {
	if v.IsText() {
		return []providers.Message{{Role: "system", Content: v.Text()}}
	}
	var list []providers.Message
	for _, p := range v.Object().Get("parts").Objects() {
		if text := p.Get("text"); text.Given() {
			list = append(list, providers.Message{Role: "system", Content: text.Text()})
		}
	}
	return list
}

func readTools(v chat.Value) []providers.Tool {
	var list []providers.Tool
	for _, t := range v.Objects() {
		for _, f := range t.Get("functionDeclarations", "function_declarations").Objects() {
			list = append(list, providers.Tool{
				Name: f.Need("name").Text(), Description: f.Get("description").Text(),
				Schema: f.Get("parametersJsonSchema", "parameters_json_schema", "parameters").Any(),
			})
		}
	}
	return list
}

// formatFields are the fields of a configuration that say in which format an
// answer is wanted, each with its other spelling.
var formatFields = [][2]string{
	{"responseMimeType", "response_mime_type"},
	{"responseSchema", "response_schema"},
	{"responseJsonSchema", "response_json_schema"},
}

func readFormat(config chat.Object) any {
	if v := config.Get("responseFormat", "response_format"); v.Given() {
		return v.Any()
	}
	format := map[string]any{}
	for _, names := range formatFields {
		if v := config.Get(names[:]...); v.Given() {
			format[names[0]] = v.Any()
		}
	}
	if len(format) == 0 {
		return nil
	}
	return format
}

// readTurn is one content: the results of functions that it holds, then what is
// said. A content without a role is the user's.
func readTurn(o chat.Object) []providers.Message {
	said := providers.Message{Role: "user"}
	if role := o.Get("role").Text(); role == "model" {
		said.Role = "assistant"
	} else if role != "" {
		said.Role = role
	}
	var results []providers.Message
	speaks := false
	for _, p := range o.Get("parts").Objects() {
		text, call, result := p.Get("text"), p.Get("functionCall", "function_call"), p.Get("functionResponse", "function_response")
		switch {
		case call.Given():
			said.ToolCalls = append(said.ToolCalls, readCall(call.Object(), p.Get("thoughtSignature", "thought_signature").Text()))
		case result.Given():
			results = append(results, readResult(result.Object()))
		case text.Given() && !p.Get("thought").Bool():
			said.Content += text.Text()
			speaks = true
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

func readCall(o chat.Object, signature string) providers.ToolCall {
	return providers.ToolCall{ID: o.Get("id").Text(), Name: o.Need("name").Text(), Arguments: o.Get("args").Arguments(), Signature: signature}
}

func readResult(o chat.Object) providers.Message {
	return providers.Message{Role: "tool", ToolCallID: o.Get("id").Text(), Name: o.Need("name").Text(), Content: answered(o.Get("response"))}
}

// answered is what a function answered: of an object with nothing but a result
// or an output that, as the vendor's libraries wrap an answer, else the object.
func answered(v chat.Value) string {
	if !v.Given() {
		return ""
	}
	o := v.Object()
	for _, name := range []string{"result", "output"} {
		if only, ok := o.Only(name); ok {
			return only.Compact()
		}
	}
	return v.Compact()
}
