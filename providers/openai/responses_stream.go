package openai

import (
	"context"
	"net/http"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
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
	out       providers.Output
	content   strings.Builder
	reasoning strings.Builder
	calls     toolCalls
	// deltas counts what the model said, as in a streamReader.
	deltas int
	sink   func(providers.Chunk) error
}

func (Responses) readStream(ctx context.Context, resp *http.Response, out providers.Output, sink func(providers.Chunk) error) (providers.Output, *failure.Failure) {
	r := &responsesReader{out: out, sink: sink}
	failed := readEvents(ctx, resp.Body, eventCompleted, &r.deltas, r.take)
	return r.result(failed == nil), failed
}

func (r *responsesReader) result(complete bool) providers.Output {
	r.out.Content = r.content.String()
	r.out.Reasoning = r.reasoning.String()
	r.out.ToolCalls = r.calls.list()
	r.out.Complete = complete
	return r.out
}

// take reads the type of an event first, because the fields of types that are
// not known may be anything.
func (r *responsesReader) take(data []byte) (ended bool, failed *failure.Failure) {
	if string(data) == done {
		return false, incomplete("the stream ended with " + done + ", without " + eventCompleted)
	}
	var head struct {
		Type string `json:"type"`
	}
	if err := providers.DecodeObject(data, &head); err != nil {
		return false, unreadable(err, data)
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
		return unreadable(err, data)
	}
	switch {
	case e.Delta == "":
		return nil
	case typ == eventText, typ == eventRefusal:
		return r.chunk(e.Delta)
	default:
		r.deltas++
		r.reasoning.WriteString(e.Delta)
		return nil
	}
}

func (r *responsesReader) chunk(text string) *failure.Failure {
	r.deltas++
	r.content.WriteString(text)
	r.out.Chunks = append(r.out.Chunks, text)
	if err := r.sink(providers.Chunk{Content: text}); err != nil {
		return providers.Stopped(err)
	}
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
		return unreadable(err, data)
	}
	ofItem := typ == eventItemAdded || typ == eventItemDone
	if typ == eventItemDone && e.Item != nil {
		r.out.Thoughts = append(r.out.Thoughts, e.Item.thoughts()...)
	}
	if ofItem && (e.Item == nil || e.Item.Type != itemCall) {
		return nil
	}
	c, err := r.calls.at(e.OutputIndex)
	if err != nil {
		return providers.Malformed("%v", err)
	}
	r.deltas++
	switch typ {
	case eventArguments:
		c.arguments.WriteString(e.Delta)
	case eventArgumentsDone:
		c.setArguments(e.Arguments)
	default:
		whole := e.Item.call()
		c.id, c.name = first(whole.ID, c.id), first(whole.Name, c.name)
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
		return unreadable(err, data)
	}
	if e.Response == nil {
		return providers.Malformed("the event %s has no response: %s", typ, providers.Excerpt(data))
	}
	if typ == eventCreated {
		r.out.ID, r.out.Model = e.Response.ID, e.Response.Model
		return nil
	}
	r.out = e.Response.about(r.out)
	failed := e.Response.failed(streamError)
	switch {
	case failed != nil:
		return failed
	case typ == eventFailed:
		return streamError(apiError{Message: "the response is " + statusFailed})
	case r.deltas == 0:
		return r.whole(e.Response.Output)
	default:
		return nil
	}
}

// whole takes the output of a host that sends it at the end alone.
func (r *responsesReader) whole(output []outputItem) *failure.Failure {
	had := len(r.out.Thoughts) > 0
	for i, item := range output {
		switch item.Type {
		case itemReasoning:
			r.reasoning.WriteString(item.reasoning())
			if !had {
				r.out.Thoughts = append(r.out.Thoughts, item.thoughts()...)
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
			if text := item.text(); text != "" {
				if failed := r.chunk(text); failed != nil {
					return failed
				}
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
		return unreadable(err, data)
	}
	switch {
	case e.Error != nil:
		return streamError(*e.Error)
	case e.Type == "":
		return providers.Malformed("an event of the stream has neither a type nor an error: %s", providers.Excerpt(data))
	}
	var flat apiError
	if err := providers.DecodeJSON(data, &flat); err != nil {
		return unreadable(err, data)
	}
	flat.Type = ""
	return streamError(flat)
}
