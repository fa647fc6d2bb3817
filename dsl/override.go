package dsl

import "slices"

// Overridden returns a block as a scenario overrides it: what the scenario
// gives takes the place of the block's own. One that is null is as if it were
// not given at all. A gateway takes the place of a provider and the other way
// round.
func (b *Block) Overridden(by *Block) *Block {
	out := *b
	gone := func(a *Attr) bool {
		switch a.Name {
		case "gateway", "provider":
			return by.Attr("gateway") != nil || by.Attr("provider") != nil
		case "fallback_on": // means nothing without a fallback
			if f := by.Attr("fallback"); f != nil && isNullLiteral(f.Expr) {
				return true
			}
		}
		return by.Attr(a.Name) != nil
	}
	out.Attrs = slices.DeleteFunc(slices.Clone(b.Attrs), gone)
	for _, a := range by.Attrs {
		if isNullLiteral(a.Expr) {
			continue
		}
		own := *a
		own.Schema = b.Schema.Attr(a.Name)
		out.Attrs = append(out.Attrs, &own)
	}
	out.Blocks = slices.DeleteFunc(slices.Clone(b.Blocks), func(n *Block) bool { return n.Type != "step" && by.First(n.Type) != nil })
	for _, n := range by.Blocks {
		if n.Type != "step" {
			out.Blocks = append(out.Blocks, n)
		}
	}
	return &out
}
