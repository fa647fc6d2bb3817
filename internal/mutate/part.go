package mutate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// partial is the operator that takes a part of an expression for the whole of it. Its mutants whose value has another
// type say nothing about the checks: they are neither listed nor counted.
const partial = "part"

// A putter puts a text in the place of an expression, and says so.
type putter func(a *dsl.Attr, rng hcl.Range, to, shown string)

// pieces take a part of an expression for the whole of it, or a function for the plain form that one would have had
// without it: an end of a list that one element is chosen of, the lists that keep maps apart one after the other,
// what stands at one place for what is looked for, and what taken.PlainForms says.
func pieces(s *site) []edit {
	var list []edit
	known := map[string]bool{}
	put := func(a *dsl.Attr, rng hcl.Range, to, shown string) {
		with := withLines("("+s.still(rng, to)+")", s.source(rng))
		key := fmt.Sprintf("%d %d %s", rng.Start.Byte, rng.End.Byte, with)
		if known[key] || strings.TrimSpace(to) == strings.TrimSpace(s.source(rng)) {
			return
		}
		known[key] = true
		what := fmt.Sprintf("%s → %s", s.brief(rng), shown)
		list = append(list, s.part(a, rng, what, replaced(s.src, rng, with)))
	}
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		if call, is := n.(*hclsyntax.FunctionCallExpr); is {
			s.cut(call, func(places []hcl.Range, to hclsyntax.Expression) {
				before := len(list)
				put(a, call.Range(), s.source(to.Range()), s.brief(to.Range()))
				if len(list) > before {
					list[before].places = places
				}
			})
		}
		if of, rng, first, is := s.choice(n); is {
			s.chosen(a, of, rng, first, put)
		}
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			s.listed(a, x, put)
			s.plainly(a, x, put)
		case *hclsyntax.ForExpr:
			if x.KeyVar == "" || !slices.ContainsFunc([]hclsyntax.Expression{x.KeyExpr, x.ValExpr, x.CondExpr}, func(e hclsyntax.Expression) bool { return e != nil && usesName(e, x.KeyVar) }) {
				if to, ok := s.inARow(x.CollExpr, false); ok {
					put(a, x.CollExpr.Range(), to, lists(to))
				}
			}
			s.filteredByPlace(a, x, put)
		case *hclsyntax.RelativeTraversalExpr:
			s.cutOutOfJSON(a, x, put)
		}
	})
	return list
}

// chainMax is how many calls one within the other are left out at once.
const chainMax = 4

// cut leaves out two calls or more, one within the other, at once: of lower(trimspace(replace(x, "a", "b"))) the text x
// is left. Where one of the calls alone goes unnoticed, that is all that is said.
func (s *site) cut(call *hclsyntax.FunctionCallExpr, left func(places []hcl.Range, to hclsyntax.Expression)) {
	var places []hcl.Range
	order := orderedOf(call)
	for len(places) < chainMax {
		of := madeOf(call)
		if of == nil {
			return
		}
		places = append(places, call.Range())
		if len(places) > 1 && (order.sort == nil || len(places) != len(order.calls)) { // those are an end of a list
			left(places[:len(places):len(places)], of)
		}
		inner, is := dsl.Bare(of).(*hclsyntax.FunctionCallExpr)
		if !is {
			return
		}
		call = inner
	}
}

// madeOf is the argument that a call makes something of, nil for a call that nothing is left of.
func madeOf(x *hclsyntax.FunctionCallExpr) hclsyntax.Expression {
	of := wrapped(x.Name, len(x.Args))
	switch x.Name {
	case "split", "join":
		of = 1
	case "merge", "concat", "try", "coalesce", "setunion", "min", "max":
		return nil // it has several
	}
	if of < 0 || of >= len(x.Args) || x.ExpandFinal {
		return nil
	}
	return x.Args[of]
}

// still is what takes the place of an expression, with which a step waits for the same steps.
func (s *site) still(rng hcl.Range, to string) string {
	for _, name := range references().FindAllString(s.source(rng), -1) {
		if strings.HasPrefix(name, "step.") && !strings.Contains(to, name) {
			return "[" + to + ", can(" + s.source(rng) + ")][0]"
		}
	}
	return to
}

