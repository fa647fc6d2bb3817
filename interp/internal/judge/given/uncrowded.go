package given

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/interp/policy"
)

// OfUncrowded begins to say that a limit on how many calls are in flight shows nothing of a limit of
// the file.
const OfUncrowded = "it holds without "

// Uncrowded says why an upper limit on the calls in flight to a target shows nothing of what limits
// them in the file: no call had to wait for a place, and the limit allows more than came at one
// time. So without max_concurrent it would have come to the same. "" where it shows something, and
// where nothing of the file limits them: then it says how the workflow is made. holds and fails are
// those of [File.Enough].
func (f *File) Uncrowded(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	var of *plan.Target
	what, most := "", 0
	with := func(k int) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			t, attr := f.targetOf(path)
			if t == nil || attr != "in_flight_max" || of != nil && of != t {
				return cty.DynamicVal
			}
			if of == nil {
				what, most = f.placesOf(t)
			}
			of = t
			return cty.NumberIntVal(int64(k))
		}
	}
	if !holds(with(0)) || what == "" || most == 0 || !fails(with(beyond)) {
		return ""
	}
	for k := 1; k <= most+1; k++ {
		if !holds(with(k)) {
			return ""
		}
	}
	return fmt.Sprintf("%s%s, too: no call had to wait for a place, as no more than %d came to the target at one time, so it shows nothing of that here.\nhint: let more calls be ready at one time than may be in flight, each with a latency; or say with == how many there have to be", OfUncrowded, what, most)
}

// usual is the max_concurrent of a workflow that says none.
const usual = 10

// targetOf is the target of an operand with one attribute, nil for any other.
func (f *File) targetOf(path hcl.Traversal) (*plan.Target, string) {
	name, _ := read.AttrName(path, 1)
	attr, _ := read.AttrName(path, 2)
	if path.RootName() != "target" || len(path) != 3 {
		return nil, ""
	}
	return f.target(name), attr
}

// placesOf is what of the file limits how many calls to a target are in flight at one time, where
// none of it made a call wait, and how many were; "" for anything else.
func (f *File) placesOf(t *plan.Target) (what string, most int) {
	_, most, ok := f.o.Dials(t.Name)
	w := f.p.Workflow
	if !ok || w == nil || !f.alone() || len(f.p.Actions) > 0 {
		return "", 0
	}
	if w.MaxConcurrent > 0 {
		if f.together() >= w.MaxConcurrent {
			return "", 0
		}
		if w.MaxConcurrent != usual {
			what = fmt.Sprintf("max_concurrent = %d of the workflow", w.MaxConcurrent)
		}
	}
	for _, c := range t.Policies {
		switch c := c.(type) {
		case *policy.BulkheadConfig:
			if most >= c.MaxConcurrent {
				return "", 0
			}
			what = "its bulkhead"
		case *policy.RateLimitConfig:
			return "", 0
		}
	}
	if !f.all(func(s *plan.Step) bool {
		return s.Bulkhead == nil && (s.Inner == nil || s.Inner.MaxConcurrent <= 0 || len(s.Inner.Steps) <= s.Inner.MaxConcurrent)
	}) {
		return "", 0
	}
	return what, most
}

// together is how many steps of the workflow itself ran at one time, without those that took none.
func (f *File) together() (most int) {
	type change struct {
		at time.Duration
		by int
	}
	var list []*change // pointers, of which a program has the sorting anyway
	for _, s := range f.steps() {
		if s.Outer == nil && s.Began && s.Ended > s.Started {
			list = append(list, &change{s.Started, 1}, &change{s.Ended, -1})
		}
	}
	slices.SortFunc(list, func(a, b *change) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.by, b.by)) })
	n := 0
	for _, c := range list {
		n += c.by
		most = max(most, n)
	}
	return most
}

// Dialled are the attributes that say when something was dialled.
var Dialled = []string{"at_ms", "started_at_ms", "ended_at_ms"}

