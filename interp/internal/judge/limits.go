package judge

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/premise"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/observe"
)

// crowd is for what was never there at once because nothing took any time.
func (b *both) crowd() string {
	return b.sides(func(s dsl.Side, v cty.Value, _ dsl.Side) string {
		calm := isEmpty(v) || v.RawEquals(cty.NumberIntVal(1))
		if calm && slices.ContainsFunc(s.Slots, func(o *dsl.Slot) bool { return !isEnd(o.Path) && b.checker.run.Obs.Crowded(o.Path) }) {
			return ofNoTime
		}
		return ""
	})
}

// single is for how many were under way at once of what was asked once.
func (b *both) single() string {
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if len(s.Slots) != 1 || observed(other) || !b.checker.run.Obs.Single(s.Slots[0].Path) || !b.isMost(s) && !(dsl.IsEqual(b.of.Op) && v.RawEquals(cty.NumberIntVal(1))) {
			return ""
		}
		return ofOneCall + dsl.TraversalText(s.Slots[0].Path[:2]) + ", which nothing can overlap, so it shows nothing here.\nhint: let several be under way at one time, each with a latency, such as latency = \"1s\""
	})
}

// few is for upper limits that nothing of the run comes near, see [given.File.Limits].
func (c *checker) few(e hclsyntax.Expression) (why string) {
	if c.amid || isPoint(e) {
		return ""
	}
	comes := c.comes(e)
	put := given.Put{Ctx: c.ctx, Reads: func(names []string) bool { return readsAny(e, names) }, Holds: comes(isTrue), Fails: comes(isFalse)}
	why = c.uncapped(e)
	if strings.HasPrefix(why, given.OfGrowth) {
		why = "" // it shows that the waits grow
	}
	return cmp.Or(why, c.file().Limits(put, c.mayDiffer()))
}

// isPoint reports whether a condition says with == what one operand is, or how long: it holds
// with one value, where a limit holds with several.
func isPoint(e hclsyntax.Expression) bool {
	x, is := dsl.Bare(e).(*hclsyntax.BinaryOpExpr)
	if !is || !dsl.IsEqual(x.Op) {
		return false
	}
	of := dsl.Bare(x.LHS)
	if f, counts := call(of, "length"); counts {
		of = dsl.Bare(f.Args[0])
	}
	_, path := of.(*hclsyntax.ScopeTraversalExpr)
	_, said := dsl.Literal(x.RHS)
	return path && said
}

// uncapped is for limits on waits that no wait came near, and for waits that differ without jitter, see
// [given.File.Uncapped] and [given.File.Unlike].
func (c *checker) uncapped(e hclsyntax.Expression) string {
	if comes := c.comes(e); !c.amid && mentions(e, &observe.Measure{Names: given.Waits}) {
		return cmp.Or(c.file().Uncapped(c.ctx, comes(isTrue), comes(isFalse)), c.file().Unlike(c.ctx, comes(isTrue), comes(isFalse)))
	}
	return ""
}

// comes reports whether a condition comes to a value where operands are as a function says, and
// nothing else is known.
func (c *checker) comes(e hclsyntax.Expression) func(to func(cty.Value) bool) func(at func(hcl.Traversal) cty.Value) bool {
	return func(to func(cty.Value) bool) func(at func(hcl.Traversal) cty.Value) bool {
		return func(at func(hcl.Traversal) cty.Value) bool {
			v, known := c.knownWith(c.absence(e), at, unknown.Length)
			return known && to(v)
		}
	}
}

// ofOneCall begins to say that a limit on what is under way at once shows nothing.
const ofOneCall = "it holds because one call came to "

// once is for a limit on the attempts of a step that succeeded at once: nothing is
// tried again then.
func (b *both) once() string {
	if !b.holds || !premise.IsOrder(b.of.Op) {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if _, counted := call(s.Expression, "length"); !counted || len(s.Slots) != 1 || observed(other) || !b.checker.run.Obs.Once(s.Slots[0].Path) || !b.isMost(s) {
			return ""
		}
		return ofOneAttempt + ofNoFailure
	})
}

// unchosen is for a limit on how many elements a filter chooses that chose none: it never saw one.
func (b *both) unchosen() string {
	if !b.holds || !premise.IsOrder(b.of.Op) || b.none() {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		f, counted := call(s.Expression, "length")
		if !counted || observed(other) || !isZero(v) || !b.isMost(s) {
			return ""
		}
		if list, is := dsl.Bare(f.Args[0]).(*hclsyntax.ForExpr); !is || list.CondExpr == nil {
			return ""
		}
		return "it holds because the filter chose nothing, so the limit is never met and shows nothing here.\nhint: let there be what it chooses, or say with == 0 that there is none"
	})
}

// isMost reports whether a comparison bounds one of its sides from above.
func (b *both) isMost(s dsl.Side) bool {
	op := b.of.Op
	if s.Expression == b.of.Right.Expression {
		op = premise.Turned(op)
	}
	return op == hclsyntax.OpLessThan || op == hclsyntax.OpLessThanOrEqual
}

// ofNoFailure says that nothing was there to be tried again.
const ofNoFailure = "it succeeded at once, so nothing is tried again, and the limit shows nothing here.\nhint: let one fail with a fault, or say with == how many there are"

// mayDiffer reports whether other rows of the scenario may have what this run lacks.
func (c *checker) mayDiffer() bool { return c.run.Plan.Instances > 1 && !c.strict }
