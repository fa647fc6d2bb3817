package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// kinds say what is particular to each kind of step.
var kinds = map[plan.Kind]stepKind{
	plan.KindLLM:      llmKind{},
	plan.KindHTTP:     httpKind{},
	plan.KindMCP:      mcpKind{},
	plan.KindSQL:      sqlKind{},
	plan.KindValue:    basicKind{},
	plan.KindWait:     basicKind{},
	plan.KindLoop:     loopKind{},
	plan.KindWorkflow: workflowKind{},
	plan.KindFanout:   fanoutKind{},
	plan.KindClassify: classifyKind{},
	plan.KindSub:      basicKind{},
	plan.KindCall:     callKind{},
}

// kindOf finds a kind. One that is none, which the decoder reports, has nothing
// of its own.
func kindOf(kind plan.Kind) stepKind {
	if k, ok := kinds[kind]; ok {
		return k
	}
	return basicKind{}
}

// A stepKind is what the compiler knows of one kind of step.
type stepKind interface {
	// family is the family of the providers that a step calls, "" where it calls
	// none.
	family(b *dsl.Block) string
	// contain finds the graph that a step runs and sets its Inner; ok is false
	// for a kind that runs none.
	contain(wc *workflowCompiler, s *plan.Step) (ok bool)
	// arguments reads what only this kind has, and checks it. The expressions
	// are in s.Args already, but for those that the kind takes for itself.
	arguments(wc *workflowCompiler, s *plan.Step, r dsl.Reader)
	// takes reports whether the kind reads an attribute by itself, so that it is
	// no argument.
	takes(attr string) bool
	// warn says what of a step may not do what it seems to.
	warn(wc *workflowCompiler, s *plan.Step)
}

// overridable is a kind whose inner steps a scenario can override.
type overridable interface {
	// override returns the block of a step with steps inside it replaced.
	override(c *compiler, b *dsl.Block, inside []stepOverride) *dsl.Block
}

// basicKind is a kind of which there is nothing to say. Kinds embed it and say
// what is their own.
type basicKind struct{}

func (basicKind) family(*dsl.Block) string                            { return "" }
func (basicKind) contain(*workflowCompiler, *plan.Step) bool          { return false }
func (basicKind) arguments(*workflowCompiler, *plan.Step, dsl.Reader) {}
func (basicKind) takes(string) bool                                   { return false }
func (basicKind) warn(*workflowCompiler, *plan.Step)                  {}
