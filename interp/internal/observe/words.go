package observe

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/actor"
	"github.com/scenario-lang/scenario/interp/bench"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/providers/mcp"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/telemetry"
	"github.com/scenario-lang/scenario/trace"
)

// The words of what is observed, beside those of package read.
var (
	stepKind        = read.Among("step kind", append(read.WordsOf(plan.StepKinds()...), string(plan.KindSub))...)
	strategy        = read.Among("strategy", plan.ByPriority, plan.InTurn, plan.LeastBusy)
	decisionOutcome = read.Among("outcome of a decision", decidedFirst, decidedFallback, decidedFailed, decidedRefused, plan.NoCandidates, decidedCancel)
	classifyOutcome = read.Among("outcome of a classification", append(unusable(), OutcomeOK, OutcomeFailed)...)
	parseOutcome    = read.Among("outcome of a classification", unusable()...)
	sessionStatus   = read.Among("session status", read.StatusSuccess, read.StatusFailed, read.StatusTimeout, read.StatusCancelled)
	actorStatus     = read.Among("actor status", actor.Statuses()...)
	moduleState     = read.Among("module status", actor.ModuleStates()...)
	modulePhase     = read.Among("phase of starting", actor.ModulePhases()...)
	entryState      = read.Among("state in a registry", actor.EntryStates()...)
	stateReason     = &schema.Words{
		Noun: "reason of a change", Members: append(actor.Reasons(), read.FailureKinds()...),
		Free: func(s string) bool { return strings.HasPrefix(s, actor.CrashedIn("")) },
	}
	partialReason = read.Among("reason of a partial report", bench.PartialCancelled, bench.PartialCostCap)

	eventType    = read.Among("event type", read.WordsOf(event.TypeNames()...)...)
	anyState     = read.Among("state", slices.Concat(actor.Statuses(), actor.EntryStates(), actor.ModuleStates())...)
	drivenWay    = read.Among("way of driving a program", read.WordsOf(plan.Exec, plan.Serve, plan.Embedded)...)
	poolAction   = read.Among("pool action", actor.PoolActions()...)
	layer        = read.Among("layer of a deadline", "workflow", "step", "attempt", "first_byte", "idle", "call", "session", "tool", "startup", "lock")
	direction    = read.Among("direction", "sent", "received")
	answeredBy   = read.Among("source of an answer", "script", "cassette", "live")
	mockedBy     = read.Among("source of a simulated answer", "script", "cassette")
	waitReason   = read.Among("reason of a wait", "retry_after")
	gate         = read.Among("gate", plan.Gates()...)
	routeOutcome = &schema.Words{Noun: "outcome of a route", Members: slices.Concat(StepStatuses(), failure.Routing().Codes()), Domain: read.DomainMode}
	fellBack     = &schema.Words{Noun: "target or step", Plural: "targets and steps", Domain: read.DomainFellBack}
	doer         = read.Declared("event or hold", read.DomainAction)
	fanout       = read.Declared("fanout", read.DomainStep)
	metricKind   = read.Among("kind of metric", read.WordsOf(telemetry.Counter, telemetry.Gauge, telemetry.Histogram)...)
	tokenType    = read.Among("token type", "input", "output")
	spanStatus   = read.Among("span status", read.WordsOf(telemetry.Unset, telemetry.OK, telemetry.Error)...)
	anyStatus    = read.Among("status", append(StepStatuses(), read.StatusPartial, "failure")...)
	spanName     = &schema.Words{Noun: "span", Domain: read.DomainSpan, Free: func(s string) bool {
		// What an attempt is called comes from the request: see trace.Operation.
		first, _, more := strings.Cut(s, " ")
		switch {
		case slices.Contains(telemetry.SpanNouns(), first):
			return false
		case first == "attempt":
			return !more
		}
		return first == "chat" || strings.Contains(first, "/") || strings.ToUpper(first) == first || slices.Contains(mcp.Methods(), first)
	}}
)

// unusable are the outcomes of answers that cannot be used.
func unusable() []string {
	return []string{OutcomeInvalidJSON, OutcomeInvalidPayload, OutcomeInvalidItem, OutcomeInvalidKeys, OutcomeInvalidTypes, OutcomeBlank, OutcomeInvalidSegment, OutcomeUnknownTarget}
}

// StepStatuses are all that a step may end with.
func StepStatuses() []string { return slices.Clone(read.StepStatus.Members) }

