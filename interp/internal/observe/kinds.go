package observe

import (
	"slices"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// kinds are the results of each kind of step.
var kinds = map[plan.Kind]kindResult{
	plan.KindLLM:      dialling("llm step", llmFields, "step.NAME of an llm step", besides),
	plan.KindHTTP:     dialling("http step", httpFields, "step.NAME of an http step", besides),
	plan.KindMCP:      dialling("mcp step", mcpFields, "step.NAME of an mcp step", besides),
	plan.KindSQL:      dialling("sql step", sqlFields, "step.NAME of an sql step", besides),
	plan.KindValue:    plainResult,
	plan.KindWait:     plainResult,
	plan.KindLoop:     result("loop step", loopFields, "step.NAME of a loop", besides+" `step.LOOP.NAME` is a step inside it, as its last iteration left it; `step.LOOP.runs[*].NAME` is that step in all of them."),
	plan.KindWorkflow: result("workflow step", workflowFields, "step.NAME of a workflow step", besides+" `step.OUTER.NAME` is a step of the workflow that it ran."),
	plan.KindFanout:   result("fanout step", fanoutFields, "step.NAME of a fanout", besides+" `fanout.NAME` reads the same, and `step.NAME.ID` is one sub."),
	plan.KindClassify: result("classify step", classifyFields, "step.NAME that classifies", besides+" `classify.NAME` reads the same."),
	plan.KindSub:      subResult,
	plan.KindCall:     result("call", callFields, "call.NAME", "What a call of the scenario came to, beside the common attributes of a step; a list of them where `at` is one. A call step has the same."),
	plan.KindHandler:  {fields: HandlerFields, shape: plainResult.shape},
}

// besides begins the section of most kinds.
const besides = "Beside the common attributes."

var (
	plainResult = kindResult{fields: StepFields, shape: read.ShapeOf("step", StepFields)}
	subResult   = result("sub", subFields, "A sub", "An element of `fanout.NAME.subs`: the common attributes and these. `target` is the name of what it calls.")
)

// A kindResult is what steps of one kind can be asked for.
type kindResult struct {
	fields []read.Field[StepResult]
	shape  *schema.Shape
	// section is that of the reference, with what the kind has of its own; none
	// for a kind that has nothing.
	section section
	// plain are the fields without those that only a program's calls have, nil
	// for a kind that no program can ask for.
	plain []read.Field[StepResult]
}

// A section is what the reference says of one kind of step.
type section struct {
	name, doc string
	fields    []read.Field[StepResult]
}

// result is that of a kind which has fields of its own beside those of all
// steps. name is what messages call it.
func result(name string, own []read.Field[StepResult], title, doc string) kindResult {
	all := slices.Concat(StepFields, own)
	return kindResult{fields: all, shape: read.ShapeOf(name, all), section: section{title, doc, own}}
}

// dialling is that of a kind which calls a service, and which a program may ask
// for, too.
func dialling(name string, own []read.Field[StepResult], title, doc string) kindResult {
	all := slices.Concat(StepFields, askedFields, own)
	return kindResult{fields: all, shape: read.ShapeOf(name, all), section: section{title, doc, own}, plain: slices.Concat(StepFields, own)}
}

// shown are the fields of a result: of a whole that no program asked for, only
// those that a workflow's step has.
func (k kindResult) shown(s *StepResult, need *read.Needs) []read.Field[StepResult] {
	if k.plain != nil && s.asked == nil && need.Whole() {
		return k.plain
	}
	return k.fields
}

// sections are those of all kinds of step, in the order of plan.StepKinds.
func sections() []section {
	var list []section
	for _, k := range plan.StepKinds() {
		if s := kinds[k].section; s.name != "" {
			list = append(list, s)
		}
	}
	return list
}

// FieldsOf lists what a kind of step can be asked for.
func FieldsOf(kind plan.Kind) []read.Field[StepResult] { return kinds[kind].fields }

// StepShape is the shape of what a step of a kind can be asked for. A kind that
// is none, which the compiler reports, has what all steps have.
func StepShape(kind plan.Kind) *schema.Shape {
	if k, ok := kinds[kind]; ok {
		return k.shape
	}
	return plainResult.shape
}
