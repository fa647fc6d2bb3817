package openai

import (
	"cmp"
	"encoding/json"
	"strconv"

	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
	"github.com/scenario-lang/scenario/wire"
)

// A writtenResponse is a response as the vendor writes it: some of its fields
// only repeat the request, but clients demand them.
type writtenResponse struct {
	ID                string             `json:"id"`
	Object            string             `json:"object"`
	CreatedAt         int64              `json:"created_at"`
	Status            string             `json:"status"`
	Error             *responseError     `json:"error"`
	IncompleteDetails *incompleteDetails `json:"incomplete_details"`
	Instructions      *string            `json:"instructions"`
	Metadata          struct{}           `json:"metadata"`
	Model             string             `json:"model"`
	Output            []outputItem       `json:"output"`
	ParallelToolCalls bool               `json:"parallel_tool_calls"`
	Temperature       *float64           `json:"temperature"`
	ToolChoice        string             `json:"tool_choice"`
	Tools             []struct{}         `json:"tools"`
	TopP              *float64           `json:"top_p"`
	Usage             *responsesUsage    `json:"usage"`
}

// A responseError has no type, unlike the error objects of refused requests.
type responseError struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

const defaultResponseID = "resp_scenario"

// Render lays a reply out as the API answers it: one response, or for a stream
// the events that build it up item by item, with the whole response in the
// last. The items are the reasoning, the message, and a function call each.
// The finish reasons of Chat Completions become what this API has for them:
// "stop" and "tool_calls" are a completed response, "length" is an incomplete
// one for "max_output_tokens"; any other word is an incomplete response's
// reason. The rest is as [Adapter.Render] has it.
func (Responses) Render(in providers.Input, out providers.Output) wire.Response {
	out.ID = cmp.Or(out.ID, defaultResponseID)
	out = completed(in, out)
	if in.Stream {
		return renderResponseStream(out)
	}
	return whole(200, out, finished(out))
}

// RenderError is the vendor's error object for a status; an error inside a 200
// is a failed response, whose error has a code for its type.
func (Responses) RenderError(in providers.Input, status int, typ, message string) wire.Response {
	if status != 200 {
		return Adapter{}.RenderError(in, status, typ, message)
	}
	usual := usualError(status)
	out := completed(in, providers.Output{ID: defaultResponseID})
	failed := written(out, statusFailed)
	failed.Error = &responseError{Code: cmp.Or(typ, usual.typ), Message: cmp.Or(message, usual.message)}
	return whole(status, providers.Output{}, failed)
}

func written(out providers.Output, status string) writtenResponse {
	return writtenResponse{
		ID: out.ID, Object: "response", CreatedAt: created, Status: status, Model: out.Model,
		Output: []outputItem{}, ParallelToolCalls: true, ToolChoice: "auto", Tools: []struct{}{},
	}
}

// finished is the response with its whole output.
func finished(out providers.Output) writtenResponse {
	status, reason := ending(out.FinishReason)
	r := written(out, status)
	if reason != "" {
		r.IncompleteDetails = &incompleteDetails{Reason: reason}
	}
	r.Output = items(out)
	r.Usage = &responsesUsage{
		InputTokens: out.Usage.Prompt, InputDetails: promptDetails{CachedTokens: out.Usage.Cached},
		OutputTokens: out.Usage.Completion, OutputDetails: completionDetails{ReasoningTokens: out.Usage.Reasoning},
		TotalTokens: out.Usage.Total,
	}
	return r
}

func ending(finishReason string) (status, reason string) {
	switch finishReason {
	case "stop", "tool_calls", statusCompleted:
		return statusCompleted, ""
	case statusQueued, statusInProgress:
		return finishReason, ""
	case "length", "max_tokens":
		return statusIncomplete, "max_output_tokens"
	default:
		return statusIncomplete, finishReason
	}
}

// items are the whole items of an output, in the order in which a stream
// builds them. A message that only calls tools has no text, and no item.
func items(out providers.Output) []outputItem {
	list := []outputItem{}
	if out.Reasoning != "" {
		list = append(list, outputItem{ID: "rs_1", Type: itemReasoning, Summary: &[]itemPart{summaryPart(out.Reasoning)}})
	}
	if out.Content != "" || len(out.ToolCalls) == 0 {
		list = append(list, outputItem{
			ID: "msg_1", Type: itemMessage, Status: statusCompleted, Role: "assistant", Content: &[]itemPart{textPart(out.Content)},
		})
	}
	for i, c := range out.ToolCalls {
		list = append(list, outputItem{
			ID: "fc_" + strconv.Itoa(i+1), Type: itemCall, Status: statusCompleted,
			CallID: callID(c, i), Name: c.Name, Arguments: &c.Arguments,
		})
	}
	return list
}

func summaryPart(text string) itemPart { return itemPart{Type: "summary_text", Text: text} }

func textPart(text string) itemPart {
	return itemPart{Type: "output_text", Text: text, Annotations: json.RawMessage("[]")}
}

// begun is an item as the event announces it that it is added with: nothing of
// what it will say.
func (i outputItem) begun() outputItem {
	none := ""
	switch i.Type {
	case itemReasoning:
		i.Summary = &[]itemPart{}
	case itemMessage:
		i.Status, i.Content = statusInProgress, &[]itemPart{}
	case itemCall:
		i.Status, i.Arguments = statusInProgress, &none
	}
	return i
}

// RenderStreamError is the event by which the API reports an error inside a
// stream.
func (Responses) RenderStreamError(_ providers.Input, typ, message string) []byte {
	usual := usualError(200)
	return providers.AppendEvent(nil, eventError, chat.Encode(fields{
		"type": eventError, "code": cmp.Or(typ, usual.typ), "message": cmp.Or(message, usual.message), "param": nil, "sequence_number": 0,
	}))
}
