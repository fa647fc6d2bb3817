package judge

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
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

// bound is for a limit on something of which there could be none: costs where
// nothing has a price, times where nothing takes any, retries where nothing fails.
func (b *both) bound() string {
	if !b.holds || !isOrder(b.of.Op) || b.explicit() {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if !isZero(v) || observed(other) || len(s.Slots) == 0 {
			return ""
		}
		why := ""
		for _, o := range s.Slots {
			if why = b.checker.run.Obs.Free(o.Path); why == "" {
				return ""
			}
		}
		return ofZero + why
	})
}

// single is for how many were under way at once of what was asked once.
func (b *both) single() string {
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if len(s.Slots) != 1 || observed(other) || !b.checker.run.Obs.Single(s.Slots[0].Path) || !b.isMost(s) && !(dsl.IsEqual(b.of.Op) && v.RawEquals(cty.NumberIntVal(1))) {
			return ""
		}
		return "it holds because one call came to " + dsl.TraversalText(s.Slots[0].Path[:2]) + ", which nothing can overlap, so it shows nothing here.\nhint: let several be under way at one time, each with a latency, such as latency = \"1s\""
	})
}

// counter is for a limit on a metric that is 0 because what it counts could not
// happen.
func (b *both) counter() string {
	if !b.holds || !isOrder(b.of.Op) || b.explicit() {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		asked, is := call(s.Expression, "metric")
		if !is || !isZero(v) || observed(other) || !b.isMost(s) {
			return ""
		}
		name, written := dsl.Literal(asked.Args[0])
		if !written || name.Type() != cty.String || name.IsNull() {
			return ""
		}
		all := *asked
		all.Args = asked.Args[:1]
		if total, diags := dsl.Evaluate(&all, b.checker.ctx); diags.HasErrors() || !isZero(total) {
			return ""
		}
		if why := b.checker.run.Obs.Uncounted(name.AsString()); why != "" {
			return ofZero + why
		}
		return ""
	})
}

// once is for a limit on the attempts of a step that succeeded at once: nothing is
// tried again then.
func (b *both) once() string {
	if !b.holds || !isOrder(b.of.Op) {
		return ""
	}
	return b.sides(func(s dsl.Side, v cty.Value, other dsl.Side) string {
		if _, counted := call(s.Expression, "length"); !counted || len(s.Slots) != 1 || observed(other) || !b.checker.run.Obs.Once(s.Slots[0].Path) || !b.isMost(s) {
			return ""
		}
		return "it holds because there was one attempt: " + ofNoFailure
	})
}

// isMost reports whether a comparison bounds one of its sides from above.
func (b *both) isMost(s dsl.Side) bool {
	op := b.of.Op
	if s.Expression == b.of.Right.Expression {
		op = turned(op)
	}
	return op == hclsyntax.OpLessThan || op == hclsyntax.OpLessThanOrEqual
}

// ofNoFailure says that nothing was there to be tried again.
const ofNoFailure = "it succeeded at once, so nothing is tried again, and the limit shows nothing here.\nhint: let one fail with a fault, or say with == how many there are"
