package constant

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// A text is what an expression can be whose value is a string: whatever all of its
// rules let through. A nil one can be anything.
type text []rule

// A rule is something that each value of a text keeps to.
type rule struct {
	// denies reports whether no value has a fragment at a place.
	denies func(fragment string, at place) bool
	// why says what there is of the value, and hint what to write instead.
	why, hint string
	// kept are the functions whose result keeps to it, too.
	kept keeper
}

// A place is where in a string another one stands.
type place uint8

const (
	inside  place = 0
	atStart place = 1 << iota
	atEnd
	whole = atStart | atEnd
)

// A keeper is a set of functions that keep something of a string as it is.
type keeper uint8

const (
	byParts keeper = 1 << iota // those that give a part of it
	byCase                     // those that change small letters into capital ones or back
	bySigns                    // those that put other characters in, which keep to it themselves
)

// denies is the rule by which no value has a fragment at a place, nil for none.
func (t text) denies(fragment string, at place) *rule {
	for i := range t {
		if t[i].denies(fragment, at) {
			return &t[i]
		}
	}
	return nil
}

// keeping are the rules that the result of a function keeps.
func (t text) keeping(by keeper) (kept text) {
	for _, r := range t {
		if r.kept&by != 0 {
			kept = append(kept, r)
		}
	}
	return kept
}

// either is a text that is one of several.
func either(of []text) text {
	for _, t := range of {
		if t == nil {
			return nil
		}
	}
	if len(of) == 0 {
		return nil
	}
	return text{{
		denies: func(s string, at place) bool {
			for _, t := range of {
				if t.denies(s, at) == nil {
					return false
				}
			}
			return true
		},
		why: "none of the values that it can have is that", hint: hintValue,
	}}
}

// literal is a text that is written out.
func literal(v string) text {
	return text{{
		denies: func(s string, at place) bool {
			switch at {
			case whole:
				return s != v
			case atStart:
				return !strings.HasPrefix(v, s)
			case atEnd:
				return !strings.HasSuffix(v, s)
			}
			return !strings.Contains(v, s)
		},
		why: "the text is written out", hint: hintValue,
	}}
}

// textOf is what an expression can be.
func (f *finder) textOf(e hclsyntax.Expression) text {
	switch x := unwrapped(e).(type) {
	case *hclsyntax.LiteralValueExpr:
		if s, ok := written(x); ok {
			return literal(s)
		}
	case *hclsyntax.TemplateExpr:
		return f.template(x)
	case *hclsyntax.ConditionalExpr:
		return f.anyOf(x.TrueResult, x.FalseResult)
	case *hclsyntax.FunctionCallExpr:
		if image := imageOf(x.Name); image != nil && !x.ExpandFinal {
			return image(f, x.Args)
		}
	case *hclsyntax.IndexExpr:
		if v, ok := dsl.Literal(x.Key); ok && v.Type() == cty.Number {
			return f.elementOf(x.Collection)
		}
	case *hclsyntax.RelativeTraversalExpr:
		if len(x.Traversal) == 1 && isPosition(x.Traversal[0]) {
			return f.elementOf(x.Source)
		}
	case *hclsyntax.ScopeTraversalExpr:
		if len(x.Traversal) == 1 {
			return f.variable(x.Traversal.RootName()).text
		}
	}
	return nil
}

func isPosition(step hcl.Traverser) bool {
	i, ok := step.(hcl.TraverseIndex)
	return ok && i.Key.Type() == cty.Number
}

func (f *finder) anyOf(list ...hclsyntax.Expression) text {
	var of []text
	for _, e := range list {
		of = append(of, f.textOf(e))
	}
	return either(of)
}

