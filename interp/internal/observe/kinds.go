package observe

import (
	"maps"
	"slices"
	"sync"

	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/schema"
)

// kinds are the results of each kind of step, made when the first is asked for: many
// commands never do.
var kinds = sync.OnceValue(func() map[plan.Kind]kindResult {
	return map[plan.Kind]kindResult{
		plan.KindLLM:      dialling("llm step", llmFields, "step.NAME of an llm step", besides),
		plan.KindHTTP:     dialling("http step", httpFields, "step.NAME of an http step", besides),
		plan.KindMCP:      dialling("mcp step", mcpFields, "step.NAME of an mcp step", besides),
		plan.KindSQL:      dialling("sql step", sqlFields, "step.NAME of an sql step", besides),
		plan.KindValue:    idle("value step", "cost_usd", "target"),
		plan.KindWait:     idle("wait step", "cost_usd", "target"),
		plan.KindLoop:     result("loop step", loopFields, "step.NAME of a loop", besides+" `step.LOOP.NAME` is a step inside it, as its last iteration left it; `step.LOOP.runs[*].NAME` is that step in all of them.").never("A loop calls nothing by itself. The steps inside it do: read step.LOOP.NAME for the last iteration, step.LOOP.runs[*].NAME for all.", "target"),
		plan.KindWorkflow: result("workflow step", workflowFields, "step.NAME of a workflow step", besides+" `step.OUTER.NAME` is a step of the workflow that it ran, as the last round left it; `step.OUTER.runs[*].NAME` is that step in all of them.").never("A workflow step calls nothing by itself. The steps of its workflow do: read step.OUTER.NAME for the last round, step.OUTER.runs[*].NAME for all.").rounds(),
		plan.KindFanout:   result("fanout step", fanoutFields, "step.NAME of a fanout", besides+" `fanout.NAME` reads the same, and `step.NAME.ID` is one sub.").never("A fanout calls nothing by itself. Its subs do: read step.NAME.ID, or the elements of step.NAME.subs."),
		plan.KindClassify: result("classify step", classifyFields, "step.NAME that classifies", besides+" `classify.NAME` reads the same."),
		plan.KindSub:      subResult,
		plan.KindCall:     result("call", callFields, "call.NAME", "What a call of the scenario came to, beside the common attributes of a step; a list of them where `at` is one. A call step has the same."),
		plan.KindHandler:  {fields: HandlerFields, shape: plainShape},
	}
})

// besides begins the section of most kinds.
const besides = "Beside the common attributes."

var (
	plainShape = read.ShapeOf("step", StepFields)
	subResult  = result("sub", append([]read.Field[StepResult]{callAttempts}, subFields...), "A sub", "An element of `fanout.NAME.subs`: the common attributes and these. `target` is the name of what it calls.")
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
// steps, some of which it may have in its own way. name is what messages call it.
func result(name string, own []read.Field[StepResult], title, doc string) kindResult {
	all := slices.DeleteFunc(slices.Clone(StepFields), func(f read.Field[StepResult]) bool {
		return slices.ContainsFunc(own, func(o read.Field[StepResult]) bool { return o.Name == f.Name })
	})
	all = append(all, own...)
	return kindResult{fields: all, shape: read.ShapeOf(name, all), section: section{title, doc, own}}
}

// idle is the result of a kind that has nothing of its own and calls nothing.
func idle(name string, never ...string) kindResult {
	return kindResult{fields: StepFields, shape: read.ShapeOf(name, StepFields)}.never("A "+name+" calls nothing.", never...)
}

// dialled are the attributes that only what calls a service or an actor ever has.
var dialled = []string{"attempts", "rejections", "retries", "stop", "delays_ms", "provider"}

// never is the result of a kind whose steps dial nothing, and why: a condition on
// what they never have would hold of anything. What asks for all steps alike
// finds those attributes empty.
func (k kindResult) never(why string, more ...string) kindResult {
	s := *k.shape
	s.Never = map[string]string{}
	s.Attrs = maps.Clone(s.Attrs)
	for _, attr := range slices.Concat(dialled, more) {
		delete(s.Attrs, attr)
		s.Never[attr] = why
	}
	k.shape = &s
	return k
}

// rounds gives what dials nothing the attributes about rounds: its work may be
// done again.
func (k kindResult) rounds() kindResult {
	for _, f := range k.fields {
		if f.Name == "retries" || f.Name == "stop" || f.Name == "delays_ms" {
			delete(k.shape.Never, f.Name)
			k.shape.Attrs[f.Name] = f.Shape
		}
	}
	return k
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
		if s := kinds()[k].section; s.name != "" {
			list = append(list, s)
		}
	}
	return list
}

// FieldsOf lists what a kind of step can be asked for.
func FieldsOf(kind plan.Kind) []read.Field[StepResult] { return kinds()[kind].fields }

// StepShape is the shape of what a step of a kind can be asked for. A kind that
// is none, which the compiler reports, has what all steps have.
func StepShape(kind plan.Kind) *schema.Shape {
	if k, ok := kinds()[kind]; ok {
		return k.shape
	}
	return plainShape
}
