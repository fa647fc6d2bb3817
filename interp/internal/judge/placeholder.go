package judge

import (
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// unread is what is wrong with a condition that holds: it reads the placeholder
// of a variable of the environment, so that nobody knows whether it would hold
// with the variable. Nil for one that reads none, or that writes the placeholder
// itself.
func (c *checker) unread(a *plan.Assertion) *plan.Problem {
	if len(c.run.Plan.Placeholders) == 0 {
		return nil
	}
	written := string(a.Condition.Range().SliceBytes(a.Source))
	for _, o := range dsl.Operands(a.Condition, c.ctx, a.Source) {
		for _, text := range read.SortedNames(c.run.Plan.Placeholders) {
			if o.Err != "" || strings.Contains(written, text) || !holds(o.Value, text) {
				continue
			}
			name := c.run.Plan.Placeholders[text]
			return &plan.Problem{
				Kind: "assert", Name: a.Name, Range: a.Condition.Range(),
				Message: fmt.Sprintf("the condition reads %s, which was made with a placeholder for env(%q), so that it shows nothing.\n"+
					"hint: give tests a value with try(env(%[2]q), \"…\") in the provider block, or read the variable with --env %[3]s", o.Text, name, name),
				Operands: []plan.Operand{{Text: o.Text, Value: dsl.Render(c.run.Plan.Secrets.Operand(o.Text, o.Value), 200)}},
			}
		}
	}
	return nil
}

// holds reports whether a string, or one of a list of strings, holds a text. What
// an object holds besides is not looked at: a condition names what it reads of it.
func holds(v cty.Value, text string) bool {
	if !v.IsWhollyKnown() || v.IsNull() {
		return false
	}
	if v.Type() == cty.String {
		return strings.Contains(v.AsString(), text)
	}
	if !v.Type().IsTupleType() && !v.Type().IsListType() {
		return false
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, e := it.Element(); e.Type() == cty.String && holds(e, text) {
			return true
		}
	}
	return false
}