// choice is the list of which an expression chooses one element, the range of both, and whether that is the first one.
func (s *site) choice(n hclsyntax.Node) (list hclsyntax.Expression, rng hcl.Range, first, ok bool) {
	switch x := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		switch {
		case x.Name == "one" && len(x.Args) == 1 && !x.ExpandFinal, (x.Name == "max" || x.Name == "min") && len(x.Args) == 1 && x.ExpandFinal:
			return x.Args[0], x.Range(), false, true
		case x.Name == "element" && len(x.Args) == 2 && !x.ExpandFinal:
			return x.Args[0], x.Range(), isZero(x.Args[1]), true
		}
	case *hclsyntax.IndexExpr:
		if v, written := dsl.Literal(x.Key); written && !v.IsNull() && v.Type() == cty.Number {
			return x.Collection, x.Range(), isZero(x.Key), true
		}
	case *hclsyntax.RelativeTraversalExpr:
		if step, is := x.Traversal[0].(hcl.TraverseIndex); is && step.Key.Type() == cty.Number {
			return x.Source, hcl.RangeBetween(x.Source.Range(), step.SrcRange), step.Key.RawEquals(cty.Zero), true
		}
	}
	return nil, hcl.Range{}, false, false
}

// isZero reports whether an expression is the number 0 as it is written.
func isZero(e hclsyntax.Expression) bool {
	v, written := dsl.Literal(e)
	return written && !v.IsNull() && v.RawEquals(cty.Zero)
}

// chosen takes the first and the last element of a list as it comes where one of those is chosen that a filter lets
// pass: one([for v in distinct(votes) : v if …]) is votes[0].
func (s *site) chosen(a *dsl.Attr, list hclsyntax.Expression, rng hcl.Range, first bool, put putter) {
	of, shown, filters, others := s.unfiltered(list)
	if filters == 0 {
		return
	}
	if !first || filters+others > 1 { // that alone is a filter that is left out
		put(a, rng, "try(("+of+")[0], null)", brief(shown)+"[0]")
	}
	put(a, rng, "try(reverse("+of+")[0], null)", "the last of "+brief(shown))
}

// unfiltered is a list without what lets some of its elements pass, and without what puts them into an order; shown is
// how it is named.
func (s *site) unfiltered(e hclsyntax.Expression) (text, shown string, filters, others int) {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.FunctionCallExpr:
		switch x.Name {
		case "distinct", "sort", "reverse", "compact", "toset", "slice":
			if len(x.Args) > 0 && !x.ExpandFinal {
				text, shown, filters, others = s.unfiltered(x.Args[0])
				return text, shown, filters, others + 1
			}
		}
	case *hclsyntax.ForExpr:
		if x.KeyExpr != nil || x.CondExpr == nil {
			break
		}
		if groups, is := dsl.Bare(x.CollExpr).(*hclsyntax.ForExpr); is && groups.Group && s.source(x.ValExpr.Range()) == x.KeyVar {
			text = s.forOver(groups, s.source(groups.CollExpr.Range()), groups.KeyExpr, true)
			if s.source(groups.KeyExpr.Range()) == groups.ValVar && groups.CondExpr == nil {
				text = s.source(groups.CollExpr.Range())
			}
			return text, text, filters + 1, 1
		}
		text, shown, filters, others = s.unfiltered(x.CollExpr)
		if s.source(x.ValExpr.Range()) == x.ValVar {
			return text, shown, filters + 1, others
		}
		text = s.forOver(x, text, x.ValExpr, false)
		return text, text, filters + 1, others
	}
	text = s.source(e.Range())
	return text, text, 0, 0
}

// forOver is a for expression that makes a list of an expression, over another collection.
func (s *site) forOver(x *hclsyntax.ForExpr, of string, value hclsyntax.Expression, filtered bool) string {
	names := x.ValVar
	if x.KeyVar != "" {
		names = x.KeyVar + ", " + names
	}
	text := "[for " + names + " in " + of + " : " + s.source(value.Range())
	if filtered && x.CondExpr != nil {
		text += " if " + s.source(x.CondExpr.Range())
	}
	return text + "]"
}

