package openai_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/wire"
)

// facts are what a recorded answer says, in terms of neither package.
type facts struct {
	Content, Reasoning, Finish, Model                  string
	Calls                                              []string
	Prompt, Completion, Total, Cached, ReasoningTokens float64
}

// found are the facts as an adapter found them.
func found(out providers.Output) facts {
	f := facts{
		Content: out.Content, Reasoning: out.Reasoning, Finish: out.FinishReason, Model: out.Model,
		Prompt: float64(out.Usage.Prompt), Completion: float64(out.Usage.Completion), Total: float64(out.Usage.Total),
		Cached: float64(out.Usage.Cached), ReasoningTokens: float64(out.Usage.Reasoning),
	}
	for _, c := range out.ToolCalls {
		f.Calls = append(f.Calls, c.ID+" "+c.Name+" "+c.Arguments)
	}
	return f
}

// completionFacts walks a recorded completion as untyped JSON.
func completionFacts(t *testing.T, answer wire.Response) facts {
	t.Helper()
	var f facts
	calls := map[float64][3]string{}
	last := -1.0
	for _, root := range documents(t, answer) {
		if f.Model == "" {
			f.Model = str(root["model"])
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
				index, ok := call["index"].(float64)
				if !ok {
					index = float64(n)
				}
				function, p := object(call["function"]), calls[index]
				calls[index] = [3]string{p[0] + str(call["id"]), p[1] + str(function["name"]), p[2] + str(function["arguments"])}
				last = max(last, index)
			}
		}
	}
	for i := 0.0; i <= last; i++ {
		c := calls[i]
		f.Calls = append(f.Calls, strings.Join(c[:], " "))
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
	f.Prompt, f.Completion, f.Total = num(u[prompt]), num(u[completion]), num(u["total_tokens"])
	f.Cached = num(object(u[prompt+"_details"])["cached_tokens"])
	f.ReasoningTokens = num(object(u[completion+"_details"])["reasoning_tokens"])
}

// responseFacts walks a recorded response as untyped JSON. Of a stream it takes
// the last event alone, which has the whole response: the events before it,
// which the adapter reads, have to come to the same.
func responseFacts(t *testing.T, answer wire.Response) facts {
	t.Helper()
	documents := documents(t, answer)
	root := documents[len(documents)-1]
	if answer.Stream {
		root = object(root["response"])
	}
	f := facts{Model: str(root["model"]), Finish: str(root["status"])}
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
			f.Calls = append(f.Calls, str(item["call_id"])+" "+str(item["name"])+" "+str(item["arguments"]))
		}
	}
	return f
}
