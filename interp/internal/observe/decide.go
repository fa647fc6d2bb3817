package observe

import (
	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// A Decision is what a condition over a run under way comes to.
type Decision struct {
	// Made says that the condition is true or false. It is not while the result
	// depends on something that is not there; Wrong then says why it could not be
	// evaluated, "" where it only waits.
	Made, Holds bool
	Wrong       string
	// Value is the result, and Context what it was evaluated with: null stands
	// there for what is missing.
	Value   cty.Value
	Context *hcl.EvalContext
	// Missing are the operands that were not there.
	Missing []hcl.Traversal
	// Early says that the condition is of the form X == null || rest, and X not
	// there yet.
	Early bool
}

// Decide evaluates a condition over the run so far. What is missing has no value
// to compare, so an operand that is null counts as unknown: the condition is
// decided where the other side of || or && decides it. Once nothing can come any
// more, because the step or call that the operand is of has ended, or the run,
// null is an answer to what handles it: try, can and coalesce. To a comparison with
// a null that is written out it is one at once, since that asks what is there now.
// But `X == null || rest` says nothing of rest before X is there, or has ended.
func (o *Observed) Decide(c *plan.Invariant) Decision {
	if o.waits(c) {
		return Decision{}
	}
	d := Decision{Context: o.ObservedContext(c.Needs, c.Lacking)}
	expr, ctx := c.Condition, d.Context
	if d.Missing = missing(c.Absence.Slots, ctx); d.Missing != nil {
		if o.early(c.Absence.Until, ctx) {
			d.Early = true
			return d
		}
		expr, ctx = c.Absence.Expr, o.slots(c.Absence.Slots, ctx, o.answers)
	}
	v, diags := dsl.Evaluate(expr, ctx)
	if diags.HasErrors() {
		d.Wrong = plan.FirstError(diags)
		return d
	}
	d.decided(v)
	return d
}

// Defect is why a condition that could not be evaluated could not be evaluated whatever
// were there in place of null, "" where it only lacks something.
func (o *Observed) Defect(c *plan.Invariant, d *Decision) string {
	ctx := d.Context.NewChild()
	ctx.Variables = make(map[string]cty.Value, len(d.Context.Variables))
	for root, v := range d.Context.Variables {
		ctx.Variables[root] = unknownNulls(v)
	}
	ctx.Functions = make(map[string]function.Function, len(d.Context.Functions))
	for name, f := range d.Context.Functions {
		ctx.Functions[name] = Query(func(args []cty.Value) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil {
				return v, err
			}
			return unknownNulls(v), nil
		})
	}
	_, diags := dsl.Evaluate(c.Absence.Expr, o.slots(c.Absence.Slots, ctx, func(*dsl.Slot) bool { return false }))
	if !diags.HasErrors() {
		return ""
	}
	return d.Wrong
}

// unknownNulls is a value with an unknown one in the place of each null.
func unknownNulls(v cty.Value) cty.Value {
	out, err := cty.Transform(v, func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if v.IsNull() {
			return cty.UnknownVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		return cty.DynamicVal // never: nothing above fails
	}
	return out
}

// decided notes what the condition came to.
func (d *Decision) decided(v cty.Value) {
	d.Value = v
	d.Made = v.IsKnown() && !v.IsNull()
	d.Holds = d.Made && v.Type() == cty.Bool && v.True()
}

// waits reports whether a condition cannot be false yet, because of something
// that the run itself has not come to. That is cheap to know, and spares the
// rest: a condition over run.ended_ms and every step is built once and not
// after each event.
func (o *Observed) waits(c *plan.Invariant) bool {
	need := c.Needs.Of("run")
	if need == nil || o.Run.Status != "" {
		return false
	}
	var ctx *hcl.EvalContext
	for _, list := range [][]hcl.Traversal{c.Absence.Required, c.Absence.Until} {
		for _, t := range list {
			if t.RootName() != "run" {
				continue
			}
			if endDecides(t) {
				return true
			}
			if ctx == nil {
				ctx = &hcl.EvalContext{Variables: map[string]cty.Value{"run": RunVal(&o.Run, need)}}
			}
			if _, there := valueAt(t, ctx); !there {
				return true
			}
		}
	}
	return false
}

// endDecides reports whether an attribute of a run is null until the run ends.
func endDecides(t hcl.Traversal) bool {
	if len(t) < 2 {
		return false
	}
	attr, ok := t[1].(hcl.TraverseAttr)
	return ok && !known[attr.Name]
}

// missing are the operands that are not there, nil where all are.
func missing(slots []*dsl.Slot, ctx *hcl.EvalContext) []hcl.Traversal {
	var list []hcl.Traversal
	for _, s := range slots {
		if _, there := valueAt(s.Path, ctx); !there {
			list = append(list, s.Path)
		}
	}
	return list
}

// early reports whether one of the operands is not there yet.
func (o *Observed) early(paths []hcl.Traversal, ctx *hcl.EvalContext) bool {
	for _, t := range paths {
		if _, there := valueAt(t, ctx); !there && !o.settled(t) {
			return true
		}
	}
	return false
}

// valueAt is the value of an operand; it is not there where it is null, beneath
// null or behind the end of a list.
func valueAt(t hcl.Traversal, ctx *hcl.EvalContext) (v cty.Value, there bool) {
	v, diags := t.TraverseAbs(ctx)
	return v, !diags.HasErrors() && !v.IsNull()
}

// answers reports whether null is an answer where an operand is missing that is
// compared with no null.
func (o *Observed) answers(s *dsl.Slot) bool {
	return (s.Caught || s.Nullable) && o.settled(s.Path)
}

// slots adds a value for every place at which a condition reads an operand: null
// for one that is missing where that is an answer.
func (o *Observed) slots(slots []*dsl.Slot, ctx *hcl.EvalContext, answers func(*dsl.Slot) bool) *hcl.EvalContext {
	child := ctx.NewChild()
	child.Variables = make(map[string]cty.Value, len(slots))
	for _, s := range slots {
		v, there := valueAt(s.Path, ctx)
		switch {
		case !there && !s.NullTest && !answers(s):
			v = cty.DynamicVal
		case s.Caught:
			v, _ = s.Path[:1].TraverseAbs(ctx)
		case !there:
			v = read.Null
		}
		child.Variables[s.Var] = v
	}
	return child
}

// settled reports whether an operand that is not there will not be any more: the
// step, the calls or the run that it is of have ended.
func (o *Observed) settled(t hcl.Traversal) bool {
	if o.Run.Status != "" {
		return true
	}
	name, named := read.AttrName(t, 1)
	switch root := t.RootName(); {
	case root == "input":
		return true
	case !named:
		return false
	case root == "step", root == "fanout", root == "classify":
		s := o.Steps[name]
		attr, _ := read.AttrName(t, 2)
		if attr == "replaced_by" && s != nil && s.Step.Fallback >= 0 {
			return false // the fallback begins after the end
		}
		return s != nil && s.Status != "" && !s.untold(attr)
	case o.Calls[name] != nil:
		return o.CallsOver(name)
	}
	return false
}
