package judge

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// both is a comparison with the two values that it was made of.
type both struct {
	checker     *checker
	of          *dsl.Comparison
	left, right cty.Value
	holds       bool
}

// aboutNothing says why the comparison compares nothing that was there, "" where
// it does.
func (b *both) aboutNothing() string {
	for _, rule := range []func() string{b.idle, b.null, b.byDefault, b.empty, b.fewer, b.lonely, b.instant, b.crowd, b.single, b.once, b.unchosen, b.timeless, b.skipped, b.alone} {
		if why := rule(); why != "" {
			return why
		}
	}
	return ""
}

// sides calls f with each side, its value, and the other side.
func (b *both) sides(f func(s dsl.Side, v cty.Value, other dsl.Side) string) string {
	if why := f(b.of.Left, b.left, b.of.Right); why != "" {
		return why
	}
	return f(b.of.Right, b.right, b.of.Left)
}

// observed reports whether a side is made of what a run observes.
func observed(s dsl.Side) bool {
	found := s.Bound || slices.ContainsFunc(s.Slots, func(o *dsl.Slot) bool { return o.Path.RootName() != "input" })
	if !found {
		dsl.EachExpr(s.Expression, func(e hclsyntax.Expression) {
			f, call := e.(*hclsyntax.FunctionCallExpr)
			found = found || call && read.IsQuery(f.Name)
		})
	}
	return found
}

// bothObserved reports whether the file says neither side.
func (b *both) bothObserved() bool { return observed(b.of.Left) && observed(b.of.Right) }

// explicit reports whether the file says by == that something is as it is where
// nothing came to it: that there is none of it.
func (b *both) explicit() bool {
	if !b.holds || b.bothObserved() || b.checker.recorded {
		return false
	}
	v, bound := b.left, b.right
	if !observed(b.of.Left) {
		v, bound = b.right, b.left
	}
	switch {
	case dsl.IsEqual(b.of.Op):
		return saysNone(v)
	case premise.IsOrder(b.of.Op):
		return isZero(v) && bound.Type() == cty.Number && bound.LessThanOrEqualTo(cty.NumberIntVal(1)).True() && b.none()
	}
	return false
}

// none reports whether only zero keeps a bound: <= 0 or < 1, either way round.
func (b *both) none() bool {
	one := cty.NumberIntVal(1)
	switch b.of.Op {
	case hclsyntax.OpLessThan:
		return b.right.RawEquals(one)
	case hclsyntax.OpLessThanOrEqual:
		return isZero(b.right)
	case hclsyntax.OpGreaterThan:
		return b.left.RawEquals(one)
	case hclsyntax.OpGreaterThanOrEqual:
		return isZero(b.left)
	}
	return false
}

// idle is for what nothing came to. A side that also reads something else shows
// that.
func (b *both) idle() string {
	return b.sides(func(s dsl.Side, _ cty.Value, _ dsl.Side) string {
		if len(s.Slots) == 0 || slices.ContainsFunc(s.Slots, func(o *dsl.Slot) bool { return !b.checker.run.Obs.Idle(o.Path) }) {
			return ""
		}
		path := s.Slots[0].Path
		if attr, _ := read.AttrName(path, len(path)-1); attr == stepErrors || !b.explicit() {
			return ofIdle(path)
		}
		return ""
	})
}

// null is for a null that the file does not speak of.
func (b *both) null() string {
	if b.of.Null || !b.left.IsNull() && !b.right.IsNull() {
		return ""
	}
	if b.left.IsNull() && b.right.IsNull() {
		if b.bothObserved() {
			return ofNull(text(b.of.Left) + ", as " + text(b.of.Right) + ",")
		}
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if v.IsNull() && observed(s) && !observed(other) {
			return ofNull(text(s))
		}
		return ""
	})
}

