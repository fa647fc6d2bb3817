package judge

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// otherEnding stands for an ending that nothing names.
const otherEnding = "another"

// excused reports whether the scenario asks for an ending other than success of the run,
// or of one of the calls of a block: an expect block gives it, or a condition compares it
// that would not hold if that one thing had ended otherwise. A condition that does not
// hold is reported by itself.
func (r *finished) excused(subject, status string, element int) bool {
	return r.Plan.Excuses.Gives(subject, status) || r.asksFor(&ending{subject, element, status, read.StatusSuccess, func(name string) cty.Value { return cty.StringVal(name) }})
}

// excusedProgram is [finished.excused] for the end of the program.
func (r *finished) excusedProgram() bool {
	sut := &r.Obs.Sut
	switch {
	case sut.Signal != "":
		return r.asksFor(&ending{plan.EndSignal, 0, sut.Signal, plan.NoSignal, func(name string) cty.Value { return read.TextOrNull(name) }})
	case sut.ExitCode == nil:
		return false
	}
	return r.asksFor(&ending{plan.ExitCode, 0, strconv.Itoa(*sut.ExitCode), "0", func(name string) cty.Value {
		code, err := cty.ParseNumberVal(name)
		if err != nil {
			return cty.NumberIntVal(-1) // which no program ends with
		}
		return code
	}})
}

// An ending is how the run, one of the calls of a block, or the program ended.
type ending struct {
	subject       string
	element       int
	name, success string
	value         func(name string) cty.Value
}

// asksFor reports whether a condition asks for an ending: it names it, and is false
// with success or some other one in its place; or it names success, and is false with
// that.
func (r *finished) asksFor(x *ending) bool {
	excuse := r.Plan.Excuses[x.subject]
	return excuse != nil && slices.ContainsFunc(excuse.Asked, func(a *plan.AskedEnding) bool {
		named := a.Names(x.name)
		if !named && !a.Names(x.success) || r.untold(a.Of.Unseen) != "" {
			return false
		}
		needs := a.Needs
		if needs == nil {
			needs = r.Plan.Needs
		}
		c := r.checkerOf(needs, a.Of.Lacking)
		if v, diags := dsl.Evaluate(a.Of.Condition, c.ctx); diags.HasErrors() || !isTrue(v) {
			return true // which is reported
		}
		return c.turnsOn(a, x, x.success) || named && c.turnsOn(a, x, otherEnding)
	})
}

// turnsOn reports whether a condition that holds would be false with another ending: if
// that alone were different, and whatever else might be seen then.
func (c *checker) turnsOn(a *plan.AskedEnding, x *ending, name string) bool {
	alone, known := c.withEnding(x, func(v cty.Value, attr string) cty.Value {
		return replaced(v, attr, func(cty.Value) cty.Value { return x.value(name) })
	})
	if !known || !c.fails(a, alone) {
		return false
	}
	whole, _ := c.withEnding(x, func(v cty.Value, attr string) cty.Value { return x.ended(v, attr, name) })
	world := make(map[string]cty.Value, len(c.ctx.Variables))
	for root := range c.ctx.Variables {
		world[root] = cty.DynamicVal
	}
	maps.Copy(world, whole)
	return c.fails(a, world)
}

// fails reports whether a condition is false with other observations, some of which may
// be unknown.
func (c *checker) fails(a *plan.AskedEnding, observed map[string]cty.Value) bool {
	ctx := c.ctx.NewChild()
	ctx.Variables = observed
	ctx.Functions = map[string]function.Function{"alltrue": allTrue}
	v, diags := dsl.Evaluate(a.Of.Condition, ctx)
	return diags.HasErrors() || v.IsKnown() && !isTrue(v)
}

// allTrue is alltrue of a list in which something may be unknown: one false is enough.
var allTrue = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "list", Type: cty.DynamicPseudoType, AllowUnknown: true}},
	Type:   function.StaticReturnType(cty.Bool),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		list, whole := args[0], cty.True
		if !list.IsKnown() || !list.CanIterateElements() {
			return cty.UnknownVal(cty.Bool), nil
		}
		for _, v := range list.AsValueSlice() {
			switch {
			case !v.IsKnown():
				whole = cty.UnknownVal(cty.Bool)
			case !isTrue(v):
				return cty.False, nil
			}
		}
		return whole, nil
	},
})

// withEnding is the root below which an ending is read, with what the function makes of
// that which ended so.
func (c *checker) withEnding(x *ending, with func(v cty.Value, attr string) cty.Value) (map[string]cty.Value, bool) {
	first, rest, _ := strings.Cut(x.subject, ".")
	root, known := c.ctx.Variables[first]
	if !known {
		return nil, false
	}
	switch {
	case rest == "":
		root = with(root, "status")
	case plan.IsExcusedProgram(x.subject):
		root = with(root, rest)
	default:
		root = replaced(root, rest, func(call cty.Value) cty.Value {
			if !call.Type().IsTupleType() {
				return with(call, "status")
			}
			list := call.AsValueSlice()
			if x.element < len(list) {
				list[x.element] = with(list[x.element], "status")
			}
			return cty.TupleVal(list)
		})
	}
	return map[string]cty.Value{first: root}, true
}

// ended is what can be known of something that ended as its attribute says: a success has
// no error, and all else might have come differently.
func (x *ending) ended(v cty.Value, attr, name string) cty.Value {
	v, marks := v.Unmark()
	if v.IsNull() || !v.Type().IsObjectType() {
		return v.WithMarks(marks)
	}
	attrs := v.AsValueMap()
	for at := range attrs {
		switch {
		case at == attr:
			attrs[at] = x.value(name)
		case at == "error" && name == x.success:
			attrs[at] = cty.NullVal(attrs[at].Type())
		default:
			attrs[at] = cty.DynamicVal
		}
	}
	return cty.ObjectVal(attrs).WithMarks(marks)
}

// replaced is an object with another value of one attribute, where it has that.
func replaced(v cty.Value, attr string, by func(cty.Value) cty.Value) cty.Value {
	v, marks := v.Unmark()
	if v.IsNull() || !v.Type().IsObjectType() || !v.Type().HasAttribute(attr) {
		return v.WithMarks(marks)
	}
	attrs := maps.Clone(v.AsValueMap())
	attrs[attr] = by(attrs[attr])
	return cty.ObjectVal(attrs).WithMarks(marks)
}
