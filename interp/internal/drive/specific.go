package drive

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// saysAll reports whether a match says all that another says: every value that
// the other wants it wants, too, or one of the other's pattern.
func saysAll(m, other *plan.Match) bool {
	if other.Condition != nil && (m.Condition == nil || m.Condition.Range() != other.Condition.Range()) {
		return false
	}
	for i := range other.Leaves {
		want := &other.Leaves[i]
		if !slices.ContainsFunc(m.Leaves, func(l plan.Leaf) bool { return saysLeaf(&l, want) }) {
			return false
		}
	}
	return true
}

func saysLeaf(l, other *plan.Leaf) bool {
	if !slices.Equal(l.Path, other.Path) {
		return false
	}
	if other.Pattern && !l.Want.IsNull() && l.Want.Type() == cty.String {
		if l.Pattern {
			return l.Want.AsString() == other.Want.AsString()
		}
		return leafFits(other, l.Want)
	}
	return !l.Pattern && l.Want.RawEquals(other.Want)
}

// mostSpecific is the one of several nodes that one request fits whose match
// says all that the others say and more, nil where there is none.
func mostSpecific(fits []*plan.Node) *plan.Node {
	for _, n := range fits {
		m := &n.Step.Endpoint.Match
		if !slices.ContainsFunc(fits, func(o *plan.Node) bool {
			if o == n {
				return false
			}
			other := &o.Step.Endpoint.Match
			return !saysAll(m, other) || saysAll(other, m)
		}) {
			return n
		}
	}
	return nil
}
