package regrouped

import (
	"sync"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/dsl/valuediff"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// Others tells which checks of a run that has ended rest on what counts as one call of a program.
type Others struct {
	o    *observe.Observed
	runs func() []seen
}

// seen is another run as it would have been observed; apart is nil for none.
type seen struct {
	Run
	as, apart *observe.Observed
}

// Of are the other runs of one. They are told when the first check is looked at.
func Of(o *observe.Observed) *Others {
	return &Others{o, sync.OnceValue(func() (list []seen) {
		for _, r := range Runs(o) {
			s := seen{r, refolded(o.Plan, r.Events), refolded(o.Plan, r.Apart)}
			if s.as != nil && (s.apart != nil || r.Apart == nil) {
				list = append(list, s)
			}
		}
		return list
	})}
}

// refolded is what events tell of a run, nil where there can be no such run.
func refolded(p *plan.Plan, events []trace.Event) *observe.Observed {
	if events == nil {
		return nil
	}
	log := trace.NewLog(len(events) + 1)
	o := observe.NewObserved(p)
	o.Follow(log)
	for _, e := range events {
		log.Append(e)
	}
	if o.Err() != nil {
		return nil
	}
	return o
}

// Condition says why a condition that holds does so only by what counts as one call; "" where it
// holds however the requests are counted, or where that is not known. n is what the condition reads.
// t may be nil.
func (t *Others) Condition(e hclsyntax.Expression, n *read.Needs) string {
	return t.why(func(r *seen, o *observe.Observed) (holds, known bool) {
		if r.Counts && !counts(e, r.Endpoint) {
			return false, false
		}
		v, diags := dsl.Evaluate(e, o.ObservedContext(n, nil))
		return plan.IsTrue(v), !diags.HasErrors() && v.IsKnown()
	})
}

// Expected is Condition for an attribute of an endpoint that is what a file expects. t may be nil.
func (t *Others) Expected(address string, a *dsl.Attr) string {
	return t.why(func(r *seen, o *observe.Observed) (holds, known bool) {
		s := o.Steps[address]
		if s == nil || address != r.Endpoint || r.Counts {
			return false, false
		}
		need := o.Plan.Needs.Of("endpoint")
		if s.Step.Endpoint == nil || !s.Step.Endpoint.Declared {
			need = o.Plan.Needs.Of("step")
		}
		got := observe.StepVal(s, s.Node.Read(need))
		want, diags := dsl.Evaluate(a.Expr, o.ObservedContext(o.Plan.Needs, nil))
		if diags.HasErrors() || !got.Type().HasAttribute(a.Name) {
			return false, false
		}
		return len(valuediff.Partial(got.GetAttr(a.Name), read.Normalise(want))) == 0, true
	})
}

func (t *Others) why(holds func(r *seen, o *observe.Observed) (holds, known bool)) string {
	if t == nil {
		return ""
	}
	for _, r := range t.runs() {
		if r.apart != nil {
			if apart, known := holds(&r, r.apart); !known || !apart {
				continue
			}
		}
		if now, known := holds(&r, r.as); known && !now {
			return r.Why
		}
	}
	return ""
}

// counts reports whether a condition counts requests or calls of an endpoint.
func counts(e hclsyntax.Expression, endpoint string) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		if !call || f.Name != "length" || len(f.Args) != 1 {
			return
		}
		for t := range dsl.Variables(f.Args[0]) {
			name, _ := read.AttrName(t, 1)
			last, _ := read.AttrName(t, len(t)-1)
			found = found || name == endpoint && (last == "attempts" || last == "calls")
		}
	})
	return found
}
