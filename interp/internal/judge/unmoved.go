package judge

import (
	"maps"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// ofZero begins to say that a limit shows nothing.
const ofZero = "it holds because it was 0: "

// ofOneAttempt begins to say that a limit on attempts shows nothing.
const ofOneAttempt = "it holds because there was one attempt: "

// unmoved are the measures that are 0 in this run whatever is under test.
func (c *checker) unmoved() []observe.Measure {
	if !c.measured {
		c.measures, c.measured = c.run.Obs.Unmoved(), true
	}
	return c.measures
}

// limited says why a condition is an upper limit on something that is 0 whatever is
// under test, "" where it is not. It does not go by how the limit is written: nothing
// else that the run observed decides the condition, it holds with numbers that are a
// little more than 0 as well, so that it does not ask for 0, and it does not hold with
// large ones.
func (c *checker) limited(e hclsyntax.Expression) string {
	var asked []observe.Measure
	if isNoLimit(e) {
		return ""
	}
	for _, m := range c.unmoved() {
		if mentions(e, &m) {
			asked = append(asked, m)
		}
	}
	if len(asked) == 0 {
		return ""
	}
	a := dsl.NewAbsence(e, read.IsObserved)
	if !c.holdsWith(a, &zeros{checker: c, of: asked, alone: true}) {
		return ""
	}
	for _, m := range asked {
		for _, order := range []int{level, rising, falling} {
			if order == falling && m.Least >= 1 {
				break // of what is counted, there is nothing less than one
			}
			little, much := &zeros{checker: c, of: []observe.Measure{m}, order: order}, &zeros{checker: c, of: []observe.Measure{m}, order: order, much: true}
			if c.holdsWith(a, little) && c.failsWith(a, much) {
				switch {
				case much.why != "":
					return ofZero + much.why
				case slices.Contains(m.Lists, "attempts"):
					return ofOneAttempt + m.Why
				}
				return ofZero + m.Why
			}
		}
	}
	return ""
}

// isNoLimit reports whether a condition says by == what something is, so that it is no
// limit: some number, a string or a list that is not empty, or that an operand or a
// metric is 0. It is there to spare a closer look.
func isNoLimit(e hclsyntax.Expression) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is || !dsl.IsEqual(x.Op) {
		return false
	}
	if list, is := dsl.Bare(x.RHS).(*hclsyntax.TupleConsExpr); is {
		return len(list.Exprs) > 0
	}
	v, written := dsl.Literal(dsl.Bare(x.RHS))
	if !written || v.IsNull() || v.Type() == cty.Bool {
		return false
	}
	if !isEmpty(v) {
		return true
	}
	switch of := dsl.Bare(x.LHS).(type) {
	case *hclsyntax.ScopeTraversalExpr:
		return true
	case *hclsyntax.FunctionCallExpr:
		return of.Name == "metric"
	}
	return false
}

// mentions reports whether an expression may read a number of a measure.
func mentions(e hclsyntax.Expression, m *observe.Measure) (found bool) {
	named := func(t hcl.Traversal) bool {
		for i := range t {
			if name, is := read.AttrName(t, i); is && (slices.Contains(m.Names, name) || slices.Contains(m.Lists, name) || slices.Contains(m.Sums, name)) {
				return true
			}
		}
		return false
	}
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			found = found || named(x.Traversal)
		case *hclsyntax.RelativeTraversalExpr:
			found = found || named(x.Traversal)
		case *hclsyntax.FunctionCallExpr:
			found = found || m.Counts && (x.Name == "metric" || x.Name == "events")
		case *hclsyntax.LiteralValueExpr:
			found = found || x.Val.Type() == cty.String && !x.Val.IsNull() && slices.Contains(m.Names, x.Val.AsString())
		}
	})
	return found
}

func (c *checker) holdsWith(a *dsl.Absence, z *zeros) bool {
	v, ok := c.with(a, z)
	return ok && v.RawEquals(cty.True)
}

func (c *checker) failsWith(a *dsl.Absence, z *zeros) bool {
	v, ok := c.with(a, z)
	return ok && v.RawEquals(cty.False)
}

