package lint

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
)

// conditions finds those that are constant. A check that is nothing else is an
// error, as one that reads nothing is: it would hold or fail whatever happens.
// Where only a part is, or it decides what a workflow does, that is a warning.
// Calls are warned of that look for something where it can hardly be, and pairs of
// values that are of two kinds.
func (c *checker) conditions() {
	for _, b := range c.file.Body.Blocks {
		if !c.own(b) {
			continue
		}
		b.EachWritten(func(in *dsl.Block, name string, e hclsyntax.Expression) {
			if !slices.Contains(truths, name) {
				return
			}
			for _, f := range constant.Find(e, c.file.Source) {
				c.constant(f, name == "condition" && isCheck(in))
			}
			c.swapped(e)
			c.cased(e)
			whole, clocks := e, &clocks{in: e}
			dsl.EachExpr(e, func(e hclsyntax.Expression) {
				c.hidden(e)
				if f, call := e.(*hclsyntax.FunctionCallExpr); call && f.Name == "can" {
					c.canned(f, dsl.Bare(whole) == e && (name == "condition" && isCheck(in) || name == "passed"))
				}
				if x, is := e.(*hclsyntax.BinaryOpExpr); is {
					c.counted(x)
					c.clocks(x, clocks)
				}
			})
		})
	}
}

// truths are the attributes that are conditions.
var truths = []string{"condition", "when", "while", "until", "run_if", "passed"}

// isCheck reports whether a block is one that checks what a run did.
func isCheck(b *dsl.Block) bool {
	kind := b.Type
	if kind == "dynamic" {
		kind = b.Name()
	}
	return kind == "assert" || kind == "invariant"
}

func (c *checker) constant(f constant.Finding, check bool) {
	c.warnf(f.Range, "Constant condition", "This is %t whatever the run does: %s. %s", f.Value, f.Why, f.Hint)
	if f.Whole && check {
		c.diags[len(c.diags)-1].Severity = hcl.DiagError
	}
}