// byDefault is for what stands in for something that is not there, where the
// condition asks for something else.
func (b *both) byDefault() string {
	if !b.holds {
		return ""
	}
	if dsl.IsEqual(b.of.Op) {
		return b.sides(b.equalByDefault)
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		_, lookup := call(s.Expression, "lookup")
		if lookup || s.Bound || observed(other) || !isDefault(s.Expression, v) || !slices.ContainsFunc(s.Slots, b.missing) {
			return ""
		}
		return ofNull(text(s))
	})
}

// equalByDefault is for something that is not there, in the place of which the
// file gives just what it then asks for. What is missing of a failure, and a word
// for nothing, are what was asked for.
func (b *both) equalByDefault(s dsl.Side, v cty.Value, other dsl.Side) string {
	said, written := dsl.Literal(dsl.Bare(other.Expression))
	if s.Bound || !written || !said.RawEquals(v) || !isDefault(s.Expression, v) || !b.checker.recorded && (saysNone(v) || isWordForNothing(v)) {
		return ""
	}
	for _, o := range s.Slots {
		if slices.ContainsFunc(o.Path, func(t hcl.Traverser) bool { a, is := t.(hcl.TraverseAttr); return is && a.Name == stepErrors }) {
			return ""
		}
	}
	f := dsl.Bare(s.Expression).(*hclsyntax.FunctionCallExpr) // as isDefault found
	for _, a := range f.Args[:len(f.Args)-1] {
		one := *f
		if one.Args = []hclsyntax.Expression{a}; f.Name == "lookup" {
			one.Args = f.Args[:2]
		}
		if got, diags := dsl.Evaluate(&one, b.checker.ctx); !diags.HasErrors() && !got.IsNull() {
			return ""
		}
		if f.Name == "lookup" {
			break
		}
	}
	return ofDefault
}

// ofDefault says that what the file itself gives is compared with itself.
const ofDefault = "it holds because what it reads was not there, and what the file gives in its place is what it asks for, so it shows nothing here.\nhint: read it without a default, or give one that it does not ask for"

// isWordForNothing reports whether a value is a word for what is not there.
func isWordForNothing(v cty.Value) bool {
	return v.Type() == cty.String && !v.IsNull() && slices.Contains([]string{"none", "nothing", "null", "missing", "absent", "unset", "-"}, strings.ToLower(v.AsString()))
}

// missing reports whether an operand is not there.
func (b *both) missing(s *dsl.Slot) bool {
	v, diags := s.Path.TraverseAbs(b.checker.ctx)
	return diags.HasErrors() || v.IsNull()
}

// empty is for two things that are equal because there is nothing of either.
func (b *both) empty() string {
	if !b.holds || !b.bothObserved() {
		return ""
	}
	nothing := func(s dsl.Side, v cty.Value) bool {
		return isZero(v) && counts(s.Expression) || isEmpty(v) && v.Type() != cty.Number && v.Type() != cty.Bool || isDefault(s.Expression, v)
	}
	if nothing(b.of.Left, b.left) && nothing(b.of.Right, b.right) {
		return ofNull(text(b.of.Left) + ", as " + text(b.of.Right) + ",")
	}
	return ""
}

// fewer is for lists that are in order, or of different elements, because there
// are fewer than two.
func (b *both) fewer() string {
	if !b.holds {
		return ""
	}
	if !b.bothObserved() {
		return b.sides(b.oneSort)
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if length, ok := call(s.Expression, "length"); ok {
			if _, ok := call(other.Expression, "length"); ok && v.Type() == cty.Number && v.LessThan(cty.NumberIntVal(2)).True() && rearranges(length.Args[0]) {
				return ofFewer(other)
			}
		}
		if rearranges(s.Expression) && v.CanIterateElements() && v.LengthInt() < 2 {
			return ofFewer(other)
		}
		return ""
	})
}

