package mutate

import (
	"bytes"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
)

// The sides of two things that undo each other.
const (
	does   = 1
	undoes = 2
)

// opposite is what a function and the one that undoes it are told by, which of the two it is, and the argument that is
// left where it is left out; side is 0 for any other.
func opposite(function string) (pair string, side, of int) {
	switch function {
	case "base64encode":
		return "base64encode(…) and base64decode(…)", does, 0
	case "base64decode":
		return "base64encode(…) and base64decode(…)", undoes, 0
	case "jsonencode":
		return "jsonencode(…) and jsondecode(…)", does, 0
	case "jsondecode":
		return "jsonencode(…) and jsondecode(…)", undoes, 0
	case "upper":
		return "upper(…) and lower(…)", does, 0
	case "lower":
		return "upper(…) and lower(…)", undoes, 0
	case "split":
		return "split(…) and join(…)", does, 1
	case "join":
		return "split(…) and join(…)", undoes, 1
	}
	return "", 0, 0
}

// undone tells what stands in a part of an expression and may be undone in another one. Each alone is noticed where the
// other one is left, which says nothing about whether anybody would notice if both were missing.
func (s *site) undone(a *dsl.Attr, n hclsyntax.Node, tell func(repeated, place)) {
	say := func(pair string, side int, rng hcl.Range, cuts ...change) {
		tell(repeated{key: "undone " + pair, what: pair + " left out"}, place{site: s, attr: a, rng: rng, said: s.brief(rng), cuts: cuts, side: side})
	}
	switch x := n.(type) {
	case *hclsyntax.FunctionCallExpr:
		if x.ExpandFinal {
			return
		}
		if pair, side, of := opposite(x.Name); side != 0 && of < len(x.Args) {
			if of == 1 { // by one separator
				pair = strings.ReplaceAll(pair, "…", s.brief(x.Args[0].Range())+", …")
			}
			say(pair, side, x.Range(), s.left(x.Range(), x.Args[of].Range())...)
		}
		if of, is := strippedBy(x); is {
			say(affix(of), does, x.Range(), s.left(x.Range(), x.Args[0].Range())...)
		}
	case *hclsyntax.TemplateExpr:
		s.affixes(x, func(of stripped, at int) {
			say(affix(of), undoes, x.Range(), change{from: at, to: at + len(of.text)})
		})
	case *hclsyntax.BinaryOpExpr:
		sign := s.sign(x)
		side := does
		if sign == "/" || sign == "-" {
			side = undoes
		}
		for _, e := range []hclsyntax.Expression{x.RHS, x.LHS} {
			number, rest := e, x.LHS
			if e == x.LHS {
				number, rest = e, x.RHS
			}
			if !wholeNumber(number) || side == undoes && e == x.LHS {
				continue
			}
			with := strings.TrimSpace(s.source(number.Range()))
			pair := "* " + with + " and / " + with
			switch sign {
			case "+", "-":
				pair = "+ " + with + " and - " + with
			case "*", "/":
			default:
				return
			}
			say(pair, side, x.Range(), s.left(x.Range(), rest.Range())...)
			return
		}
	}
}

// affix is what a text at the beginning or the end of another one is told by.
func affix(of stripped) string {
	if of.function == "trimprefix" {
		return quoted(of.text) + " before a text"
	}
	return quoted(of.text) + " behind a text"
}

// strippedMax is how many texts that are taken off others are looked for in a file.
const strippedMax = 20

// A stripped is a text that trimprefix or trimsuffix takes off another one.
type stripped struct{ function, text string }

// strippedIn are those of some blocks.
func strippedIn(sites []*site) []stripped {
	var list []stripped
	for _, s := range sites {
		s.eachNode(func(_ *dsl.Attr, n hclsyntax.Node) {
			if x, ok := n.(*hclsyntax.FunctionCallExpr); ok {
				if of, is := strippedBy(x); is && len(list) < strippedMax && !slices.Contains(list, of) {
					list = append(list, of)
				}
			}
		})
	}
	return list
}

// strippedBy is what a call takes off a text.
func strippedBy(x *hclsyntax.FunctionCallExpr) (of stripped, ok bool) {
	if x.Name != "trimprefix" && x.Name != "trimsuffix" || len(x.Args) != 2 || x.ExpandFinal {
		return of, false
	}
	v, written := dsl.Literal(x.Args[1])
	if !written || !isText(v) || v.AsString() == "" {
		return of, false
	}
	return stripped{x.Name, v.AsString()}, true
}

// affixes tells which of the texts that are taken off others stand beside what is put into a text.
func (s *site) affixes(x *hclsyntax.TemplateExpr, tell func(of stripped, at int)) {
	for i, p := range x.Parts {
		l, is := p.(*hclsyntax.LiteralValueExpr)
		if !is || l.Val.Type() != cty.String || s.source(l.SrcRange) != l.Val.AsString() { // with signs that stand for others
			continue
		}
		for _, of := range s.stripped {
			switch {
			case of.function == "trimprefix" && i+1 < len(x.Parts) && strings.HasSuffix(l.Val.AsString(), of.text):
				tell(of, l.SrcRange.End.Byte-len(of.text))
			case of.function == "trimsuffix" && i > 0 && strings.HasPrefix(l.Val.AsString(), of.text):
				tell(of, l.SrcRange.Start.Byte)
			}
		}
	}
}

// left leaves a part in the place of the whole, on the lines where it stands.
func (s *site) left(whole, part hcl.Range) []change {
	before, after := s.src[whole.Start.Byte:part.Start.Byte], s.src[part.End.Byte:whole.End.Byte]
	return []change{
		{from: whole.Start.Byte, to: part.Start.Byte, with: "(" + strings.Repeat("\n", bytes.Count(before, []byte("\n")))},
		{from: part.End.Byte, to: whole.End.Byte, with: strings.Repeat("\n", bytes.Count(after, []byte("\n"))) + ")"},
	}
}
