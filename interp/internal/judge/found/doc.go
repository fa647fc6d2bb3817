// Package found tells of texts that a condition finds where it may not mean to: inside a longer
// word, in several places of a request, or where a program says that there are none. The condition
// holds, and would hold as well if what it is about were not there.
//
//	why := found.Elsewhere(condition, ctx, about) // "" where nothing is to be told
package found

import (
	"regexp/syntax"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/stdlib"
)

// About is what else is asked of a run. The functions are called only where a condition finds
// something that they may excuse.
type About struct {
	// Name is that of the condition.
	Name string
	// Checks are all conditions of the scenario.
	Checks func() []hclsyntax.Expression
	// Told is what services answered.
	Told func() []string
	// Hide hides the secrets of a text.
	Hide func(string) string
	// Spend takes what a look at so many bytes costs, and reports whether there may be more of them; nil
	// for always.
	Spend func(bytes int) bool
}

// Elsewhere says of a condition that holds where it finds what it looks for, if it would not hold
// without that; "" where there is nothing to tell.
func Elsewhere(condition hclsyntax.Expression, ctx *hcl.EvalContext, about About) string {
	for _, part := range dsl.Conjuncts(condition) {
		if !searches(part) {
			continue
		}
		l := &look{About: about, later: readsLater(part), body: "jsondecode(…)"}
		if _, whole := readsRequest(part); whole {
			l.body, l.requests = "….request.json", true
		}
		inner := ctx.NewChild()
		inner.Functions = map[string]function.Function{}
		for name, at := range sought {
			inner.Functions[name] = l.search(name, at)
		}
		if v, diags := dsl.Evaluate(part, inner); !diags.HasErrors() && v.RawEquals(cty.False) && l.why != "" {
			return l.why
		}
		if why := otherMessage(part, ctx, about); why != "" {
			return why
		}
	}
	return ""
}

// sought is where the functions that look for a text have it among their arguments.
var sought = map[string]int{"strcontains": 1, "startswith": 1, "endswith": 1, "regexmatch": 0}

// Asks reports whether there may be something to tell of a condition: it looks for a text.
func Asks(e hclsyntax.Expression) bool { return searches(e) }

// searches reports whether an expression looks for a text.
func searches(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		if f, is := e.(*hclsyntax.FunctionCallExpr); is && !found {
			_, found = sought[f.Name]
		}
	})
	return found
}

// A look is one evaluation of a part of a condition.
type look struct {
	About
	// later says that the part reads requests behind the first one, by their places alone.
	later bool
	body  string // how a check reads the JSON of what is searched
	// requests says that the part reads requests as a whole.
	requests bool
	why      string // the first reason
}

// search is a function that finds nothing where what it finds is to be told of.
func (l *look) search(name string, at int) function.Function {
	f := stdlib.Functions()[name]
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(), Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			if err != nil || !v.RawEquals(cty.True) {
				return v, err
			}
			text, what := args[1-at].AsString(), args[at].AsString()
			if name == "regexmatch" {
				if what = literal(what, &text); what == "" {
					return v, nil
				}
			}
			why := l.of(name, text, what)
			if why == "" {
				return v, nil
			}
			if l.why == "" {
				l.why = why
			}
			return cty.False, nil
		},
	})
}

// of says of a text that was found in another one where it stands.
func (l *look) of(name, text, what string) string {
	if l.Spend != nil && !l.Spend(len(text)) {
		return ""
	}
	find := func(text string) string {
		why := l.word(name, text, what)
		if why == "" && (name == "strcontains" || name == "regexmatch") {
			why = l.place(text, what)
		}
		return why
	}
	if find(text) == "" {
		return ""
	}
	return find(l.Hide(text)) // no part of a secret is told
}

// literal is what a pattern looks for that is nothing but a text, "" for any other one. Where the
// case does not matter, both texts are in lower case from then on.
func literal(pattern string, text *string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil || re.Op != syntax.OpLiteral {
		return ""
	}
	what := string(re.Rune)
	if re.Flags&syntax.FoldCase != 0 {
		*text = strings.ToLower(*text)
		return strings.ToLower(what)
	}
	return what
}
