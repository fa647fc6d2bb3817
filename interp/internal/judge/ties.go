package judge

import (
	"fmt"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/tied"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// ofTie says why an order that the file gives shows nothing.
const ofTie = "it holds because steps that begin at one instant stand in the order of the file: nothing made one of them wait for the other, so their order shows nothing here.\nhint: let one wait for the other, with depends_on or by reading its result; or compare sort([for s in steps : s.name]), which says that both ran"

// orderedByFile says why a condition that holds rests on the order in which the file
// has steps that begin at one instant, "" where it does not: it is false with another
// order of them. When each of them ends is what the script says.
func (c *checker) orderedByFile(e hclsyntax.Expression) string {
	obs := c.run.Obs
	why := c.run.neverBegan(func(o *checker) bool {
		v, diags := dsl.Evaluate(e, o.ctx)
		return !c.amid && !diags.HasErrors() && isFalse(v)
	})
	if why != "" || obs.Driven() || obs.Plan.Workflow == nil || !readsOrder(e) {
		return why
	}
	moved := false
	ctx := c.ctx.NewChild()
	ctx.Variables, ctx.Functions = map[string]cty.Value{}, map[string]function.Function{}
	if steps, known := c.ctx.Variables["steps"]; known && steps.Type().IsTupleType() {
		ctx.Variables["steps"] = tied.Turned(steps, &moved, func(a, b cty.Value) bool { return obs.Tied(textAt(a, "name"), textAt(b, "name")) })
	}
	if events, asked := c.ctx.Functions["events"]; asked {
		ctx.Functions["events"] = observe.Query(func(args []cty.Value) (cty.Value, error) {
			v, err := events.Call(args)
			if err != nil || !v.Type().IsTupleType() {
				return v, err
			}
			return tied.TurnedByType(v, func(e cty.Value) string { return textAt(e, "type") }, &moved, func(a, b cty.Value) bool { return obs.Tied(textAt(a, "step"), textAt(b, "step")) }), nil
		})
	}
	if v, diags := dsl.Evaluate(e, ctx); moved && (diags.HasErrors() || isFalse(v)) {
		return ofTie
	}
	return ""
}

// tiedInvariants says why invariants that held show nothing: they do not hold where a step
// that took no time comes behind another one of its instant, for which it never waited.
func (r *finished) tiedInvariants() (why map[*plan.Invariant]string) {
	left := slices.DeleteFunc(slices.Clone(r.watcher.Left), func(i *watched) bool { return !i.Own || i.evaluated == 0 })
	if len(left) == 0 || r.Obs.Err() != nil {
		return nil
	}
	why = map[*plan.Invariant]string{}
	own := *r.Plan
	own.Invariants = nil
	for _, i := range left {
		own.Invariants = append(own.Invariants, i.Invariant)
	}
	for _, run := range tied.Runs(r.Obs) {
		held := heldIn(&own, run.Events)
		for _, i := range left {
			if why[i.Invariant] == "" && held != nil && !held[i.Invariant] {
				why[i.Invariant] = fmt.Sprintf("it holds because %[1]q takes no time and stands before %[2]q in the file: nothing makes the second wait, and with the two in the other order it does not hold, so it shows nothing here.\nhint: give the replies of %[1]q a latency, such as latency = \"1s\"", run.First, run.Second)
			}
		}
	}
	return why
}

// heldIn are the invariants that hold to the end of a run that is told by its events, nil
// where there can be no such run.
func heldIn(p *plan.Plan, events []trace.Event) (held map[*plan.Invariant]bool) {
	w := toldBy(p, events)
	if w == nil {
		return nil
	}
	held = map[*plan.Invariant]bool{}
	for _, i := range w.Left {
		held[i.Invariant] = true
	}
	return held
}

// toldBy is the watcher of a run that is told by its events, nil where there can be no such run.
func toldBy(p *plan.Plan, events []trace.Event) (w *Watcher) {
	defer func() {
		if recover() != nil {
			w = nil
		}
	}()
	w, log := followed(p, events, watch)
	w.sole = false // what is asked here is whether they hold, not what they show
	for i := range events {
		log.Append(events[i])
	}
	if w.obs.Err() != nil {
		return nil
	}
	return w
}

// An earlier run is one in which a step began that never did here, told in two ways, see
// [tied.Unstarted].
type earlier struct {
	why string
	by  [2]*checker
}

// earlierRuns are those that there may be, told once.
func (r *finished) earlierRuns() []earlier {
	if r.earlier != nil {
		return r.earlier
	}
	r.earlier = []earlier{}
	for _, b := range tied.Unstarted(r.Obs) {
		of := earlier{why: fmt.Sprintf("it holds because %[1]q fails at the instant at which it begins and stands before %[2]q in the file: nothing makes the second wait, and with the two in the other order it is sent, so it shows nothing here.\nhint: let the second wait for the first, with depends_on or by reading its result, or let the first fail later, such as with after = \"1s\"", b.First, b.Second)}
		for i, events := range b.Runs {
			if w := toldBy(r.Plan, events); w != nil {
				of.by[i] = (&finished{Plan: r.Plan, Obs: w.obs, watcher: w}).checker()
			}
		}
		if of.by[0] != nil && of.by[1] != nil {
			r.earlier = append(r.earlier, of)
		}
	}
	return r.earlier
}

// neverBegan says why something holds that does not where a step began which never did, "" where it
// does, or where there is no such run.
func (r *finished) neverBegan(fails func(*checker) bool) string {
	for _, run := range r.earlierRuns() {
		if fails(run.by[0]) && fails(run.by[1]) {
			return run.why
		}
	}
	return ""
}

// notBroken is neverBegan for an invariant, of a file or of an import as well.
func (r *finished) notBroken(i *watched) string {
	return r.neverBegan(func(c *checker) bool {
		return !i.Standard && !slices.ContainsFunc(c.run.watcher.Left, func(w *watched) bool { return w.Invariant == i.Invariant })
	})
}

// readsOrder reports whether an expression reads lists in which steps stand in an order,
// and of each element nothing but the name of its step. What it reads besides, or chooses
// by, shows more than an order.
func readsOrder(e hclsyntax.Expression) bool {
	lists, names := 0, 0
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			if isListOfSteps(x) {
				lists++
				if len(x.Traversal) == 3 && isStepName(x) {
					names++
				}
			}
		case *hclsyntax.FunctionCallExpr:
			if isListOfSteps(x) {
				lists++
			}
		case *hclsyntax.ForExpr:
			if x.KeyExpr == nil && isListOfSteps(x.CollExpr) && isStepName(x.ValExpr) && choosesByType(x) {
				names++
			}
		case *hclsyntax.SplatExpr:
			if isListOfSteps(x.Source) && isStepName(x.Each) {
				names++
			}
		case *hclsyntax.RelativeTraversalExpr:
			if isListOfSteps(x.Source) && isStepName(x) {
				names++
			}
		}
	})
	return names > 0 && names == lists
}

