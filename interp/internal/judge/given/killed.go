package given

import (
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/failure"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

const ofKill = OfUnhurried + "the %s of actor.%s at %s ends the call, so it would hold with any timeout, and shows nothing of that here.\nhint: let the call hang in place of that, such as with fault \"hang\" {}, or set the limit below that time"

// Killed says why a limit on how long calls of the scenario take shows nothing: an event of the scenario
// killed or restarted the actor while it was called, which ended the call, and the limit holds with every time up to
// that. "" where it shows something, or where a call ended otherwise. holds and fails are those of
// [File.Enough].
func (f *File) Killed(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	var kill *plan.Action
	taking := func(part func(at time.Duration) time.Duration) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			name, _ := read.AttrName(path, 1)
			by := f.killOf(name)
			v, diags := path.TraverseAbs(ctx)
			if path.RootName() != "call" || by == nil || diags.HasErrors() {
				return cty.DynamicVal
			}
			kill = by
			return with(v, lastOf(path), Times, cty.NumberIntVal(part(by.At[0]).Milliseconds()))
		}
	}
	for _, part := range []time.Duration{0, 1, 2} {
		if !holds(taking(func(at time.Duration) time.Duration { return at * part / 2 })) {
			return ""
		}
	}
	if kill == nil || !fails(taking(func(time.Duration) time.Duration { return longGap * time.Millisecond })) {
		return ""
	}
	return fmt.Sprintf(ofKill, kill.Event.What, kill.Event.Actor, kill.At[0])
}

// killOf is the kill or restart that ended the only call that a block of the scenario made, nil where there is none,
// or where it came at more than one time. A call of a scenario is made once.
func (f *File) killOf(name string) *plan.Action {
	calls := f.o.Calls[name]
	i := slices.IndexFunc(f.p.Actions, func(a *plan.Action) bool { return a.Name == name && a.Call != nil })
	if len(calls) != 1 || i < 0 || !endedByKill(calls[0]) {
		return nil
	}
	at := slices.IndexFunc(f.p.Actions, func(a *plan.Action) bool {
		return a.Event != nil && (a.Event.What == "kill" || a.Event.What == "restart") && a.Event.Actor == f.p.Actions[i].Call.Target.Actor && len(a.At) == 1 && a.At[0] == calls[0].Ended
	})
	if at < 0 {
		return nil
	}
	return f.p.Actions[at]
}

// endedByKill reports whether a call ended because there was nobody to answer it.
func endedByKill(s *observe.StepResult) bool {
	return s.Err != nil && s.Err.Kind == failure.TargetUnavailable
}
