package circumstance

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// Spent says of a check that limits what a program spends that the program asked once for each line of its
// input, or each element where that is a list of JSON, and every answer was a success: the input ended before
// the limit, and a program that does not look at what it spends passes as well. "" for none. stdin is what the
// program was given.
func Spent(p *plan.Plan, obs *observe.Observed, stdin string) string {
	n := parts(stdin)
	if n < 2 {
		return ""
	}
	for _, e := range p.Endpoints {
		s := obs.Steps[e.Name]
		if s == nil || !s.AllSucceeded() || s.Tries() != n {
			continue
		}
		for _, a := range p.Asserts {
			if limitsSpending(a.Condition, e.Name) {
				return fmt.Sprintf("assert %q limits what is spent, and the program asked %s %d times, once for each part of its input: that ended before the limit was reached, so a program that does not look at what it spends passes as well.\nhint: give it more than the limit allows, and check what it leaves out", a.Name, e.Name, n)
			}
		}
	}
	return ""
}

// parts is how many lines an input has, or elements where it is a list of JSON.
func parts(stdin string) (n int) {
	var list []json.RawMessage
	if json.Unmarshal([]byte(stdin), &list) == nil {
		return len(list)
	}
	for line := range strings.Lines(stdin) {
		if strings.TrimSpace(line) != "" {
			n++
		}
	}
	return n
}

// spending are the attributes that say what was spent.
var spending = []string{"cost_usd", "usage", "input_tokens", "output_tokens", "total_tokens"}

// limitsSpending reports whether a condition limits from above what was spent at an endpoint, or in the run.
func limitsSpending(e hclsyntax.Expression, endpoint string) (limits bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		if !is {
			return
		}
		of, most := x.LHS, x.RHS
		switch x.Op {
		case hclsyntax.OpLessThan, hclsyntax.OpLessThanOrEqual:
		case hclsyntax.OpGreaterThan, hclsyntax.OpGreaterThanOrEqual:
			of, most = most, of
		default:
			return
		}
		limits = limits || reads(of, endpoint) && !reads(most, endpoint)
	})
	return limits
}

// reads reports whether an expression reads what was spent at an endpoint, or in the run.
func reads(e hclsyntax.Expression, endpoint string) (found bool) {
	for t := range dsl.Variables(e) {
		name, _ := read.AttrName(t, 1)
		if root := t.RootName(); root != "run" && (root != "endpoint" || name != endpoint) {
			continue
		}
		found = found || slices.ContainsFunc(t, func(part hcl.Traverser) bool {
			a, is := part.(hcl.TraverseAttr)
			return is && slices.Contains(spending, a.Name)
		})
	}
	return found
}
