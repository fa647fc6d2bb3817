package observe

import (
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// A kindResult is what steps of one kind can be asked for.
type kindResult struct {
	fields []read.Field[StepResult]
	shape  *schema.Shape
}

// kinds are the results of each kind of step.
var kinds = map[plan.Kind]kindResult{
	plan.KindLLM:      {llmStepFields, llmStepShape},
	plan.KindHTTP:     {httpStepFields, httpStepShape},
	plan.KindMCP:      {mcpStepFields, mcpStepShape},
	plan.KindSQL:      {sqlStepFields, sqlStepShape},
	plan.KindValue:    {StepFields, plainStepShape},
	plan.KindWait:     {StepFields, plainStepShape},
	plan.KindLoop:     {loopStepFields, loopStepShape},
	plan.KindWorkflow: {workflowStepFields, workflowStepShape},
	plan.KindFanout:   {fanoutStepFields, fanoutStepShape},
	plan.KindClassify: {classifyStepFields, classifyStepShape},
	plan.KindSub:      {subStepFields, subStepShape},
	plan.KindCall:     {callStepFields, CallStepShape},
	plan.KindHandler:  {HandlerFields, plainStepShape},
}

// FieldsOf lists what a kind of step can be asked for.
func FieldsOf(kind plan.Kind) []read.Field[StepResult] { return kinds[kind].fields }

// StepShape is the shape of what a step of a kind can be asked for. A kind that
// is none, which the compiler reports, has what all steps have.
func StepShape(kind plan.Kind) *schema.Shape {
	if k, ok := kinds[kind]; ok {
		return k.shape
	}
	return plainStepShape
}
