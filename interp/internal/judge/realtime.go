package judge

import (
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/judge/band"
	"github.com/scenario-lang/scenario/interp/internal/judge/given"
	"github.com/scenario-lang/scenario/interp/internal/judge/unknown"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// unwaited says why a condition on the gaps between the attempts of a program shows no wait, see
// [given.Unwaited]; "" where it shows one.
func (c *checker) unwaited(e hclsyntax.Expression) string {
	if !c.realTime() || c.amid {
		return ""
	}
	return given.Unwaited(c.run.Plan.Sut, mentionsCall(e, "within") || mentionsCall(e, "abs"), func(gaps ...cty.Value) bool {
		v, known := c.knownWith(c.absence(e), given.Gaps(c.ctx, gaps), unknown.Length)
		return known && isTrue(v)
	})
}

// byChance says why a condition on such gaps holds by chance, see [band.Noise].
func (c *checker) byChance(e hclsyntax.Expression) string {
	if !c.realTime() || c.amid {
		return ""
	}
	return band.Noise(e, c.ctx, given.Scale(c.run.Plan.Sut))
}

// realTime reports whether the times of the run are those of a real clock.
func (c *checker) realTime() bool {
	way := c.run.Obs.Way
	return way == plan.Exec || way == plan.Serve
}
