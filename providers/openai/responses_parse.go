package openai

import (
	"cmp"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/providers"
)

func readResponse(in providers.Input, body []byte, out providers.Output) (providers.Output, *failure.Failure) {
	var answer response
	if err := providers.DecodeObject(body, &answer); err != nil {
		return out, providers.Malformed("the answer is no readable response: %v: %s", err, providers.Excerpt(body))
	}
	if answer.Output == nil && answer.Error == nil {
		return out, providers.Malformed("the answer has no output: %s", providers.Excerpt(body))
	}
	out = answer.about(out)
	for _, item := range answer.Output {
		switch item.Type {
		case itemMessage:
			out.Content += item.text()
		case itemReasoning:
			out.Reasoning += item.reasoning()
			out.Thoughts = append(out.Thoughts, item.thoughts()...)
		case itemCall:
			out.ToolCalls = append(out.ToolCalls, item.call())
		}
	}
	out.Complete = true
	if in.Background && answer.Error == nil && answer.underWay() {
		return out, nil
	}
	return out, answer.failed(func(e apiError) *failure.Failure { return errorInside(e, out.StatusCode) })
}

// about is everything that a response says beside its output.
func (r response) about(out providers.Output) providers.Output {
	out.ID, out.Model = cmp.Or(r.ID, out.ID), cmp.Or(r.Model, out.Model)
	if r.Usage != nil {
		out.Usage = r.Usage.value()
	}
	out.FinishReason = r.Status
	if r.Status == statusIncomplete && r.IncompleteDetails != nil {
		out.FinishReason = cmp.Or(r.IncompleteDetails.Reason, r.Status)
	}
	return out
}

// underWay reports whether a response is not there yet.
func (r response) underWay() bool { return r.Status == statusQueued || r.Status == statusInProgress }

// failed says why a response is no answer, nil where it is one. because makes
// the failure of an error that the vendor reports.
func (r response) failed(because func(apiError) *failure.Failure) *failure.Failure {
	switch {
	case r.Error != nil:
		return because(*r.Error)
	case r.Status == statusFailed, r.Status == statusCancelled:
		return because(apiError{Message: "the response is " + r.Status})
	case r.underWay():
		return &failure.Failure{
			Kind:    failure.ProtocolError,
			Message: "the response is " + r.Status + ": it was accepted for the background, and its end is not waited for",
		}
	default:
		return nil
	}
}