// eventWords are the closed sets that attributes of events are of, by the key of
// the attribute, or TYPE.KEY where that differs with the type of event.
var eventWords = map[string]*schema.Words{
	"attempt_start.step": attemptStep, "attempt_end.step": attemptStep, "rejection.step": attemptStep, "failure.step": attemptStep, "message.step": messageStep,
	"retry_wait.step": roundStep, "fault.step": roundStep, "route.step": callingStep,
	"type": eventType, "step": read.Step, "call": read.Call, "actor": read.Actor, "target": read.Callee,

	"kind": read.FailureKind, "step_start.kind": stepKind, "cause": read.Cause, "mode": read.Mode, "category": read.Category, "severity": read.Severity,
	"stage": read.FailureStage, "failed_step": read.Step, "failed_target": read.Callee,
	"workflow": read.Workflow, "provider": read.Provider, "gateway": read.Gateway, "strategy": strategy, "candidates": read.Target,
	"fault_type": read.Fault, "case": read.Case, "by": answeredBy, "direction": direction, "method": read.Said, "attempt_start.method": read.Method,
	"attempt_end.outcome": read.Outcome, "step_end.outcome": classifyOutcome, "route.outcome": routeOutcome,
	"step_end.status": read.StepStatus, "run_end.status": read.RunStatus, "session_end.status": sessionStatus,
	"stop": read.Stop, "skipped_reason": read.SkipReason, "classifier": read.Classifier,
	"rejection.reason": read.Refusal, "retry_wait.reason": waitReason, "registry.reason": stateReason, "registry.cause": doer, "met": doer, "policy": read.Retry,
	"fallback.from": fellBack, "fallback.to": fellBack, "breaker.from": read.BreakerState, "breaker.to": read.BreakerState, "registry.from": anyState, "registry.to": anyState,
	"route.from": read.Actor, "route.actor": read.Callee, "layer": layer, "lock": read.Lock, "pool": read.Pool, "action": poolAction, "handler": read.Handler, "fanout": fanout, "sub": read.Sub,
	"registry": read.Registry, "module": read.Module, "phase": modulePhase, "gate": gate,
	"way": drivenWay, "ended_by": endedBy,
}

// openEventTexts are the attributes of events that are texts of no closed set,
// each with the reason. What comes from outside of the engine is none anyway.
var openEventTexts = map[string]string{
	"system": "an adapter names its vendor", "operation": "an adapter names what it does",
	"file": "a path", "session": "a server names its sessions", "server": "a server names itself", "protocol_version": "a server may agree upon any", "rule": "it says in words which rule decided",
	"holder": "of a lock with several places it names all who hold one", "run_id": "a digest", "signal": "a system names its signals",
}

// labelWords are the closed sets that labels of metrics are of, by the label, or
// METRIC.LABEL without the metric's prefix.
var labelWords = map[string]*schema.Words{
	"breaker_state.target": breakerTarget, "breaker_rejections_total.target": breakerTarget, "classifier_fallbacks_total.classifier": classifying, "classifier_parse_failures_total.classifier": classifying,
	"workflow": read.Workflow, "step_id": attempting, "fault_type": read.Fault, "matched_by": mockedBy, "target": read.Target, "attempts_total.target": read.Callee, "outcome": read.Outcome,
	"gateway": read.Gateway, "classifier": read.Classifier, "classifier_parse_failures_total.outcome": parseOutcome, "actor": read.Callee, "routes_total.outcome": routeOutcome,
	"error.type": read.FailureKind, "gen_ai.token.type": tokenType,
}

// openLabels are the labels that are of none, each with the reason.
var openLabels = map[string]string{
	"gen_ai.operation.name": openEventTexts["operation"], "gen_ai.provider.name": openEventTexts["system"], "gen_ai.request.model": "models are those of the vendors",
}

// spanWords are the closed sets that attributes of spans are of.
var spanWords = map[string]*schema.Words{
	"scenario.step_id": read.Caller, "scenario.step_kind": stepKind, "scenario.target": read.Target, "scenario.actor": read.Actor, "scenario.handler": read.Handler, "scenario.call": read.Call,
	"scenario.workflow": read.Workflow, "scenario.status": anyStatus, "scenario.answered_by": answeredBy, "mock.fault_type": read.Fault, "error.type": read.FailureKind,
	"http.request.method": read.Method, "mcp.method.name": read.Method,
}

// openSpanTexts are the attributes of spans that are texts of none, each with the
// reason.
var openSpanTexts = map[string]string{
	"scenario.file": "a path", "scenario.name": "a scenario knows its own", "scenario.plan": "a digest", "scenario.run_id": "a digest", "gen_ai.operation.name": openLabels["gen_ai.operation.name"],
	"gen_ai.provider.name": openLabels["gen_ai.provider.name"], "gen_ai.request.model": openLabels["gen_ai.request.model"], "gen_ai.response.model": openLabels["gen_ai.request.model"],
	"gen_ai.tool.name": "a server names its tools", "url.full": "a URL", "db.query.text": "a statement",
}

// wordsOfEvent is the closed set that an attribute of a type of event is of, nil
// for none.
func wordsOfEvent(t trace.Type, key string) *schema.Words {
	if w, ok := eventWords[string(t)+"."+key]; ok {
		return w
	}
	return eventWords[key]
}
