package lint

import (
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/telemetry"
)

// counted warns of an upper limit on a histogram, such as a duration: metric() counts
// its values, so that the limit holds however large they are.
func (c *checker) counted(x *hclsyntax.BinaryOpExpr) {
	limited := x.LHS
	switch x.Op {
	case hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
	case hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual:
		limited = x.RHS
	default:
		return
	}
	f, is := dsl.Bare(limited).(*hclsyntax.FunctionCallExpr)
	if !is || f.Name != "metric" || len(f.Args) == 0 {
		return
	}
	name, _ := writtenText(f.Args[0])
	if slices.ContainsFunc(telemetry.Names(""), func(m telemetry.Metric) bool { return m.Name == name && m.Kind == telemetry.Histogram }) {
		c.warnf(x.Range(), "Limit on a count of values", "%s is a histogram, of which metric() says how many values it has, whatever they are. The sums of its values are metrics(%[1]q)[*].sum, and what one step took is step.NAME.elapsed_ms. How often a step asked is length(step.NAME.attempts).", name)
	}
}
