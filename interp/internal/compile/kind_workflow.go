package compile

import (
	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// workflowKind runs a declared workflow.
type workflowKind struct{ basicKind }

// contain implements stepKind: it finds the workflow.
func (workflowKind) contain(wc *workflowCompiler, s *plan.Step) bool {
	r := dsl.Reader{Block: s.Block, Ctx: wc.Statics, Diags: &wc.Diags}
	if s.Inner = wc.inner(s.Block, r.Ref("run")); s.Inner != nil {
		wc.given(s, "inputs")
	}
	return true
}

// override implements overridable. The workflow that the step runs is then one
// for that step alone.
func (workflowKind) override(c *compiler, b *dsl.Block, inside []stepOverride) *dsl.Block {
	if run := c.run(b, "run"); run != nil {
		c.overrides[b] = c.override(run, inside)
	}
	return b
}
