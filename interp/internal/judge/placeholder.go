package judge

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/judge/withheld"
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
	for _, o := range dsl.Operands(a.Condition, c.ctx, a.Source, nil) {
		for _, text := range read.SortedNames(c.run.Plan.Placeholders) {
			if o.Err != "" || strings.Contains(written, text) || !holds(o.Value, text) {
				continue
			}
			name := c.run.Plan.Placeholders[text]
			return &plan.Problem{
				Kind: "assert", Name: a.Name, Range: a.Condition.Range(),
				Message: fmt.Sprintf("the condition reads %s, which was made with a placeholder for env(%q), so that it shows nothing.\n"+
					"hint: give tests a value with try(env(%[2]q), \"…\") in the provider block, or read the variable with --env %[3]s", o.Text, name, name),
				Operands: []plan.Operand{{Text: o.Text, Value: c.run.Plan.Secrets.Rendered(o.Text, o.Value)}},
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

// soughtInOutput is what a condition looks for in what a program wrote, as texts or patterns,
// nil where it reads anything else of the run.
func (c *checker) soughtInOutput(e hclsyntax.Expression) (all withheld.Sought) {
	only := true
	add := func(sought, in hclsyntax.Expression) bool {
		if !isSaid(sought) || !readsOutput(in) {
			return false
		}
		v := c.said(sought)
		if v == cty.NilVal || !isString(v) {
			return false
		}
		all = append(all, v.AsString())
		return true
	}
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			only = only && !read.IsObserved(x.Traversal.RootName())
		case *hclsyntax.BinaryOpExpr:
			if dsl.IsComparison(x.Op) && (add(x.LHS, x.RHS) || add(x.RHS, x.LHS)) {
				return
			}
		case *hclsyntax.FunctionCallExpr:
			if at, is := texts.Searches[x.Name]; is && at.Sought != texts.Nowhere && len(x.Args) == 2 && add(x.Args[at.Sought], x.Args[at.In]) {
				return
			}
		}
		dsl.EachPart(e, visit)
	}
	visit(e)
	if !only {
		return nil
	}
	return all
}

// absentKey says why a condition that holds asks only that a program wrote no key of a form of
// which it has none, "" where it asks for more.
func (c *checker) absentKey(e hclsyntax.Expression) string {
	if c.run.Obs.Way != plan.Exec || c.run.Plan.Recording != nil {
		return ""
	}
	if all := c.soughtInOutput(e); all != nil {
		return all.Keys(c.source, looksForSomething)
	}
	return ""
}

// looksForSomething reports whether a line of a file calls a function that looks for texts.
func looksForSomething(line []byte) bool {
	for name := range texts.Searches {
		if bytes.Contains(line, []byte(name+"(")) {
			return true
		}
	}
	return false
}

// withheld says why a condition that holds asks only that a program did not write the end of
// an answer that it never got, "" where it asks for more.
func (c *checker) withheld(e hclsyntax.Expression) string {
	if c.run.Obs.Way != plan.Exec {
		return ""
	}
	if all := c.soughtInOutput(e); all != nil {
		return all.Cut(c.run.Obs)
	}
	return ""
}
