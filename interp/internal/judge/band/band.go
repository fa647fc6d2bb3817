// Package band tells how to compare times of a real clock, of which no two runs have the same.
//
//	hint := band.Hint(condition, source)
package band

import (
	"fmt"
	"math"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// Hint says how to write a condition that compares a time exactly, "" where there is nothing to
// say. source is the text of its file.
func Hint(condition hclsyntax.Expression, source []byte) (hint string) {
	dsl.EachExpr(condition, func(e hclsyntax.Expression) {
		op, is := e.(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsEqual(op.Op) || hint != "" {
			return
		}
		for _, side := range [2][2]hclsyntax.Expression{{op.LHS, op.RHS}, {op.RHS, op.LHS}} {
			want, literal := dsl.Literal(dsl.Bare(side[1]))
			if time := dsl.Bare(side[0]); literal && isTime(time) {
				hint = Write(string(time.Range().SliceBytes(source)), want)
			}
		}
	})
	return hint
}

// isTime reports whether an expression is a time, by the name of what it reads.
func isTime(e hclsyntax.Expression) bool { return strings.HasSuffix(lastName(e), "_ms") }

// Write is what to write in place of an exact time.
func Write(text string, want cty.Value) string {
	if want.IsNull() || !want.IsKnown() || want.Type() != cty.Number {
		return ""
	}
	low, _ := want.AsBigFloat().Float64()
	return fmt.Sprintf("\nhint: time is real here, and no two runs are alike: compare in a band, as in within(%s, %.0f, %.0f)", text, math.Floor(low), math.Ceil(low*1.5)+500)
}