// lonely is for two elements of a list, such as its first and its last, or its least and
// its largest, where there is one.
func (b *both) lonely() string {
	if !b.holds || !b.bothObserved() || b.of.Left.Bound || b.of.Right.Bound {
		return ""
	}
	slots, elements := slices.Concat(b.of.Left.Slots, b.of.Right.Slots), false
	for _, side := range []dsl.Side{b.of.Left, b.of.Right} {
		dsl.EachExpr(side.Expression, func(e hclsyntax.Expression) {
			f, call := e.(*hclsyntax.FunctionCallExpr)
			_, indexed := e.(*hclsyntax.IndexExpr)
			elements = elements || indexed || call && slices.Contains([]string{"min", "max", "element", "reverse", "slice", "sum"}, f.Name)
		})
	}
	if !elements || len(slots) < 2 {
		return ""
	}
	list := ""
	for _, s := range slots {
		path := s.Path
		if _, index := path[len(path)-1].(hcl.TraverseIndex); index {
			path = path[:len(path)-1]
		}
		v, diags := path.TraverseAbs(b.checker.ctx)
		if text := dsl.TraversalText(path); diags.HasErrors() || v.IsNull() || !v.Type().IsTupleType() || v.LengthInt() != 1 || list != "" && list != text {
			return ""
		} else {
			list = text
		}
	}
	return fmt.Sprintf("it holds because there is one element in %s, which is compared with itself, so it shows nothing here.\nhint: say how many there have to be as well, such as length(…) >= 2", list)
}

// timeless is for an upper limit on the time of a step that takes none, where others take
// some.
func (b *both) timeless() string {
	if !b.holds || !premise.IsOrder(b.of.Op) {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if len(s.Slots) != 1 || s.Bound || observed(other) || !isZero(v) || !b.isMost(s) || b.explicit() || !b.checker.run.Obs.Instant(s.Slots[0].Path) {
			return ""
		}
		return ofZero + "the step takes no time, so the limit is never met, and it shows nothing here.\nhint: give its replies a latency, such as latency = \"1s\""
	})
}

// skipped is for the status of a step that never ran, which is not some other one.
func (b *both) skipped() string {
	if !b.holds || dsl.IsEqual(b.of.Op) || !dsl.IsComparison(b.of.Op) {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if len(s.Slots) != 1 || observed(other) || !v.RawEquals(cty.StringVal(read.StatusSkipped)) {
			return ""
		}
		path := s.Slots[0].Path
		if step := b.checker.run.Obs.StepAt(path); step != nil && step.NeverRan() && len(path) == 3+strings.Count(step.Name, ".") {
			return ofNoStep
		}
		return ""
	})
}

// oneSort is for a list whose elements are all alike because there is one.
func (b *both) oneSort(s dsl.Side, v cty.Value, _ dsl.Side) string {
	length, ok := call(s.Expression, "length")
	if !ok || s.Bound || !v.RawEquals(cty.NumberIntVal(1)) {
		return ""
	}
	for _, name := range []string{"distinct", "toset"} {
		sorts, ok := call(length.Args[0], name)
		if !ok {
			continue
		}
		list, diags := dsl.Evaluate(sorts.Args[0], b.checker.ctx)
		if !diags.HasErrors() && !list.IsNull() && list.CanIterateElements() && list.LengthInt() == 1 {
			return ofFewer(dsl.Side{Expression: sorts.Args[0]})
		}
	}
	return ""
}

// instant is for two instants that are the same because nothing took any time.
func (b *both) instant() string {
	if !b.holds || !b.bothObserved() || b.left.Type() != cty.Number || !b.left.RawEquals(b.right) {
		return ""
	}
	slots := slices.Concat(b.of.Left.Slots, b.of.Right.Slots)
	if len(slots) != 2 {
		return ""
	}
	ends := slices.DeleteFunc(slices.Clone(slots), func(o *dsl.Slot) bool { return !isEnd(o.Path) })
	if len(ends) == 0 {
		ends = slots
	}
	if slices.ContainsFunc(ends, func(o *dsl.Slot) bool { return !b.checker.run.Obs.Timeless(o.Path) }) {
		return ""
	}
	return ofNoTime
}

