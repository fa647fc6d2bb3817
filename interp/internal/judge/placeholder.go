package judge

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2/hclsyntax"
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

// ofNoKey says why that a program kept a key to itself shows nothing where it had none.
const ofNoKey = "it holds because the program has no such key: its keys are the word \"scenario\" here, and nothing in the file begins so, so it shows nothing here.\nhint: give it one, such as env = { OPENAI_API_KEY = \"sk-test\" } in sut, or look for \"scenario\""

// keysBegin are how the keys of services begin.
var keysBegin = []string{"sk-", "sk_", "AIza", "ghp_", "github_pat_", "gsk_", "hf_", "xoxb-", "xoxp-", "AKIA"}

// absentKey says why a condition that holds asks only that a program wrote no key of a
// form of which it has none, "" where it asks for more. What a program has of a key by
// itself nobody knows here; a key that stands in its own source is none of the run's.
func (c *checker) absentKey(e hclsyntax.Expression) string {
	if c.run.Obs.Way != plan.Exec || c.run.Plan.Recording != nil {
		return ""
	}
	begin, only := "", true
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		switch x := e.(type) {
		case *hclsyntax.ScopeTraversalExpr:
			only = only && !read.IsObserved(x.Traversal.RootName())
		case *hclsyntax.FunctionCallExpr:
			if at, is := searches[x.Name]; is && at.sought != nowhere && len(x.Args) == 2 && isSaid(x.Args[at.sought]) {
				if k := keyOf(c.said(x.Args[at.sought])); k != "" && readsOutput(x.Args[at.in]) {
					begin = k
					return
				}
			}
		}
		dsl.EachPart(e, visit)
	}
	visit(e)
	if begin == "" || !only || c.gives(begin) {
		return ""
	}
	return ofNoKey
}

// keyOf is how a key begins that a text or a pattern looks for, "" where it looks for none.
func keyOf(sought cty.Value) string {
	if sought == cty.NilVal || !isString(sought) {
		return ""
	}
	text := strings.ReplaceAll(sought.AsString(), `\b`, "")
	text = strings.TrimPrefix(strings.TrimLeft(text, "^(?i) \""), "Bearer ")
	if i := slices.IndexFunc(keysBegin, func(k string) bool { return strings.HasPrefix(text, k) }); i >= 0 {
		return keysBegin[i]
	}
	return ""
}

// gives reports whether a file has a text on a line on which it looks for none.
func (c *checker) gives(text string) bool {
	for line := range bytes.Lines(c.source) {
		looks := false
		for name := range searches {
			looks = looks || bytes.Contains(line, []byte(name+"("))
		}
		if !looks && bytes.Contains(line, []byte(text)) {
			return true
		}
	}
	return false
}