// with is what a condition comes to with other numbers in the place of zeros.
func (c *checker) with(a *dsl.Absence, z *zeros) (cty.Value, bool) {
	ctx := c.ctx.NewChild()
	ctx.Variables = make(map[string]cty.Value, len(a.Slots))
	for _, s := range a.Slots {
		path := s.Path
		if s.Caught {
			path = path[:1]
		}
		v, diags := path.TraverseAbs(c.ctx)
		if diags.HasErrors() {
			return cty.NilVal, false
		}
		ctx.Variables[s.Var] = z.at(path, v)
	}
	ctx.Functions = z.queries()
	v, diags := dsl.Evaluate(a.Expr, ctx)
	return v, !diags.HasErrors()
}

// The orders in which numbers take the place of zeros, as a difference of two of them
// is a limit, too.
const (
	level = iota
	rising
	falling
)

// zeros puts other numbers in the place of those that are 0 whatever is under test;
// where it is alone, it leaves them and takes away what else a run observed.
type zeros struct {
	checker     *checker
	of          []observe.Measure
	alone, much bool
	order       int
	n           int    // how many it has replaced
	why         string // why the last metric is 0
}

// at is the value at the end of a path.
func (z *zeros) at(path hcl.Traversal, v cty.Value) cty.Value {
	name := ""
	for i := range path[1:] {
		if n, is := read.AttrName(path, i+1); is {
			name = n
		}
		if slices.Contains(foreign, name) {
			return z.other(v)
		}
	}
	if z.movesAtOnce(name) && !z.checker.run.Obs.AtOnce(path) {
		if !v.Type().IsTupleType() {
			return z.other(v)
		}
		return z.each(name, v)
	}
	return z.in(name, v)
}

// movesAtOnce reports whether an attribute is of the measures that hold of what succeeded
// at once alone.
func (z *zeros) movesAtOnce(name string) bool {
	m := z.measure(name)
	return m != nil && m.AtOnce
}

// measure is that of an attribute, nil for none.
func (z *zeros) measure(name string) *observe.Measure {
	i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return slices.Contains(m.Names, name) || slices.Contains(m.Lists, name) })
	if i < 0 {
		return nil
	}
	return &z.of[i]
}

// foreign are attributes in which a service or a file says what it likes.
var foreign = []string{"json", "headers", "output", "input", "inputs", "arguments", "request", "response", "structured", "rows", "attributes", "labels", "body", "content", "tool_calls", "value"}

// told are attributes that say which of several things something is.
var told = []string{"name", "step", "kind", "type", "address"}

// in is the value of an attribute.
func (z *zeros) in(name string, v cty.Value) cty.Value {
	v, _ = v.UnmarkDeep()
	if v.IsNull() && (name == "attempts" || slices.ContainsFunc(z.of, func(m observe.Measure) bool { return slices.Contains(m.Names, name) || slices.Contains(m.Lists, name) })) {
		return v // of a step that never ran
	}
	if v.IsNull() || !v.IsKnown() {
		return z.other(v)
	}
	switch t := v.Type(); {
	case slices.Contains(foreign, name):
		return z.other(v)
	case t == cty.Number:
		if i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return slices.Contains(m.Names, name) }); i >= 0 && isZero(v) {
			return z.number(&z.of[i])
		}
	case t.IsObjectType():
		answered := name == "attempts" && !isCancelled(v)
		attrs := make(map[string]cty.Value, len(t.AttributeTypes()))
		for it := v.ElementIterator(); it.Next(); {
			k, e := it.Element()
			switch name := k.AsString(); {
			case !z.movesAtOnce(name) || z.measure(name).All || answered || e.IsNull():
				attrs[name] = z.in(name, e)
			case e.Type().IsTupleType():
				attrs[name] = z.each(name, e)
			default:
				attrs[name] = z.other(e)
			}
		}
		return cty.ObjectVal(attrs)
	case t.IsTupleType():
		if m := z.measure(name); v.LengthInt() == 0 || v.LengthInt() == 1 && m != nil && m.AtOnce && slices.Contains(m.Lists, name) {
			return z.list(name, v)
		}
		return z.each(name, v)
	}
	if slices.Contains(told, name) {
		return v
	}
	return z.other(v)
}

// each is a list whose elements have other numbers.
func (z *zeros) each(name string, v cty.Value) cty.Value {
	list := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		list = append(list, z.in(name, e))
	}
	return cty.TupleVal(list)
}

// isCancelled reports whether an attempt is one that was called off, which takes as long
// as whoever did that decides.
func isCancelled(attempt cty.Value) bool {
	return attempt.Type().HasAttribute("outcome") && attempt.GetAttr("outcome").RawEquals(cty.StringVal(read.StatusCancelled))
}

