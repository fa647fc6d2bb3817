// Package otherwise looks at checks of a run in other runs that its trace tells of: those that
// could have been, and in which what the check is about went otherwise. A check that meets them
// as it met the run says nothing of that.
//
//	others := otherwise.Of(observed, regrouped.Runs, served.Runs)
//	why := others.Condition(condition, needs)
package otherwise

import (
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// A Run tells when a check shows nothing, for Why: it holds in the run that there was, and in each
// of Events it does not.
type Run struct {
	Why    string
	Events [][]trace.Event
	// Apart are the events of runs in which the check has to hold as well.
	Apart [][]trace.Event
	// Told gives both where it is not nil, once a check is about this.
	Told func() (events, apart [][]trace.Event)
	// Part says that a part of a condition shows nothing so, too, where another part shows something,
	// and Hint that the part alone is no reason to say that nothing is checked.
	Part, Hint bool
	// About reports whether a condition may rest on this, nil for every one, and Addresses are
	// those at which an expected attribute may.
	About     func(e hclsyntax.Expression) bool
	Addresses []string
	// Fails says that what cannot be evaluated in Events does not hold there, as a check that
	// cannot be is broken; else nothing is known of it.
	Fails bool
}

// Others tells which checks of a run that has ended rest on what other runs have otherwise.
type Others struct {
	o    *observe.Observed
	runs func() []seen
}

// seen is another run as it would have been observed, which is looked at when a check is about it.
type seen struct {
	Run
	observed func() (as, apart []*observe.Observed)
}

// Of are the other runs of one, from some that tell them. They are told when the first check is
// looked at. It is not inlined, as each of its callers would hold a copy.
//
//go:noinline
func Of(o *observe.Observed, told ...func(o *observe.Observed) []Run) *Others {
	return &Others{o, sync.OnceValue(func() (list []seen) {
		for _, tell := range told {
			for _, r := range tell(o) {
				list = append(list, seen{r, sync.OnceValues(func() (as, apart []*observe.Observed) {
					if r.Told != nil {
						r.Events, r.Apart = r.Told()
					}
					return refolded(o, r.Events), refolded(o, r.Apart)
				})})
			}
		}
		return list
	})}
}

func refolded(of *observe.Observed, runs [][]trace.Event) (list []*observe.Observed) {
	for _, events := range runs {
		list = append(list, Refold(of, events))
	}
	return list
}

// Refold is what events tell of a run like another one, nil where there can be no such run. It
// is not inlined, as each of its callers would hold a copy.
//
//go:noinline
func Refold(of *observe.Observed, events []trace.Event) *observe.Observed {
	log := trace.NewLog(len(events) + 1)
	o := observe.NewObserved(of.Plan)
	o.Follow(log)
	for _, e := range events {
		log.Append(e)
	}
	if o.Err() != nil {
		return nil
	}
	return o
}

// Condition says why a condition that holds does so only by what other runs have otherwise, "" where
// it holds in them, too, or where that is not known. It may be a value that was recorded: then it
// holds in the runs in which it is the same. n is what it reads. t may be nil.
func (t *Others) Condition(e hclsyntax.Expression, n *read.Needs) string {
	return t.condition(e, n, func(r *seen) bool { return !r.Hint })
}

// Part is Condition for a part of a condition of which another part shows something. t may be nil.
func (t *Others) Part(e hclsyntax.Expression, n *read.Needs) string {
	return t.condition(e, n, func(r *seen) bool { return r.Part })
}

func (t *Others) condition(e hclsyntax.Expression, n *read.Needs, of func(r *seen) bool) string {
	if t == nil {
		return ""
	}
	was := sync.OnceValue(func() cty.Value {
		v, _ := dsl.Evaluate(e, t.o.ObservedContext(n, nil))
		return v
	})
	return t.why(func(r *seen) bool { return of(r) && (r.About == nil || r.About(e)) }, func(r *seen, o *observe.Observed) (holds, known bool) {
		v, diags := dsl.Evaluate(e, o.ObservedContext(n, nil))
		switch {
		case diags.HasErrors():
			return false, r.Fails
		case !v.IsKnown():
			return false, false
		case v.Type() == cty.Bool:
			return plan.IsTrue(v), true
		}
		return v.RawEquals(was()), true
	})
}

// Expected is Condition for an attribute that is what a file expects at an address. t may be nil.
func (t *Others) Expected(address string, a *dsl.Attr) string {
	return t.expected(address, a, func(r *seen) bool { return !r.Hint })
}

// PartExpected is Expected for an attribute that is one of several. t may be nil.
func (t *Others) PartExpected(address string, a *dsl.Attr) string {
	return t.expected(address, a, func(r *seen) bool { return r.Part })
}

func (t *Others) expected(address string, a *dsl.Attr, of func(r *seen) bool) string {
	return t.why(func(r *seen) bool { return of(r) && slices.Contains(r.Addresses, address) }, func(r *seen, o *observe.Observed) (holds, known bool) {
		got := Result(o, address)
		want, diags := dsl.Evaluate(a.Expr, o.ObservedContext(o.Plan.Needs, nil))
		if diags.HasErrors() || got == cty.NilVal || !got.Type().HasAttribute(a.Name) {
			return false, false
		}
		return len(valuediff.Partial(got.GetAttr(a.Name), read.Normalise(want))) == 0, true
	})
}

// Result is what came of the run, of a step, of a call or of an endpoint; the zero value for any other
// address.
func Result(o *observe.Observed, address string) cty.Value {
	s := o.Steps[address]
	switch {
	case address == "run":
		return observe.RunVal(&o.Run, o.Plan.Needs.Of("run"))
	case s == nil:
		return cty.NilVal
	case len(o.Calls[address]) > 0:
		return observe.StepVal(s, o.Plan.Needs.Of(o.Plan.ActionOf(address).What()).Of(address))
	case s.Step.Endpoint != nil && s.Step.Endpoint.Declared:
		return observe.StepVal(s, s.Node.Read(o.Plan.Needs.Of("endpoint")))
	}
	return observe.StepVal(s, s.Node.Read(o.Plan.Needs.Of("step")))
}

func (t *Others) why(about func(r *seen) bool, holds func(r *seen, o *observe.Observed) (holds, known bool)) string {
	if t == nil {
		return ""
	}
	for _, r := range t.runs() {
		if !about(&r) {
			continue
		}
		as, apart := r.observed()
		if len(as) == 0 || slices.Contains(as, nil) || slices.Contains(apart, nil) {
			continue
		}
		no := func(is bool) func(*observe.Observed) bool {
			return func(o *observe.Observed) bool {
				now, known := holds(&r, o)
				return now == is || !known
			}
		}
		if !slices.ContainsFunc(apart, no(false)) && !slices.ContainsFunc(as, no(true)) {
			return r.Why
		}
	}
	return ""
}

// Told reports whether a reason is one that other runs give. t may be nil.
func (t *Others) Told(why string) bool {
	return t != nil && why != "" && slices.ContainsFunc(t.runs(), func(r seen) bool { return r.Why == why })
}
