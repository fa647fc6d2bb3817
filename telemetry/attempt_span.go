package telemetry

import (
	"strings"

	"github.com/scenario-lang/scenario/trace"
)

func (b *spanBuilder) startAttempt(e *trace.Event) {
	s := b.start(attemptPlace(e), e, trace.Operation(e))
	s.Client = true
	s.add("scenario.step_id", address(e))
	s.add("scenario.attempt", e.Attempt)
	s.add("scenario.target", e.Target)
	addCount(s, "scenario.round", e.Round)
	addCount(s, "scenario.turn", e.Turn)
	addCount(s, "scenario.iteration", e.Iteration)
	for _, a := range e.Attrs() {
		if key := startKey(a.Key); key != "" {
			s.add(key, a.Value)
		}
	}
	switch method := e.Text("method"); {
	case strings.Contains(method, "/"):
		s.add(attrMCPMethod, method)
	case method != "":
		s.add(attrHTTPMethod, method)
	}
}

// startKey and endKey say under which name an attribute of the trace's event
// stands on the span, "" where it does not.
func startKey(key string) string {
	switch key {
	case "operation":
		return attrGenAIOperation
	case "system":
		return attrGenAIProvider
	case "model":
		return attrGenAIRequestModel
	case "url":
		return attrURL
	case "tool":
		return attrMCPTool
	case "statement":
		return attrDBQuery
	}
	return ""
}

func endKey(key string) string {
	switch key {
	case "status_code":
		return attrHTTPStatus
	case "model":
		return attrGenAIResponseModel
	case "fault_type":
		return "mock.fault_type"
	case "by":
		return "scenario.answered_by"
	case "cost_usd":
		return "scenario.cost_usd"
	}
	return ""
}

func (b *spanBuilder) endAttempt(e *trace.Event) {
	s := b.end(attemptPlace(e), e, e.Text("outcome"))
	if s == nil {
		return
	}
	for _, a := range e.Attrs() {
		if key := endKey(a.Key); key != "" {
			s.add(key, a.Value)
		}
	}
	if reason := e.Text("finish_reason"); reason != "" {
		s.add(attrGenAIFinishReasons, []string{reason})
	}
	if in, out, ok := tokens(e.Attr("usage")); ok {
		s.add(attrGenAIInputTokens, in)
		s.add(attrGenAIOutputTokens, out)
	}
}

// address is what an event's labels call its step: the step, or the call that
// stands outside of any.
func address(e *trace.Event) string {
	if e.Step != "" {
		return e.Step
	}
	return e.Call
}
