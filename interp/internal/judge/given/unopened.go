package given

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
)

// OfUnopened says why what is so of every breaker that has not opened shows nothing.
const OfUnopened = "it holds because too few calls failed for the breaker to open, and until then it is closed, so it shows nothing of what it does when it opens.\nhint: let as many calls fail as its threshold says, and check its transitions, such as length(breaker.NAME.transitions) == 3; or say that it has none: breaker.NAME.transitions == []"

// BreakerState is the metric that says in which state a breaker is, 0 for closed.
const BreakerState = "scenario_breaker_state"

// Unopened is what an operand comes to in a run in which no breaker opens and so many failures are
// counted, with nothing else known; ok is false where it is of no breaker that stayed closed in
// this run.
func (f *File) Unopened(path hcl.Traversal, failures int) (v cty.Value, ok bool) {
	name, _ := read.AttrName(path, 1)
	at := 2
	switch root := path.RootName(); {
	case root == "target":
		if part, _ := read.AttrName(path, 2); part != "breaker" {
			return cty.DynamicVal, false
		}
		at = 3
	case root != "breaker":
		return cty.DynamicVal, false
	}
	if !f.unopened(name) {
		return cty.DynamicVal, false
	}
	attrs := map[string]cty.Value{
		"state": cty.StringVal(string(policy.Closed)), "failures": cty.DynamicVal, "rejected": cty.DynamicVal, "transitions": cty.DynamicVal,
	}
	if b := f.breaker(name); !inWindow(b) {
		attrs["failures"] = cty.NumberIntVal(int64(min(failures, b.Threshold-1)))
	}
	v, diags := path[at:].TraverseRel(cty.ObjectVal(attrs))
	if diags.HasErrors() {
		return cty.DynamicVal, false
	}
	return v, true
}

// unopened reports whether calls came to the breaker of a target, and it had no reason to open:
// fewer of them failed than its threshold.
func (f *File) unopened(target string) bool {
	g, guarded := f.o.Guarded(target)
	b := f.breaker(target)
	switch {
	case !guarded || b == nil || g.Calls == 0:
		return false
	case inWindow(b):
		return g.Failed == 0 || g.Calls < b.MinCalls
	}
	return g.Failed < b.Threshold
}

// NoneOpened reports whether there are such breakers, and no other one to which calls came.
func (f *File) NoneOpened() (some bool) {
	for name := range f.o.Targets {
		if g, guarded := f.o.Guarded(name); guarded && g.Calls > 0 {
			if !f.unopened(name) {
				return false
			}
			some = true
		}
	}
	return some
}

// SomeUnopened reports whether there are such breakers at all.
func (f *File) SomeUnopened() bool {
	for name := range f.o.Targets {
		if f.unopened(name) {
			return true
		}
	}
	return false
}

// MostFailures is how many failures a breaker of the file counts at most before it opens.
func (f *File) MostFailures() (most int) {
	for name := range f.o.Targets {
		if b := f.breaker(name); b != nil && !inWindow(b) {
			most = max(most, b.Threshold-1)
		}
	}
	return most
}

// breaker is that of a target, nil where it has none.
func (f *File) breaker(target string) *policy.BreakerConfig {
	if t := f.target(target); t != nil {
		for _, c := range t.Policies {
			if b, is := c.(*policy.BreakerConfig); is {
				return b
			}
		}
	}
	return nil
}

// inWindow reports whether a breaker counts failures among the last calls.
func inWindow(b *policy.BreakerConfig) bool { return b.WindowCalls > 0 || b.WindowTime > 0 }
