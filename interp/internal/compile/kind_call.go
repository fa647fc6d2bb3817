package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// callKind is a call block of a scenario.
type callKind struct{ basicKind }

func (callKind) takes(attr string) bool { return attr == "target" }

func (callKind) arguments(wc *workflowCompiler, s *plan.Step, _ dsl.Reader) {
	s.Target, _ = wc.actorTarget(exprOf(s.Block, "target"), "target")
}
