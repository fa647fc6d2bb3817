package judge

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zclconf/go-cty/cty"

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

// asksFor reports whether a condition asks for an ending: it names it, and does not hold
// with success or some other one in its place; or it names success, and does not hold
// with that.
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
		c := r.checkerOf(needs)
		if v, diags := dsl.Evaluate(a.Of.Condition, c.ctx); diags.HasErrors() || !isTrue(v) {
			return true // which is reported
		}
		return !c.holdsAtEnd(a, x, x.success) || named && !c.holdsAtEnd(a, x, otherEnding)
	})
}

// holdsAtEnd reports whether a condition holds with another ending.
func (c *checker) holdsAtEnd(a *plan.AskedEnding, x *ending, name string) bool {
	first, rest, _ := strings.Cut(x.subject, ".")
	root, known := c.ctx.Variables[first]
	if !known {
		return true
	}
	with := func(v cty.Value, attr string) cty.Value {
		return replaced(v, attr, func(cty.Value) cty.Value { return x.value(name) })
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
	ctx := c.ctx.NewChild()
	ctx.Variables = map[string]cty.Value{first: root}
	v, diags := dsl.Evaluate(a.Of.Condition, ctx)
	return !diags.HasErrors() && isTrue(v)
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
