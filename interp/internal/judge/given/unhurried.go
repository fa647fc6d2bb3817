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
)

// Times are the attributes that say how long something took, or when it ended.
var Times = []string{"elapsed_ms", "ended_ms"}

// OfUnhurried begins to say that a limit on time shows nothing.
const OfUnhurried = "it holds however long the workflow waits: "

// Unhurried says why a limit on time shows nothing in a run in which a timeout cut an answer off: it
// holds with every time up to what all answers take, one after the other, each of them waited for
// to its end. So it would hold without the timeout. "" where it shows something, and where anything
// but answers takes time: waits between attempts, loops, actors, events. holds is that of [Few].
func (f *File) Unhurried(ctx *hcl.EvalContext, holds func(at func(hcl.Traversal) cty.Value) bool) string {
	most, cut := f.allAnswers()
	if !cut {
		return ""
	}
	read := false
	for _, took := range []time.Duration{0, most / 2, most} {
		if !holds(func(path hcl.Traversal) cty.Value {
			if root := path.RootName(); root != "run" && root != "step" && root != "steps" {
				return cty.DynamicVal
			}
			v, diags := path.TraverseAbs(ctx)
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			read = true
			return with(v, lastOf(path), Times, cty.NumberIntVal(took.Milliseconds()))
		}) {
			return ""
		}
	}
	if !read {
		return ""
	}
	return fmt.Sprintf("%sall answers together take %s, so it would hold without the timeout, too, and shows nothing of that here.\nhint: let an answer take longer than the limit, such as fault \"timeout\" {}, which never comes", OfUnhurried, most)
}

// allAnswers is how long all answers take that were asked for, one after the other, and reports
// whether one was cut off, and nothing else takes time.
func (f *File) allAnswers() (all time.Duration, cut bool) {
	if !f.alone() || f.struck || len(f.p.Actions) > 0 {
		return 0, false
	}
	for _, s := range f.steps() {
		if !slices.Contains([]plan.Kind{plan.KindHTTP, plan.KindSQL, plan.KindLLM, plan.KindValue}, s.Step.Kind) || len(s.Delays) > 0 || s.Rejections() > 0 {
			return 0, false
		}
		script := f.p.ScriptFor(s.Name, "")
		for _, a := range s.Asked() {
			took, is := whole(script, a)
			if !is {
				return 0, false
			}
			all, cut = all+took, cut || took > a.Took
		}
	}
	return all, cut
}

// whole is how long an answer would have taken that is waited for, and reports whether its script
// tells.
func whole(script *plan.Script, a observe.Asked) (time.Duration, bool) {
	if a.End == nil {
		return 0, false
	}
	cut := a.End.Outcome == "cancelled" || a.End.Failed != nil && a.End.Kind == string(failure.Timeout)
	if !cut {
		return a.Took, true
	}
	n := a.End.Entry
	if a.End.By != "script" && a.End.By != "" || script == nil || n < 1 || n > len(script.Entries) {
		return 0, false
	}
	e := script.Entries[n-1]
	var took time.Duration
	if e.Reply != nil {
		if took = e.Reply.Latency; e.Reply.ChunkDelay > 0 {
			return 0, false
		}
	}
	if e.Fault != nil {
		by, is := e.Args["by"].(time.Duration)
		if e.Fault.Name != "delay" || !is {
			return 0, false
		}
		took += by
	}
	return max(took, a.Took), true
}
