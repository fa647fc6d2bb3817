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
	"github.com/scenario-lang/scenario/interp/policy"
)

// Times are the attributes that say how long something took, or when it ended.
var Times = []string{"elapsed_ms", "ended_ms"}

// OfUnhurried begins to say that a limit on time shows nothing.
const OfUnhurried = "it holds however long the workflow waits: "

// Unhurried says why a limit on time shows nothing: it holds with every time up to what all answers
// take, one after the other, each of them waited for to its end. So it would hold without the timeout
// that cut one off, or the race that ended others; and where neither did, and every attempt succeeded,
// in whatever order the steps run. "" where it shows something, and where anything
// but answers takes time: waits between attempts, loops, actors, events. holds and fails are those of
// [File.Enough].
func (f *File) Unhurried(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	most, part := f.allAnswers()
	if part == "" {
		return ""
	}
	some := false
	taking := func(ms float64) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			if root := path.RootName(); root != "run" && root != "step" && root != "steps" {
				return cty.DynamicVal
			}
			v, diags := path.TraverseAbs(ctx)
			if diags.HasErrors() {
				return cty.DynamicVal
			}
			some = true
			return with(v, lastOf(path), Times, cty.NumberFloatVal(ms))
		}
	}
	for _, took := range []time.Duration{0, most / 2, most} {
		if !holds(taking(float64(took.Milliseconds()))) {
			return ""
		}
	}
	if !some || !fails(taking(longGap)) {
		return ""
	}
	return fmt.Sprintf("%sall answers together take %s, %s", OfUnhurried, most, part)
}

// What a limit on time shows nothing of.
const (
	ofTimeout = "so it would hold without the timeout, too, and shows nothing of that here.\nhint: let an answer take longer than the limit, such as fault \"timeout\" {}, which never comes"
	ofRace    = "so it would hold if no step ended the others, too, and shows nothing of that here.\nhint: let an answer take longer than the limit, or set the limit below what all of them take"
	ofOrder   = "so it would hold in whatever order the steps run and without any timeout, and shows nothing here.\nhint: let an answer take longer than the limit, such as fault \"timeout\" {}, which never comes, or set the limit below what they take one after the other"
)

// allAnswers is how long all answers take that were asked for, one after the other, and of what a
// limit above that shows nothing; part is "" where anything else takes time, or might have.
func (f *File) allAnswers() (all time.Duration, part string) {
	if !f.alone() || f.struck || len(f.p.Actions) > 0 || f.p.BenchRun != nil {
		return 0, ""
	}
	cut, raced, scripted, idle := false, false, true, false
	for _, s := range f.steps() {
		kinds := []plan.Kind{plan.KindHTTP, plan.KindSQL, plan.KindLLM, plan.KindValue, plan.KindFanout, plan.KindSub, plan.KindWorkflow}
		if !slices.Contains(kinds, s.Step.Kind) || len(s.Delays) > 0 || s.Rejections() > 0 {
			return 0, ""
		}
		idle = idle || !s.Began
		script := f.p.ScriptFor(s.Name, "")
		for _, a := range s.Asked() {
			took, is := whole(script, a)
			if !is {
				return 0, ""
			}
			raced = raced || a.End.Outcome == "cancelled"
			scripted = scripted && a.End.By == "script" && (a.End.Outcome == read.StatusSuccess || a.End.Outcome == "cancelled")
			all, cut = all+took, cut || took > a.Took
		}
	}
	switch {
	case raced && (!scripted || idle):
		return 0, "" // what more would have come is not known
	case raced:
		return all, ofRace
	case cut:
		return all, ofTimeout
	case scripted && all > 0 && !f.slowedDown():
		return all, ofOrder
	}
	return 0, ""
}

// slowedDown reports whether a policy of a target may make calls wait.
func (f *File) slowedDown() bool {
	return !f.all(func(s *plan.Step) bool {
		return s.Gateway == nil || !slices.ContainsFunc(s.Gateway.Targets, func(t *plan.Target) bool {
			return slices.ContainsFunc(t.Policies, func(c policy.Config) bool { _, is := c.(*policy.RateLimitConfig); return is })
		})
	})
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
