package drive

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
)

// RuledOut says of a check which rules out a value of a request with != that the program sent one that
// begins with it, such as gpt-4-turbo for gpt-4, and that nothing in the scenario names that; "" where
// it did not. It may be another value that is meant to be allowed.
func (r *Run) RuledOut() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.plan.Sut.Serving() != nil {
		return ""
	}
	var ctx *hcl.EvalContext // made once, where it is needed
	for _, a := range r.plan.Asserts {
		if !readsRequests(a.Condition) {
			continue
		}
		if ctx == nil {
			ctx = r.Obs.ObservedContext(r.plan.Needs, nil)
		}
		sent, literal := longerThan(a.Condition, ctx)
		if sent != "" && !r.names(sent) {
			return fmt.Sprintf("assert %q rules out %q, and the program sent %q, which begins with that and is another value for !=.\nhint: if that is ruled out as well, say so, such as !startswith(…, %[2]q); if not, say what it has to be", a.Name, literal, sent)
		}
	}
	return ""
}

func readsRequests(e hclsyntax.Expression) bool {
	for name := range read.Names(e) {
		if name == "request" {
			return true
		}
	}
	return false
}

// isNone is the name of a function that is != for a value and whatever begins with it. No file can
// write such a name.
const isNone = "is none"

// longerThan is a value that a condition which holds allows by != alone, with what that says: the
// condition does not hold if what begins with it is ruled out as well. "" where there is none.
func longerThan(condition hclsyntax.Expression, ctx *hcl.EvalContext) (sent, literal string) {
	other := dsl.Replaced(condition, func(e hclsyntax.Expression) hclsyntax.Expression {
		x, is := e.(*hclsyntax.BinaryOpExpr)
		if !is || !dsl.IsComparison(x.Op) || dsl.IsEqual(x.Op) {
			return nil
		}
		value, said := x.LHS, x.RHS
		if isWord(value) {
			value, said = said, value
		}
		if !isWord(said) {
			return nil
		}
		rng := x.Range()
		return &hclsyntax.FunctionCallExpr{Name: isNone, Args: []hclsyntax.Expression{value, said}, NameRange: rng, OpenParenRange: rng, CloseParenRange: rng}
	})
	inner := ctx.NewChild()
	inner.Functions = map[string]function.Function{isNone: function.New(&function.Spec{
		Params: []function.Parameter{
			{Name: "value", Type: cty.DynamicPseudoType, AllowNull: true, AllowDynamicType: true},
			{Name: "said", Type: cty.String},
		},
		Type: function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if args[0].IsNull() || args[0].Type() != cty.String {
				return cty.True, nil
			}
			value, said := args[0].AsString(), args[1].AsString()
			if value != said && goesOn(value, said) {
				sent, literal = value, said
				return cty.False, nil
			}
			return cty.BoolVal(value != said), nil
		},
	})}
	v, diags := dsl.Evaluate(other, inner)
	if diags.HasErrors() || !v.IsKnown() || plan.IsTrue(v) {
		return "", ""
	}
	return sent, literal
}

// isWord reports whether an expression is a string that begins with a letter and ends with a letter or
// a digit.
func isWord(e hclsyntax.Expression) bool {
	v, written := dsl.Literal(dsl.Bare(e))
	if !written || v.IsNull() || v.Type() != cty.String || len(v.AsString()) < 2 {
		return false
	}
	first, _ := utf8.DecodeRuneInString(v.AsString())
	last, _ := utf8.DecodeLastRuneInString(v.AsString())
	return unicode.IsLetter(first) && (unicode.IsLetter(last) || unicode.IsDigit(last))
}

// goesOn reports whether a value begins with a word and goes on with a sign, which may stand before what
// says more of the same: gpt-4-turbo does for gpt-4, gpt-4o and gpt-4.1 do not.
func goesOn(value, word string) bool {
	rest, begins := strings.CutPrefix(value, word)
	return begins && rest != "" && strings.ContainsRune("-_:;@/ ", rune(rest[0]))
}

// names reports whether a check of the scenario, or what its program is given, says a value.
func (r *Run) names(value string) bool {
	for _, e := range r.plan.Conditions() {
		said := false
		dsl.EachExpr(e, func(e hclsyntax.Expression) {
			v, written := dsl.Literal(e)
			said = said || written && v.Type() == cty.String && !v.IsNull() && strings.Contains(v.AsString(), value)
		})
		if said {
			return true
		}
	}
	has := func(text string) bool { return strings.Contains(text, value) }
	if slices.ContainsFunc(r.given.Command, has) || has(r.given.Stdin) {
		return true
	}
	for _, text := range r.given.Env {
		if has(text) {
			return true
		}
	}
	return false
}