// Unreached is [File.Uncrowded] or [File.Unmetered], by which attributes a condition reads.
func (f *File) Unreached(ctx *hcl.EvalContext, reads func(names []string) bool, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	switch {
	case reads(AtOnce):
		return f.Uncrowded(ctx, holds, fails)
	case reads(Dialled):
		return f.Unmetered(ctx, holds, fails)
	}
	return ""
}

// OfUnmetered begins to say that a limit on how many calls come shows nothing of a rate limit.
const OfUnmetered = "it holds without the rate limit, too: "

// crowded is how many attempts there are where a limit on them has to break; a condition may compare
// each with each.
const crowded = 130

// Unmetered says why an upper limit on how many attempts come to a target within a time shows nothing
// of its rate limit: that delayed and refused none, and one attempt more would still keep the limit.
// "" where it shows something. holds and fails are those of [File.Enough].
func (f *File) Unmetered(ctx *hcl.EvalContext, holds, fails func(at func(hcl.Traversal) cty.Value) bool) string {
	most := 0
	with := func(many Many) func(hcl.Traversal) cty.Value {
		return func(path hcl.Traversal) cty.Value {
			t, attr := f.targetOf(path)
			if t == nil || attr != "attempts" || !f.unmetered(t) {
				return cty.DynamicVal
			}
			v, diags := path.TraverseAbs(ctx)
			if diags.HasErrors() || !v.IsKnown() || v.IsNull() || !v.Type().IsTupleType() || v.LengthInt() == 0 {
				return cty.DynamicVal
			}
			list := v.AsValueSlice()
			most = max(most, len(list))
			for i, a := range list {
				list[i] = knownOf(a, slices.Concat(Dialled, []string{"elapsed_ms", "ended_ms"})...)
			}
			return cty.TupleVal(many(list))
		}
	}
	each := func(n int) Many {
		return func(list []cty.Value) (all []cty.Value) {
			for _, a := range list {
				all = append(all, slices.Repeat([]cty.Value{a}, n)...)
			}
			return all
		}
	}
	ways := []Many{
		AsMany,
		func(list []cty.Value) []cty.Value { return list[:len(list)/2] },
		func(list []cty.Value) []cty.Value { return slices.Insert(slices.Clone(list), 0, list[0]) },
		func(list []cty.Value) []cty.Value { return append(slices.Clone(list), list[len(list)-1]) },
	}
	for _, many := range ways {
		if !holds(with(many)) || most == 0 || most > crowded {
			return ""
		}
	}
	if !fails(with(each(crowded/most + 1))) {
		return ""
	}
	return fmt.Sprintf("%sit delayed and refused none of the %d calls, as they came no faster than it allows, so it shows nothing of that here.\nhint: let more calls come at once than its burst, such as with replies that take no time", OfUnmetered, most)
}

// unmetered reports whether a target has a rate limit that made no call wait: with each there were
// more places in its bucket than one. A model is also limited by tokens, of which it is not told.
func (f *File) unmetered(t *plan.Target) bool {
	at, _, ok := f.o.Dials(t.Name)
	if !ok || !f.alone() || f.o.Run.Status != read.StatusSuccess || slices.ContainsFunc(f.steps(), func(s *observe.StepResult) bool { return s.Began && s.Status != read.StatusSuccess }) {
		return false
	}
	if !f.sentBy(&attempt{target: t}, func(s *plan.Step) bool { return s.Kind == plan.KindHTTP || s.Kind == plan.KindSQL }) {
		return false
	}
	limited := false
	for _, c := range t.Policies {
		r, is := c.(*policy.RateLimitConfig)
		if !is {
			continue
		}
		if limited = true; r.RequestsPerMinute <= 0 {
			return false
		}
		level, last := r.Burst, time.Duration(0)
		for i, now := range at {
			level += (now - last).Minutes() * r.RequestsPerMinute
			if i > 0 && level < 1+1e-6 {
				return false // it may have come the moment that there was a place
			}
			level, last = min(r.Burst, level)-1, now
		}
	}
	return limited
}