// elementOf is what each element of a list can be.
func (f *finder) elementOf(e hclsyntax.Expression) text {
	switch x := dsl.Bare(e).(type) {
	case *hclsyntax.ForExpr:
		if x.KeyExpr == nil {
			defer f.bind(x)()
			return f.textOf(x.ValExpr)
		}
	case *hclsyntax.TupleConsExpr:
		return f.anyOf(x.Exprs...)
	case *hclsyntax.FunctionCallExpr:
		if x.ExpandFinal || len(x.Args) == 0 {
			return nil
		}
		if image := elementsOf(x.Name); image != nil {
			return image(f, x.Args)
		}
		if sameElements[x.Name] {
			return f.elementOf(x.Args[0])
		}
	}
	return nil
}

// sameElements are functions of a list whose result has no others than it.
var sameElements = map[string]bool{"sort": true, "distinct": true, "reverse": true, "compact": true, "toset": true, "slice": true}

// template is the text of a template: what is written before and behind its
// values.
func (f *finder) template(x *hclsyntax.TemplateExpr) text {
	if v, ok := dsl.Literal(x); ok && v.Type() == cty.String {
		return literal(v.AsString())
	}
	if len(x.Parts) == 0 {
		return nil
	}
	first, _ := written(x.Parts[0])
	last, _ := written(x.Parts[len(x.Parts)-1])
	return append(f.around(x, first, last), framed(first, last)...)
}

// longestAround bounds what is looked for around a value in all the ways to part it.
const longestAround = 100

// around is what a template of one value can be, by what the value can be.
func (f *finder) around(x *hclsyntax.TemplateExpr, first, last string) text {
	parts := slices.DeleteFunc(slices.Clone(x.Parts), func(e hclsyntax.Expression) bool { _, ok := written(e); return ok })
	if len(parts) != 1 || !isASCII(first) || !isASCII(last) {
		return nil
	}
	value := f.textOf(parts[0])
	if value == nil {
		return nil
	}
	return text{{
		denies: func(s string, at place) bool {
			return at == inside && s != "" && len(s) <= longestAround && !strings.Contains(first, s) && !strings.Contains(last, s) && value.deniesAround(s, first, last)
		},
		why: value[0].why, hint: value[0].hint,
	}}
}

// deniesAround reports whether a fragment is in no text of the form first, one of t, last:
// whichever part of it is the end of first, and which the beginning of last.
func (t text) deniesAround(s, first, last string) bool {
	for from := 0; from <= len(s); from++ {
		if !strings.HasSuffix(first, s[:from]) {
			continue
		}
		for to := from; to <= len(s); to++ {
			if !strings.HasPrefix(last, s[to:]) {
				continue
			}
			at := inside
			if from > 0 {
				at |= atStart
			}
			if to < len(s) {
				at |= atEnd
			}
			if t.denies(s[from:to], at) == nil {
				return false
			}
		}
	}
	return true
}

// written is a string that is written out.
func written(e hclsyntax.Expression) (string, bool) {
	v, ok := dsl.Literal(dsl.Bare(e))
	if !ok || v.Type() != cty.String || v.IsNull() || !v.IsKnown() {
		return "", false
	}
	return v.AsString(), true
}

// unequal is the verdict on x == y where one side is written out and the other can
// never be it.
func (f *finder) unequal(x, y hclsyntax.Expression) verdict {
	if s, ok := written(y); ok {
		return f.impossible(f.textOf(x), s, whole)
	}
	if list, ok := dsl.Bare(y).(*hclsyntax.TupleConsExpr); ok && len(list.Exprs) > 0 {
		of := f.elementOf(x)
		for _, e := range list.Exprs {
			if s, ok := written(e); ok {
				if v := f.impossible(of, s, whole); v.known {
					return v
				}
			}
		}
	}
	return verdict{}
}

// impossible is the verdict that is false where no value of a text has a fragment
// at a place.
func (f *finder) impossible(t text, fragment string, at place) verdict {
	if r := t.denies(fragment, at); r != nil {
		return always(false, r.why, r.hint)
	}
	return verdict{}
}
