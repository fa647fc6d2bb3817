package constant

import (
	"regexp/syntax"
	"slices"

	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// call is the verdict on a call of a function, after its arguments were visited.
func (f *finder) call(x *hclsyntax.FunctionCallExpr) verdict {
	if (x.Name == "alltrue" || x.Name == "anytrue") && len(x.Args) == 1 {
		return f.quantifier(dsl.Bare(x.Args[0]), x.Name == "alltrue")
	}
	args, before := make([]verdict, len(x.Args)), len(f.found)
	for i, a := range x.Args {
		args[i] = f.visit(a)
	}
	if x.Name == "can" || x.Name == "try" {
		f.found = f.found[:before] // there it matters whether something has a value at all
	}
	if x.ExpandFinal || len(x.Args) == 0 {
		return verdict{}
	}
	switch first := x.Args[0]; x.Name {
	case "can":
		if f.sure(first) {
			return always(true, "what can() asks about can always be evaluated", hintCan)
		}
	case "try":
		if f.sure(first) {
			return args[0]
		}
		return f.alternatives(args)
	case "tobool":
		return args[0]
	case "strcontains", "startswith", "endswith":
		if len(x.Args) == 2 && isText(x.Args[1], func(s string) bool { return s == "" }) {
			return always(true, "every string contains the empty one", hintText)
		}
		if len(x.Args) == 2 && f.same(first, x.Args[1]) {
			return always(true, "both strings are the same", hintText)
		}
		if sought := f.soughtBy(x.Args[len(x.Args)-1]); len(sought) > 0 && len(x.Args) == 2 {
			return f.allImpossible(f.textOf(first), sought, fragments[x.Name])
		}
	case "regexmatch":
		if isText(first, MatchesAll) {
			return always(true, "the pattern matches every string", hintText)
		}
		if isText(first, MatchesNothing) {
			return always(false, "the pattern matches no string", hintPattern)
		}
		if pattern, ok := written(first); ok && len(x.Args) == 2 {
			return f.impossible(f.textOf(x.Args[1]), needed(pattern), inside)
		}
	case "contains":
		return f.contains(x)
	}
	return verdict{}
}

// soughtBy are the texts that an argument can be which says what is looked for: one that
// is written out, or those of a written list that a for expression goes over.
func (f *finder) soughtBy(e hclsyntax.Expression) []string {
	if s, ok := written(e); ok {
		return []string{s}
	}
	if x, ok := unwrapped(e).(*hclsyntax.ScopeTraversalExpr); ok && len(x.Traversal) == 1 {
		return f.variable(x.Traversal.RootName()).words
	}
	return nil
}

// allImpossible is impossible for each of some fragments.
func (f *finder) allImpossible(t text, fragments []string, at place) (v verdict) {
	for _, s := range fragments {
		if v = f.impossible(t, s, at); !v.known {
			break
		}
	}
	return v
}

// alternatives is the verdict on try, which is one of its arguments.
func (f *finder) alternatives(args []verdict) verdict {
	for _, a := range args {
		if !a.known || a.value != args[0].value {
			return verdict{}
		}
	}
	return args[0]
}

// contains is the verdict on a list that is written out and looked through for one
// of its own elements.
func (f *finder) contains(x *hclsyntax.FunctionCallExpr) verdict {
	if s, ok := written(x.Args[len(x.Args)-1]); ok && len(x.Args) == 2 {
		if v := f.impossible(f.elementOf(x.Args[0]), s, whole); v.known {
			return v
		}
	}
	list, listed := dsl.Bare(x.Args[0]).(*hclsyntax.TupleConsExpr)
	if !listed || len(x.Args) != 2 {
		return verdict{}
	}
	if len(list.Exprs) == 0 {
		return always(false, "the list is empty", hintValue)
	}
	if t := f.textOf(x.Args[1]); t != nil && !slices.ContainsFunc(list.Exprs, func(e hclsyntax.Expression) bool {
		s, ok := written(e)
		return !ok || !f.impossible(t, s, whole).known
	}) {
		s, _ := written(list.Exprs[0])
		return f.impossible(t, s, whole)
	}
	if slices.ContainsFunc(list.Exprs, func(e hclsyntax.Expression) bool { return f.same(e, x.Args[1]) }) {
		return always(true, "the list has the value itself", hintValue)
	}
	return verdict{}
}

// quantifier is the verdict on alltrue or anytrue of a list.
func (f *finder) quantifier(list hclsyntax.Expression, all bool) verdict {
	const hint = "Say in the list what each element has to be."
	switch x := list.(type) {
	case *hclsyntax.ForExpr:
		element, filter := f.loop(x)
		switch {
		case filter.is(false):
			return always(all, "the list is always empty", hint)
		case element.is(all):
			return always(all, "that is so for every element", hint)
		}
	case *hclsyntax.TupleConsExpr:
		every := true
		for _, e := range x.Exprs {
			v := f.visit(e)
			if v.is(!all) {
				return always(!all, "that is so for one of the elements", hint)
			}
			every = every && v.is(all)
		}
		if every {
			return always(all, "that is so for every element", hint)
		}
	default:
		f.visit(list)
	}
	return verdict{}
}

// fragments are where in a string a function looks for another.
var fragments = map[string]place{"strcontains": inside, "startswith": atStart, "endswith": atEnd}

// needed is a string that is in everything which a pattern matches, "" where none
// is known.
func needed(pattern string) string {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return ""
	}
	return longestOf(re.Simplify())
}

// longestOf is the longest string that a part of a pattern needs.
func longestOf(re *syntax.Regexp) (longest string) {
	switch re.Op {
	case syntax.OpLiteral:
		if re.Flags&syntax.FoldCase == 0 {
			return string(re.Rune)
		}
	case syntax.OpCapture, syntax.OpPlus:
		return longestOf(re.Sub[0])
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if s := longestOf(sub); len(s) > len(longest) {
				longest = s
			}
		}
	}
	return longest
}

func isText(e hclsyntax.Expression, is func(string) bool) bool {
	v, literal := dsl.Literal(dsl.Bare(e))
	return literal && v.Type() == cty.String && !v.IsNull() && is(v.AsString())
}

// MatchesAll reports whether a pattern is found in every string: it matches the
// empty one, wherever it is looked for, or at the beginning or the end.
func MatchesAll(pattern string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	re = re.Simplify()
	parts := []*syntax.Regexp{re}
	if re.Op == syntax.OpConcat {
		parts = re.Sub
	}
	begins, ends := false, false
	if len(parts) > 0 && parts[0].Op == syntax.OpBeginText {
		begins, parts = true, parts[1:]
	}
	if n := len(parts); n > 0 && parts[n-1].Op == syntax.OpEndText {
		ends, parts = true, parts[:n-1]
	}
	return !(begins && ends) && !slices.ContainsFunc(parts, func(p *syntax.Regexp) bool { return !optional(p) })
}

// optional reports whether a part of a pattern matches nothing at all at any
// place.
func optional(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpStar, syntax.OpQuest:
		return true
	case syntax.OpPlus, syntax.OpCapture:
		return optional(re.Sub[0])
	case syntax.OpConcat:
		return !slices.ContainsFunc(re.Sub, func(p *syntax.Regexp) bool { return !optional(p) })
	case syntax.OpAlternate:
		return slices.ContainsFunc(re.Sub, optional)
	}
	return false
}
