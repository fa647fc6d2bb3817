package lint

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// clocks warns of two times in one comparison, or one difference, that count from
// different beginnings: those of an attempt count from the start of its step or endpoint,
// those of a step from the start of the run.
func (c *checker) clocks(x *hclsyntax.BinaryOpExpr, of *clocks) {
	if !orders(x.Op) && !dsl.IsComparison(x.Op) && x.Op != hclsyntax.OpSubtract {
		return
	}
	left, right := of.beginning(x.LHS), of.beginning(x.RHS)
	if left != "" && right != "" && left != right {
		c.warnf(x.Range(), "Times of two clocks", "The left side counts from the start of %s, and the right side from the start of %s. An attempt's times from the start of the run are started_at_ms and ended_at_ms.", left, right)
	}
}

func orders(op *hclsyntax.Operation) bool {
	return slices.Contains([]*hclsyntax.Operation{hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual, hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual}, op)
}

// clocks are those of the times that one condition reads.
type clocks struct {
	in    hclsyntax.Expression
	loops map[string]hcl.Traversal // of in, once known
	known bool
}

// loopsOf are the lists whose elements the variables of for expressions are, by their names. Two
// that have one name are none.
func loopsOf(e hclsyntax.Expression) map[string]hcl.Traversal {
	var loops map[string]hcl.Traversal
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.ForExpr)
		if !is {
			return
		}
		_, twice := loops[x.ValVar]
		list, is := dsl.Bare(x.CollExpr).(*hclsyntax.ScopeTraversalExpr)
		if loops == nil {
			loops = map[string]hcl.Traversal{}
		}
		if loops[x.ValVar] = nil; is && !twice {
			loops[x.ValVar] = append(slices.Clone(list.Traversal), hcl.TraverseIndex{Key: cty.Zero})
		}
	})
	return loops
}

// beginning is what a time counts from the start of, "" for what is no time, or one of
// which that is not known.
func (c *clocks) beginning(e hclsyntax.Expression) string {
	path, is := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr)
	if !is {
		return ""
	}
	t := path.Traversal
	last, is := t[len(t)-1].(hcl.TraverseAttr)
	if !is || !strings.HasSuffix(last.Name, "_ms") {
		return ""
	}
	if !c.known {
		c.loops, c.known = loopsOf(c.in), true
	}
	if list, bound := c.loops[t.RootName()]; bound {
		t = slices.Concat(list, t[1:])
	}
	if t.IsRelative() {
		return ""
	}
	switch t.RootName() {
	case "run":
		if len(t) == 2 && slices.Contains([]string{"started_ms", "ended_ms"}, last.Name) {
			return "the run"
		}
	case "step", "fanout", "classify", "endpoint":
		list := slices.IndexFunc(t, func(s hcl.Traverser) bool {
			a, is := s.(hcl.TraverseAttr)
			return is && (a.Name == "attempts" || a.Name == "rejections")
		})
		switch {
		case list < 0 && slices.Contains([]string{"started_ms", "ended_ms"}, last.Name):
			return "the run"
		case list < 2 || list != len(t)-3:
		case last.Name == "started_at_ms" || last.Name == "ended_at_ms":
			return "the run"
		case last.Name == "at_ms" || last.Name == "ended_ms":
			return dsl.TraversalText(t[:list])
		}
	}
	return ""
}
