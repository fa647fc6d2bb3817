package openai

import (
	"cmp"
	"context"
	"net/http"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
	"github.com/scenario-lang/scenario/providers/internal/chat"
)

// The events of a stream that are read; those of every other type are passed
// over.
const (
	eventCreated       = "response.created"
	eventItemAdded     = "response.output_item.added"
	eventItemDone      = "response.output_item.done"
	eventText          = "response.output_text.delta"
	eventRefusal       = "response.refusal.delta"
	eventSummary       = "response.reasoning_summary_text.delta"
	eventReasoning     = "response.reasoning_text.delta"
	eventArguments     = "response.function_call_arguments.delta"
	eventArgumentsDone = "response.function_call_arguments.done"
	eventCompleted     = "response.completed"
	eventIncomplete    = "response.incomplete"
	eventFailed        = "response.failed"
	eventError         = "error"
)

// A responsesReader puts a streamed response together, event by event.
type responsesReader struct {
	chat.Answer
	calls toolCalls
}

func readResponseStream(ctx context.Context, _ providers.Input, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &responsesReader{Answer: chat.Answer{Out: out, Sink: sink}}
	failed := chat.ReadEvents(ctx, resp.Body, r)
	return r.result(failed == nil), failed
}

func (r *responsesReader) result(complete bool) providers.Output {
	r.Out.ToolCalls = r.calls.list()
	return r.Output(complete)
}

// Cut is a stream that ends before the event that ends it.
func (r *responsesReader) Cut(err error) *failure.Failure {
	return chat.Cut(err, eventCompleted, r.Deltas)
}

// Take reads the type of an event first, because the fields of types that are
// not known may be anything.
func (r *responsesReader) Take(data []byte) (ended bool, failed *failure.Failure) {
	if string(data) == done {
		return false, chat.Incomplete("the stream ended with " + done + ", without " + eventCompleted)
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := providers.DecodeObject(data, &head); err != nil {
		return false, chat.Unreadable(err, data)
	}
	switch head.Type {
	case eventText, eventRefusal, eventSummary, eventReasoning:
		return false, r.delta(head.Type, data)
	case eventItemAdded, eventItemDone, eventArguments, eventArgumentsDone:
		return false, r.call(head.Type, data)
	case eventCreated, eventCompleted, eventIncomplete, eventFailed:
		return head.Type != eventCreated, r.response(head.Type, data)
	case eventError, "":
		return false, r.reported(data)
	default:
		return false, nil
	}
}

func (r *responsesReader) delta(typ string, data []byte) *failure.Failure {
	var e struct {
		Delta string `json:"delta"`
	}
	if err := providers.DecodeJSON(data, &e); err != nil {
		return chat.Unreadable(err, data)
	}
	if typ == eventText || typ == eventRefusal {
		return r.Say(e.Delta)
	}
	r.Think(e.Delta)
	return nil
}

// call reads an event of an item. Whole arguments replace what their deltas
// came to.
func (r *responsesReader) call(typ string, data []byte) *failure.Failure {
	var e struct {
		OutputIndex int         `json:"output_index"`
		Item        *outputItem `json:"item"`
		Delta       string      `json:"delta"`
		Arguments   string      `json:"arguments"`
	}
	if err := providers.DecodeJSON(data, &e); err != nil {
		return chat.Unreadable(err, data)
	}
	ofItem := typ == eventItemAdded || typ == eventItemDone
	if typ == eventItemDone && e.Item != nil {
		r.Out.Thoughts = append(r.Out.Thoughts, e.Item.thoughts()...)
	}
	if ofItem && (e.Item == nil || e.Item.Type != itemCall) {
		return nil
	}
	c, err := r.calls.at(e.OutputIndex)
	if err != nil {
		return providers.Malformed("%v", err)
	}
	r.Deltas++
	switch typ {
	case eventArguments:
		c.arguments.WriteString(e.Delta)
	case eventArgumentsDone:
		c.setArguments(e.Arguments)
	default:
		whole := e.Item.call()
		c.id, c.name = cmp.Or(whole.ID, c.id), cmp.Or(whole.Name, c.name)
		if whole.Arguments != "" {
			c.setArguments(whole.Arguments)
		}
	}
	return nil
}

// response reads the event that begins a response or one that ends it.
func (r *responsesReader) response(typ string, data []byte) *failure.Failure {
	var e struct {
		Response *response `json:"response"`
	}
	if err := providers.DecodeJSON(data, &e); err != nil {
		return chat.Unreadable(err, data)
	}
	if e.Response == nil {
		return providers.Malformed("the event %s has no response: %s", typ, providers.Excerpt(data))
	}
	if typ == eventCreated {
		r.Out.ID, r.Out.Model = e.Response.ID, e.Response.Model
		return nil
	}
	r.Out = e.Response.about(r.Out)
	failed := e.Response.failed(streamError)
	switch {
	case failed != nil:
		return failed
	case typ == eventFailed:
		return streamError(apiError{Message: "the response is " + statusFailed})
	case r.Deltas == 0:
		return r.whole(e.Response.Output)
	default:
		return nil
	}
}

// whole takes the output of a host that sends it at the end alone.
func (r *responsesReader) whole(output []outputItem) *failure.Failure {
	had := len(r.Out.Thoughts) > 0
	for i, item := range output {
		switch item.Type {
		case itemReasoning:
			r.Think(item.reasoning())
			if !had {
				r.Out.Thoughts = append(r.Out.Thoughts, item.thoughts()...)
			}
		case itemCall:
			c, err := r.calls.at(i)
			if err != nil {
				return providers.Malformed("%v", err)
			}
			call := item.call()
			c.id, c.name = call.ID, call.Name
			c.setArguments(call.Arguments)
		case itemMessage:
			if failed := r.Say(item.text()); failed != nil {
				return failed
			}
		}
	}
	return nil
}

// reported is an error event: the fields of the error beside the event's type,
// or as some hosts have it the error object of a refused request.
func (r *responsesReader) reported(data []byte) *failure.Failure {
	var e struct {
		Type  string    `json:"type"`
		Error *apiError `json:"error"`
	}
	if err := providers.DecodeJSON(data, &e); err != nil {
		return chat.Unreadable(err, data)
	}
	switch {
	case e.Error != nil:
		return streamError(*e.Error)
	case e.Type == "":
		return providers.Malformed("an event of the stream has neither a type nor an error: %s", providers.Excerpt(data))
	}
	var flat apiError
	if err := providers.DecodeJSON(data, &flat); err != nil {
		return chat.Unreadable(err, data)
	}
	flat.Type = ""
	return streamError(flat)
}