// list is an empty list of an attribute: one number, or more than any limit allows. Of the
// one attempt there are more.
func (z *zeros) list(name string, v cty.Value) cty.Value {
	i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return slices.Contains(m.Lists, name) })
	if i >= 0 && z.of[i].AtOnce && v.LengthInt() == 1 {
		return z.repeated(&z.of[i], z.each(name, v).Index(cty.Zero))
	}
	if i < 0 || z.alone || z.of[i].AtOnce {
		return v
	}
	n := 1
	if z.much {
		n = 10_000
	}
	list := make([]cty.Value, n)
	for k := range list {
		list[k] = z.number(&z.of[i])
	}
	return cty.TupleVal(list)
}

// repeated is a list of the one attempt that there was, and of more like it.
func (z *zeros) repeated(m *observe.Measure, attempt cty.Value) cty.Value {
	n := 1
	switch {
	case z.much:
		n = int(m.Most)
	case !z.alone:
		n = 1 + int(m.Least)
	}
	return cty.TupleVal(slices.Repeat([]cty.Value{attempt}, n))
}

// number is what takes the place of a zero.
func (z *zeros) number(m *observe.Measure) cty.Value {
	if z.alone {
		return cty.Zero
	}
	z.n++
	unit := m.Least
	if z.much {
		unit = m.Most
	}
	switch z.order {
	case rising:
		unit *= float64(z.n)
	case falling:
		unit /= float64(z.n)
	}
	return cty.NumberFloatVal(unit)
}

// other is a value of which nothing is asked: it is as it was, or not known.
func (z *zeros) other(v cty.Value) cty.Value {
	if z.alone {
		return cty.UnknownVal(v.Type())
	}
	return v
}

// queries are the functions that ask the run, with other numbers in their answers.
func (z *zeros) queries() map[string]function.Function {
	list := maps.Clone(unknown.Length)
	for _, name := range observe.Queries() {
		f, asked := z.checker.ctx.Functions[name]
		if !asked {
			continue
		}
		list[name] = observe.Query(func(args []cty.Value) (cty.Value, error) {
			v, err := f.Call(args)
			switch {
			case err != nil:
				return v, err
			case name == "metric":
				return z.metric(f, v, args[0]), nil
			case name == "metrics":
				return z.series(v), nil
			case name == "events" && v.LengthInt() == 0:
				return z.events(v, args), nil
			case name == "overlaps" || name[:4] == "sut.":
				return z.other(v), nil
			}
			return z.in("", v), nil
		})
	}
	return list
}

// metric is a metric that was asked for: another number where it is 0 because nothing
// came that it could count.
func (z *zeros) metric(f function.Function, v, name cty.Value) cty.Value {
	i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return m.Counts })
	if i < 0 || !isZero(v) || name.Type() != cty.String || name.IsNull() {
		return z.other(v)
	}
	if total, err := f.Call([]cty.Value{name}); err != nil || !isZero(total) {
		return z.other(v)
	}
	why := z.checker.run.Obs.Uncounted(name.AsString())
	if why == "" {
		return z.other(v)
	}
	z.why = why
	return z.number(&z.of[i])
}

// events are none of those that follow a failure: others in their place, of which nothing
// but their number is known.
func (z *zeros) events(v cty.Value, args []cty.Value) cty.Value {
	i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return m.Counts })
	why := z.checker.run.Obs.Unfollowed(args)
	if i < 0 || why == "" {
		return v
	}
	z.why = why
	if z.alone {
		return v
	}
	n := 1
	if z.much {
		n = 10_000
	}
	return cty.TupleVal(slices.Repeat([]cty.Value{cty.EmptyObjectVal}, n))
}

// series are those of a metric: the sum of a duration is another number.
func (z *zeros) series(v cty.Value) cty.Value {
	i := slices.IndexFunc(z.of, func(m observe.Measure) bool { return len(m.Sums) > 0 })
	if i < 0 {
		return z.other(v)
	}
	list := make([]cty.Value, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		_, e := it.Element()
		attrs := e.AsValueMap()
		for k, a := range attrs {
			if slices.Contains(z.of[i].Sums, k) && isZero(a) {
				attrs[k] = z.number(&z.of[i])
			} else if !slices.Contains(told, k) {
				attrs[k] = z.other(a)
			}
		}
		list = append(list, cty.ObjectVal(attrs))
	}
	return cty.TupleVal(list)
}