// isListOfSteps reports whether an expression is steps, an element of it, or events.
func isListOfSteps(e hclsyntax.Expression) bool {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return x.Traversal.RootName() == "steps"
	case *hclsyntax.FunctionCallExpr:
		return x.Name == "events"
	}
	return false
}

// choosesByType reports whether a for expression takes all elements, or those of a type: that
// says nothing more of a step than that it ran.
func choosesByType(x *hclsyntax.ForExpr) bool {
	if x.CondExpr == nil {
		return true
	}
	c, is := dsl.Bare(x.CondExpr).(*hclsyntax.BinaryOpExpr)
	return is && dsl.IsEqual(c.Op) && (lastName(c.LHS) == "type" || lastName(c.RHS) == "type")
}

// isStepName reports whether an expression ends with the attribute that names a step.
func isStepName(e hclsyntax.Expression) bool {
	name := lastName(e)
	return name == "name" || name == "step" || name == "sub"
}

// textAt is an attribute of an object that is a string, "" where there is none.
func textAt(v cty.Value, name string) string {
	if v.IsNull() || !v.Type().IsObjectType() || !v.Type().HasAttribute(name) {
		return ""
	}
	if v = v.GetAttr(name); v.IsNull() || !v.IsKnown() || v.Type() != cty.String {
		return ""
	}
	return v.AsString()
}
