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
	for _, a := range e.Attrs {
		if key := startKeys[a.Key]; key != "" {
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

// startKeys and endKeys say under which name an attribute of the trace's event
// stands on the span.
var (
	startKeys = map[string]string{
		"operation": attrGenAIOperation,
		"system":    attrGenAIProvider,
		"model":     attrGenAIRequestModel,
		"url":       attrURL,
		"tool":      attrMCPTool,
		"statement": attrDBQuery,
	}
	endKeys = map[string]string{
		"status_code": attrHTTPStatus,
		"model":       attrGenAIResponseModel,
		"fault_type":  "mock.fault_type",
		"by":          "scenario.answered_by",
		"cost_usd":    "scenario.cost_usd",
	}
)

func (b *spanBuilder) endAttempt(e *trace.Event) {
	s := b.end(attemptPlace(e), e, e.Text("outcome"))
	if s == nil {
		return
	}
	for _, a := range e.Attrs {
		if key := endKeys[a.Key]; key != "" {
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
