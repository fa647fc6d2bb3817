package observe

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Begins reports whether with an event something begins: a step, an attempt or a
// session.
func Begins(e *trace.Event) bool {
	switch e.Type {
	case trace.StepStart, trace.AttemptStart, trace.SessionStart:
		return true
	}
	return false
}

// DecideNow decides a condition that held before an event and waits since, for
// what another step or call lacks: for that, null is the answer, as an assertion
// at that moment would have it, and what cannot be evaluated does not hold. It is
// not made where the condition waits for the run, for the step of the event
// itself, which cannot have all it will have, or for a step to begin, that has its
// attempts and retries from then on.
func (o *Observed) DecideNow(c *plan.Invariant, waiting *Decision, e *trace.Event) Decision {
	d := *waiting
	d.Missing = slices.DeleteFunc(slices.Clone(d.Missing), func(t hcl.Traversal) bool { return !o.another(t, e) })
	if len(d.Missing) == 0 {
		return d
	}
	v, diags := dsl.Evaluate(c.Absence.Expr, o.slots(c.Absence.Slots, d.Context, func(s *dsl.Slot) bool {
		return o.answers(s) || o.another(s.Path, e)
	}))
	if diags.HasErrors() {
		d.Made = true
		return d
	}
	d.decided(v)
	return d
}

// another reports whether an operand is of a step or call that an event is no part
// of, and comes with what that does or with its end.
func (o *Observed) another(t hcl.Traversal, e *trace.Event) bool {
	if name := nameAt(t, 1); o.Calls[name] != nil {
		return name != e.Call && !fromStart(o.Calls[name][0], t[2:])
	}
	s := o.StepAt(t)
	if t.RootName() == "endpoint" {
		s = o.Steps[nameAt(t, 1)]
	}
	if s == nil || within(s.Name, e.Step) || within(e.Step, s.Name) {
		return false
	}
	attr := t[2+strings.Count(s.Name, "."):]
	return !(s.untold(nameAt(attr, 0)) && s.answered()) && !fromStart(s, attr)
}

// fromStart reports whether a step that has not begun has an attribute as soon as
// it does.
func fromStart(s *StepResult, attr hcl.Traversal) bool {
	if s.Began {
		return false
	}
	attrs := map[string]cty.Value{}
	AddStep(attrs, &StepResult{Node: s.Node, of: s.of, Output: read.Null, Began: true}, read.Everything)
	v, diags := attr.TraverseRel(cty.ObjectVal(attrs))
	return !diags.HasErrors() && !v.IsNull()
}

// within reports whether an address is that of a step or of one inside it.
func within(address, outer string) bool {
	rest, ok := strings.CutPrefix(address, outer)
	return ok && (rest == "" || rest[0] == '.')
}