// inARow are the lists that one has where nothing keeps their elements apart by a key: of a map that a for expression
// makes its elements as they come, and of merge those of each argument. Of others they are keys or values.
func (s *site) inARow(e hclsyntax.Expression, keys bool) (text string, ok bool) {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ForExpr:
		if x.KeyExpr == nil || x.Group || !usesName(x.KeyExpr, x.ValVar) {
			return "", false
		}
		value := x.ValExpr
		if keys {
			value = x.KeyExpr
		}
		return s.forOver(x, s.source(x.CollExpr.Range()), value, true), true
	case *hclsyntax.FunctionCallExpr:
		if x.Name != "merge" || len(x.Args) < 2 || x.ExpandFinal {
			return "", false
		}
		var lists []string
		for _, arg := range x.Args {
			one, made := s.inARow(arg, keys)
			if !made {
				one = "values(" + s.source(arg.Range()) + ")"
				if keys {
					one = "keys(" + s.source(arg.Range()) + ")"
				}
			}
			ok = ok || made
			lists = append(lists, one)
		}
		return "concat(" + strings.Join(lists, ", ") + ")", ok
	}
	return "", false
}

// listed takes the lists one after the other where their elements are kept apart by a key.
func (s *site) listed(a *dsl.Attr, x *hclsyntax.FunctionCallExpr, put putter) {
	if len(x.Args) != 1 || x.ExpandFinal || x.Name != "values" && x.Name != "keys" && x.Name != "length" {
		return
	}
	to, ok := s.inARow(x.Args[0], x.Name == "keys")
	switch {
	case !ok:
	case x.Name == "length":
		put(a, x.Args[0].Range(), to, lists(to))
	default:
		put(a, x.Range(), to, lists(to))
	}
}

// lists names what takes the place of a map.
func lists(to string) string {
	if strings.HasPrefix(to, "concat(") {
		return "the lists one after the other"
	}
	return "a list as it comes: " + brief(to)
}

// filteredByPlace takes what stands behind as many elements as a list has, or before, where the filter of a for
// expression looks whether the list has something: [for n, a in x : a if n >= length(seen)].
func (s *site) filteredByPlace(a *dsl.Attr, x *hclsyntax.ForExpr, put putter) {
	if x.CondExpr == nil || x.KeyExpr != nil || usesName(x, "place") {
		return
	}
	if x.KeyVar != "" { // the place of an element, or the name of a member
		return
	}
	sign, cond := "<", dsl.Bare(x.CondExpr)
	if not, is := cond.(*hclsyntax.UnaryOpExpr); is && not.Op == hclsyntax.OpLogicalNot {
		sign, cond = ">=", dsl.Bare(not.Val)
	}
	call, is := cond.(*hclsyntax.FunctionCallExpr)
	if !is || call.Name != "contains" || len(call.Args) != 2 || call.ExpandFinal || usesName(call.Args[0], x.ValVar) || !usesName(call.Args[1], x.ValVar) {
		return
	}
	of := s.source(call.Args[0].Range())
	text := fmt.Sprintf("[for place, %s in %s : %s if place %s length(%s)]", x.ValVar, s.source(x.CollExpr.Range()), s.source(x.ValExpr.Range()), sign, of)
	put(a, x.Range(), text, fmt.Sprintf("if its place %s length(%s)", sign, brief(of)))
}

// cutOutOfJSON looks for what stands behind a name in a text where the text is decoded and the member of that name read.
func (s *site) cutOutOfJSON(a *dsl.Attr, x *hclsyntax.RelativeTraversalExpr, put putter) {
	call, is := dsl.Bare(x.Source).(*hclsyntax.FunctionCallExpr)
	if !is || call.Name != "jsondecode" || len(call.Args) != 1 || call.ExpandFinal {
		return
	}
	text := s.source(call.Args[0].Range())
	if slices.ContainsFunc([]string{".content", ".output", ".text"}, func(end string) bool { return strings.HasSuffix(text, end) }) {
		return // what a model answers is decoded in nearly every file
	}
	last, is := x.Traversal[len(x.Traversal)-1].(hcl.TraverseAttr)
	if !is || slices.ContainsFunc(x.Traversal, func(t hcl.Traverser) bool { _, is := t.(hcl.TraverseAttr); return !is }) {
		return
	}
	found := fmt.Sprintf(`regexall("\"%s\"\\s*:\\s*\"?([^\",}\\]\\n]*)", %s)[0][0]`, last.Name, text)
	put(a, x.Range(), "try(tonumber("+found+"), "+found+", null)", fmt.Sprintf("what stands behind %q in the text", last.Name))
}
