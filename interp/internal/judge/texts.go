package judge

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/stdlib"
)

// ofAnything says why what is in every string shows nothing.
const ofAnything = "it holds because what it looks for is in every string: an empty string, or a pattern that matches one, so it shows nothing here.\nhint: give the data the text that has to be there, or leave out the rows that have none"

// ofNoPhrase says why that no phrase is there shows nothing where none is asked for.
const ofNoPhrase = "it looks for no word at all: every phrase is empty, so it shows nothing here.\nhint: give the data the words, or leave out the rows that have none"

// ofEmpty says why what is not in a string shows nothing.
const ofEmpty = "it holds because the string in which it looks for something was empty, so it shows nothing here.\nhint: say what has to be in it as well, or with == \"\" that it is empty"

// looksInTexts replaces the functions that look for something in strings, which find
// nothing in an empty one. What a program writes on standard error is another
// matter: it is empty where all is well.
func (l *look) looksInTexts(a *dsl.Absence) {
	l.looksAroundTexts(a)
	if slices.ContainsFunc(a.Slots, func(s *dsl.Slot) bool {
		name, _ := read.AttrName(s.Path, 1)
		return s.Path.RootName() == "sut" && name == "stderr"
	}) {
		return
	}
	for name, places := range texts.Searches {
		l.functions[name] = l.search(stdlib.Functions()[name], places.In)
	}
}

// looksAroundTexts makes the functions of an expression that is a copy take what is
// written around operands for nothing where all of these are empty, as in
// "out: ${sut.stdout}".
func (l *look) looksAroundTexts(a *dsl.Absence) {
	paths := map[string]hcl.Traversal{}
	for _, s := range a.Slots {
		if !s.Caught {
			paths[s.Var] = s.Path
		}
	}
	var visit func(e hclsyntax.Expression)
	visit = func(e hclsyntax.Expression) {
		if _, loop := e.(*hclsyntax.ForExpr); loop {
			return
		}
		if f, is := e.(*hclsyntax.FunctionCallExpr); is {
			if places, is := texts.Searches[f.Name]; is && !f.ExpandFinal && len(f.Args) > places.In && l.isMadeOfNothing(f.Args[places.In], paths) {
				l.functions[around+f.Name] = nothingIn(stdlib.Functions()[f.Name], l)
				f.Name = around + f.Name
			}
		}
		dsl.EachPart(e, visit)
	}
	visit(a.Expr)
}

// around begins the names of functions that look into what is written around nothing. No
// file can write such a name.
const around = "around nothing "

// isMadeOfNothing reports whether a string is made of operands that are all empty, and
// has something around them.
func (l *look) isMadeOfNothing(e hclsyntax.Expression, paths map[string]hcl.Traversal) bool {
	if _, alone := dsl.Bare(e).(*hclsyntax.ScopeTraversalExpr); alone || readsQuery(e) {
		return false
	}
	operands := 0
	for t := range dsl.Variables(e) {
		path := paths[t.RootName()]
		if path == nil {
			if read.IsObserved(t.RootName()) {
				return false
			}
			continue
		}
		if v, diags := path.TraverseAbs(l.checker.ctx); diags.HasErrors() || !isEmpty(v) || v.Type() == cty.Number || v.Type() == cty.Bool {
			return false
		}
		operands++
	}
	return operands > 0
}

func readsQuery(e hclsyntax.Expression) (found bool) {
	dsl.EachExpr(e, func(e hclsyntax.Expression) {
		f, call := e.(*hclsyntax.FunctionCallExpr)
		found = found || call && (read.IsQuery(f.Name) || strings.HasPrefix(f.Name, "sut."))
	})
	return found
}

// nothingIn is a function that looks into a string made of nothing: that it does not find
// something shows nothing.
func nothingIn(f function.Function, l *look) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			switch {
			case err != nil:
				return v, err
			case isFalse(v):
				return l.note(ofEmpty, cty.Bool), nil
			case v.Type() != cty.Bool:
				return v.Mark(none(ofEmpty)), nil
			}
			return v, nil
		},
	})
}

// looksForTexts replaces them where what they look for is in every string, which data
// may say.
func (l *look) looksForTexts() {
	for name, places := range texts.Searches {
		f, before := stdlib.Functions()[name], l.functions[name]
		if before == (function.Function{}) {
			before = f
		}
		if places.Sought == texts.Nowhere {
			continue
		}
		l.functions[name] = function.New(&function.Spec{
			Params: f.Params(), VarParam: f.VarParam(),
			Type: f.ReturnTypeForValues,
			Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
				v, err := before.Call(args)
				switch {
				case err != nil || !v.IsKnown():
				case name == "word" && !slices.ContainsFunc(args[places.Sought:], isPhrase):
					return l.note(ofNoPhrase, cty.Bool), nil
				case texts.IsOneLine(name, stringOf(args[places.Sought]), stringOf(args[places.In])) && isFalse(v):
					return l.note(texts.OfLine, cty.Bool), nil
				case name == "regexmatch" && isTrue(v) && texts.IsPiece(stringOf(args[places.Sought]), stringOf(args[places.In])):
					return l.note(texts.OfPiece, cty.Bool), nil
				case name == "word" || !isInAll(name, stringOf(args[places.Sought])):
				case v.Type() != cty.Bool:
					return v.Mark(none(ofAnything)), nil
				case isTrue(v):
					return l.note(ofAnything, cty.Bool), nil
				}
				return v, err
			},
		})
	}
}

// isInAll reports whether what a function looks for is in every string.
func isInAll(name, sought string) bool {
	if name == "regexmatch" || name == "regexall" {
		return constant.MatchesAll(sought)
	}
	return sought == ""
}

// isPhrase reports whether a phrase has a word.
func isPhrase(v cty.Value) bool { return strings.TrimSpace(stringOf(v)) != "" }

// stringOf is a string that may be marked.
func stringOf(v cty.Value) string {
	v, _ = v.Unmark()
	return v.AsString()
}

// looksForData reports whether a call looks for something that data says, so that it
// may be empty. What a row of a table says is written out in its scenario.
func looksForData(x *hclsyntax.FunctionCallExpr) bool {
	places, is := texts.Searches[x.Name]
	if !is || places.Sought == texts.Nowhere || len(x.Args) <= max(places.Sought, places.In) {
		return false
	}
	if _, alone := dsl.Bare(x.Args[places.In]).(*hclsyntax.ScopeTraversalExpr); !alone {
		return true // what is written around an operand may be all that there is
	}
	v, written := dsl.Literal(dsl.Bare(x.Args[places.Sought]))
	return !written || v.Type() != cty.String || v.IsNull() || isInAll(x.Name, v.AsString())
}

// search is a function that looks for something in the string at a place of its
// arguments. Nothing that was found in an empty one has no known result; a list of
// it is marked.
func (l *look) search(f function.Function, at int) function.Function {
	return function.New(&function.Spec{
		Params: f.Params(), VarParam: f.VarParam(),
		Type: f.ReturnTypeForValues,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			v, err := f.Call(args)
			in, _ := args[at].Unmark()
			switch {
			case err != nil || !in.RawEquals(cty.StringVal("")):
				return v, err
			case isFalse(v):
				return l.note(ofEmpty, cty.Bool), nil
			case v.Type() != cty.Bool:
				return v.Mark(none(ofEmpty)), nil
			}
			return v, nil
		},
	})
}

// isFalse reports whether a value that may be marked is false.
func isFalse(v cty.Value) bool {
	v, _ = v.Unmark()
	return v.RawEquals(cty.False)
}
