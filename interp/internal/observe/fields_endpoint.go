package observe

import (
	"slices"
	"sync"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// programCallFields are the attributes of a call that a program made.
var programCallFields = []read.Field[callResult]{
	{Name: "n", Shape: read.NumberShape, Doc: "Counts the calls of the endpoint.", Value: func(c *callResult) cty.Value { return read.Number(c.n) }},
	{Name: "lane", Shape: read.TextShape, Doc: "Its lane.", Value: func(c *callResult) cty.Value { return read.Text(c.lane) }},
	{Name: "status", Shape: read.OneOf(callStatus), Doc: `"success" or "failed", as its last attempt.`, Value: func(c *callResult) cty.Value { return read.Text(c.status()) }},
	{Name: "attempts", Shape: read.TupleOf(read.ShapeOf("attempt", AttemptFields)), Doc: "Its attempts, in order.", Nested: func(c *callResult, need *read.Needs) cty.Value { return attemptsVal(c.attempts, need) }},
	{Name: "gaps_ms", Shape: read.TupleOf(read.NumberShape), Doc: "The times between an attempt and the next.", Value: func(c *callResult) cty.Value { return gapsVal(c.attempts) }},
	{Name: "retries", Shape: read.NumberShape, Doc: "Attempts after the first.", Value: func(c *callResult) cty.Value { return read.Number(len(c.attempts) - 1) }},
	{Name: "elapsed_ms", Shape: read.NumberShape, Doc: "From the first request to the end of the last answer.", Value: func(c *callResult) cty.Value {
		return read.Millis(c.attempts[len(c.attempts)-1].ended - c.attempts[0].at)
	}},
	{Name: "idempotency_key", Shape: read.Nullable(read.TextShape), Doc: "The Idempotency-Key of its requests.", Value: func(c *callResult) cty.Value { return read.TextOrNull(c.attempts[0].asker.IdempotencyKey) }},
}

// laneFields are the attributes of one lane of an endpoint.
var laneFields = []read.Field[laneResult]{
	{Name: "name", Shape: read.TextShape, Doc: "The value of the endpoint's lane.", Value: func(l *laneResult) cty.Value { return read.Text(l.name) }},
	{Name: "attempts", Shape: read.TupleOf(read.ShapeOf("attempt", AttemptFields)), Doc: "Its attempts, in order.", Nested: func(l *laneResult, need *read.Needs) cty.Value { return attemptsVal(l.attempts, need) }},
	{Name: "calls", Shape: read.TupleOf(read.ShapeOf("call", programCallFields)), Doc: "Its calls, in order.", Nested: func(l *laneResult, need *read.Needs) cty.Value { return programCallsVal(l.calls, need) }},
	{Name: "status", Shape: read.Nullable(read.OneOf(callStatus)), Doc: `"success" or "failed", as its last call.`, Value: func(l *laneResult) cty.Value { return read.TextOrNull(l.status()) }},
}

// askedFields are what a program's calls add to a step or endpoint.
var askedFields = []read.Field[StepResult]{
	{Name: "calls", Shape: read.Nullable(read.TupleOf(read.ShapeOf("call", programCallFields))), Doc: "The calls that a program made: an attempt, and those that ask the same again.", Nested: func(s *StepResult, need *read.Needs) cty.Value {
		return programCallsVal(s.askedFor().calls, need)
	}},
	{Name: "lanes", Shape: read.Nullable(read.TupleOf(read.ShapeOf("lane", laneFields))), Doc: "The lanes that a program opened, in order.", Nested: func(s *StepResult, need *read.Needs) cty.Value {
		return read.Elements(s.askedFor().lanes, need, func(l *laneResult, part *read.Needs) cty.Value { return read.Object(laneFields, l, part) })
	}},
	{Name: "in_flight_max", Shape: read.Nullable(read.NumberShape), Doc: "Most requests of a program under way at one time.", Value: func(s *StepResult) cty.Value { return read.Number(s.askedFor().inFlightMax) }},
	{Name: "connections", Shape: read.Nullable(read.NumberShape), Doc: "Connections that a program's requests came over.", Value: func(s *StepResult) cty.Value { return read.Number(s.askedFor().connections.n) }},
}

// StatusUnused is the status of an endpoint that no program ever called.
const StatusUnused = "unused"

// The closed words of what a program asks.
var (
	endedBy        = read.Among("side of an exchange", "server", "client")
	callStatus     = read.Among("status of a program's call", read.StatusSuccess, read.StatusFailed)
	endpointStatus = read.Among("endpoint status", read.StatusSuccess, read.StatusFailed, StatusUnused)
)

// endpointFields are what every endpoint can be asked for, beside what its kind
// answers.
var endpointFields = slices.Concat([]read.Field[StepResult]{
	{Name: "status", Shape: read.OneOf(endpointStatus), Doc: `"failed" where the last call of a lane is, "unused" before the first, else "success".`, Value: func(s *StepResult) cty.Value {
		if s.Status == "" {
			return read.Text(StatusUnused)
		}
		return read.Text(s.Status)
	}},
}, slices.DeleteFunc(slices.Clone(StepFields), func(f read.Field[StepResult]) bool {
	switch f.Name {
	case "status", "output", "rejections", "stop", "skipped_reason", "replaced_by":
		return true
	}
	return false
}), askedFields)

// endpointKinds are what endpoints of one kind of provider can be asked for.
var endpointKinds = sync.OnceValue(func() map[plan.Kind]kindResult {
	return map[plan.Kind]kindResult{
		plan.KindLLM:  endpointOf("llm endpoint", slices.DeleteFunc(slices.Clone(llmFields), func(f read.Field[StepResult]) bool { return f.Name == "turns" })),
		plan.KindHTTP: endpointOf("http endpoint", httpFields),
		plan.KindMCP:  endpointOf("mcp endpoint", mcpFields),
		plan.KindSQL:  endpointOf("sql endpoint", sqlFields),
	}
})

func endpointOf(name string, own []read.Field[StepResult]) kindResult {
	fields := slices.Concat(endpointFields, own)
	return kindResult{fields: fields, shape: read.ShapeOf(name, fields)}
}

// EndpointShape is the shape of what an endpoint can be asked for, by the kind
// of step that its provider would have.
func EndpointShape(kind plan.Kind) *schema.Shape {
	if k, ok := endpointKinds()[kind]; ok {
		return k.shape
	}
	return plainShape
}

// endpointItemFields are the attributes of an element of the tuple endpoints.
var endpointItemFields = append([]read.Field[StepResult]{
	{Name: "name", Shape: read.TextShape, Doc: "The endpoint's name.", Value: func(s *StepResult) cty.Value { return read.Text(s.Name) }},
	{Name: "kind", Shape: read.OneOf(stepKind), Doc: "The kind of step that asks such a provider.", Value: func(s *StepResult) cty.Value { return read.Text(string(s.Step.Kind)) }},
}, endpointFields...)

// EndpointsItemShape is the shape of an element of the tuple endpoints.
var EndpointsItemShape = read.ShapeOf("endpoint", endpointItemFields)

// endpointsVal is the tuple of all endpoints, in the order of the file.
func (o *Observed) endpointsVal(need *read.Needs) cty.Value {
	var list []*StepResult
	for _, n := range o.Plan.Endpoints {
		if s := o.Steps[n.Name]; s != nil {
			list = append(list, s)
		}
	}
	return read.Elements(list, need, func(s *StepResult, part *read.Needs) cty.Value { return read.Object(endpointItemFields, s, part) })
}

// ProgramAttrs are the attributes of a step that only the calls of a program
// give, and ProgramAttemptAttrs those of an attempt: a run of the workflow does
// not observe them.
var (
	ProgramAttrs        = []string{"calls", "lanes", "in_flight_max", "connections"}
	ProgramAttemptAttrs = []string{"lane", "call", "ended_by", "sent_bytes", "connection", "reused"}
)

func programCallsVal(list []*callResult, need *read.Needs) cty.Value {
	return read.Elements(list, need, func(c *callResult, part *read.Needs) cty.Value { return read.Object(programCallFields, c, part) })
}

// gapsVal lists the gaps of the attempts of one call.
func gapsVal(list []*attemptResult) cty.Value {
	var gaps []time.Duration
	for _, a := range list {
		if gap, ok := a.gap(); ok {
			gaps = append(gaps, gap)
		}
	}
	return read.TupleVal(gaps, func(d time.Duration) cty.Value { return read.Millis(d) })
}
