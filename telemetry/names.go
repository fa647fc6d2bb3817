package telemetry

import "github.com/scenario-lang/scenario/trace"

// SpanNouns are what the names of spans begin with, but for those of attempts:
// `step NAME`.
func SpanNouns() []string { return []string{"scenario", "workflow", "step", "call", "session"} }

// SpanAttributes describes every attribute that a span may have.
func SpanAttributes() []trace.AttrInfo {
	return []trace.AttrInfo{
		{Name: "scenario.file", Type: "string", Doc: "file of the scenario"},
		{Name: "scenario.name", Type: "string", Doc: "name of the scenario"},
		{Name: "scenario.plan", Type: "string", Doc: "hash of the plan"},
		{Name: "scenario.run_id", Type: "string", Doc: "id of the run"},
		{Name: "scenario.seed", Type: "number", Doc: "seed of the run"},
		{Name: "scenario.workflow", Type: "string", Doc: "workflow that runs"},
		{Name: "scenario.step_id", Type: "string", Doc: "step, or call that is of none"},
		{Name: "scenario.step_kind", Type: "string", Doc: "kind of the step"},
		{Name: "scenario.iteration", Type: "int", Doc: "iteration of a loop"},
		{Name: "scenario.actor", Type: "string", Doc: "actor of a session"},
		{Name: "scenario.handler", Type: "string", Doc: "handler of a session"},
		{Name: "scenario.call", Type: "string", Doc: "call that a session is of"},
		{Name: "scenario.status", Type: "string", Doc: "status of a run, a step or a session, or outcome of an attempt"},
		{Name: "scenario.attempt", Type: "int", Doc: "number of the attempt"},
		{Name: "scenario.target", Type: "string", Doc: "target of the attempt"},
		{Name: "scenario.round", Type: "int", Doc: "round of the retry policy"},
		{Name: "scenario.turn", Type: "int", Doc: "turn of a tool loop"},
		{Name: "scenario.answered_by", Type: "string", Doc: "what answered the attempt"},
		{Name: "scenario.cost_usd", Type: "number", Doc: "cost of the attempt"},
		{Name: "mock.fault_type", Type: "string", Doc: "kind of the injected fault"},
		{Name: attrErrorType, Type: "string", Doc: "kind of the failure"},
		{Name: attrGenAIOperation, Type: "string", Doc: "operation, such as chat"},
		{Name: attrGenAIProvider, Type: "string", Doc: "vendor"},
		{Name: attrGenAIRequestModel, Type: "string", Doc: "model that was asked for"},
		{Name: attrGenAIResponseModel, Type: "string", Doc: "model that answered"},
		{Name: attrGenAIFinishReasons, Type: "list", Doc: "why the model stopped"},
		{Name: attrGenAIInputTokens, Type: "number", Doc: "tokens of the prompt"},
		{Name: attrGenAIOutputTokens, Type: "number", Doc: "tokens of the answer"},
		{Name: attrHTTPMethod, Type: "string", Doc: "HTTP method"},
		{Name: attrHTTPStatus, Type: "number", Doc: "HTTP status"},
		{Name: attrURL, Type: "string", Doc: "URL"},
		{Name: attrMCPMethod, Type: "string", Doc: "MCP method"},
		{Name: attrMCPTool, Type: "string", Doc: "tool"},
		{Name: attrDBQuery, Type: "string", Doc: "statement"},
	}
}