// isEnd reports whether an operand is the end of something.
func isEnd(t hcl.Traversal) bool {
	attr, _ := read.AttrName(t, len(t)-1)
	return attr == "ended_ms" || attr == "ended_at_ms"
}

// saysNone reports whether a value says of something that there was nothing of it.
func saysNone(v cty.Value) bool {
	return isEmpty(v) || v.RawEquals(cty.StringVal(observe.StatusUnused)) || v.RawEquals(cty.StringVal(read.StatusSkipped))
}

func isZero(v cty.Value) bool { return v.RawEquals(cty.Zero) }

// isEmpty reports whether a value is what there is where there is nothing.
func isEmpty(v cty.Value) bool {
	switch t := v.Type(); {
	case v.IsNull() || isZero(v) || v.RawEquals(cty.False):
		return true
	case t == cty.String:
		return v.AsString() == ""
	case t.IsTupleType() || t.IsObjectType() || t.IsCollectionType():
		return v.LengthInt() == 0
	}
	return false
}

// counts reports whether an expression counts or adds up something.
func counts(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, is := e.(*hclsyntax.FunctionCallExpr)
		found = found || is && slices.Contains([]string{"length", "metric", "sum"}, f.Name)
	})
	return found
}

// rearranges reports whether an expression is a list with the elements of another.
func rearranges(e hclsyntax.Expression) bool {
	for _, name := range []string{"sort", "reverse", "distinct", "toset"} {
		if _, is := call(e, name); is {
			return true
		}
	}
	return false
}

// isDefault reports whether a value is what an expression gives where what it
// asks for is not there.
func isDefault(e hclsyntax.Expression, v cty.Value) bool {
	for _, name := range []string{"lookup", "try", "coalesce"} {
		f, is := call(e, name)
		if !is || len(f.Args) < 2 {
			continue
		}
		last, written := dsl.Bare(f.Args[len(f.Args)-1]).(*hclsyntax.LiteralValueExpr)
		return written && last.Val.RawEquals(v)
	}
	return false
}

// call is an expression that is a call of a function with arguments.
func call(e hclsyntax.Expression, name string) (*hclsyntax.FunctionCallExpr, bool) {
	f, is := dsl.Bare(e).(*hclsyntax.FunctionCallExpr)
	return f, is && f.Name == name && len(f.Args) > 0
}

func text(s dsl.Side) string { return string(dsl.AppendSource(nil, s.Expression)) }

// ofIdle says that nothing came to what an operand is of.
func ofIdle(t hcl.Traversal) string {
	what := dsl.TraversalText(t[:min(2, len(t))])
	switch root := t.RootName(); {
	case root == "run":
		return "it holds of a run in which no step did anything, so it shows nothing here.\nhint: say of a step what it did, or that it was skipped"
	case root == "sut":
		return "it holds because the program wrote nothing on standard output, so it shows nothing here.\nhint: say what it has to write as well, or with == \"\" that it writes nothing"
	case root == "endpoint":
		return fmt.Sprintf("it holds because %s was never asked, so it shows nothing here.\nhint: say how often it has to be asked as well, such as length(%[1]s.attempts) > 0, or that it is not: %[1]s.status == \"unused\"", what)
	case root == "step" || root == "fanout" || root == "classify":
		return fmt.Sprintf("it holds because nothing was done in %s, so it shows nothing here.\nhint: say how often something has to be, or that nothing is", what)
	}
	return fmt.Sprintf("it holds because no call came to %s, so it shows nothing here.\nhint: say that one did as well, or with == that none did", what)
}

// ofFewer says that a list is too short to be in an order.
func ofFewer(s dsl.Side) string {
	return fmt.Sprintf("it holds because there are fewer than two elements in %s, which are in order and different whatever they are, so it shows nothing here.\nhint: say how many there have to be as well, such as length(…) >= 2", text(s))
}
