package drive

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/drive/circumstance"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Misused says of a step that called a tool of the server of a scenario that the tool failed, where no
// check reads what the server said: a call with a wrong argument fails in the same way. "" where no
// step did.
func (r *Run) Misused() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	serving := r.plan.Sut.Serving()
	if serving == nil {
		return ""
	}
	i := slices.IndexFunc(r.Obs.Order, func(s *observe.StepResult) bool {
		return s.Status == read.StatusFailed && s.Err != nil && s.Err.Kind == failure.ToolError && circumstance.Asks(s, serving)
	})
	if i < 0 || r.readsWords() {
		return ""
	}
	s := r.Obs.Order[i]
	return fmt.Sprintf("the tool of step %q failed, and no check reads what the server said, %q: a call with a wrong argument, or a crash, fails in the same way.\nhint: say what it has to be, such as assert \"refused\" { condition = strcontains(step.%[1]s.error.message, \"…\") }", s.Name, s.Err.Message)
}

// words are the attributes of a result, and of its error, in which a server may say what went wrong.
var words = []string{"message", "attempts", "content", "output", "structured", "json", "body"}

// readsWords reports whether a check reads what a server said, or may.
func (r *Run) readsWords() bool {
	p := r.plan
	if len(p.SnapshotChecks) > 0 {
		return true
	}
	for _, x := range p.Expects {
		for _, a := range x.Attrs {
			if slices.Contains(words, a.Name) || a.Name == "error" && namesWords(a.Expr) {
				return true
			}
		}
	}
	for _, a := range p.Asserts {
		if namesWords(a.Condition) {
			return true
		}
	}
	return slices.ContainsFunc(p.Invariants, func(i *plan.Invariant) bool { return i.Own && namesWords(i.Condition) })
}

// namesWords reports whether an expression reads or gives one of them, or asks for events.
func namesWords(e hclsyntax.Expression) (found bool) {
	for name := range read.Names(e) {
		found = found || slices.Contains(words, name)
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.FunctionCallExpr:
			found = found || read.IsQuery(x.Name)
		case *hclsyntax.ObjectConsExpr:
			for _, item := range x.Items {
				found = found || slices.Contains(words, hcl.ExprAsKeyword(item.KeyExpr))
			}
		}
	})
	return found
}
