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

// elements take other elements of lists and maps than the program has.
func elements(s *site) []edit { return append(s.ends(), s.parts()...) }

// parts change which elements of a list or a map an expression has: of a for expression and of a splat the first one
// only, in the place of one that is looked up always the first, and in the place of the first the last.
func (s *site) parts() []edit {
	var list []edit
	firstOnly := func(a *dsl.Attr, rng hcl.Range) {
		list = append(list, s.changed(a, rng, s.brief(rng)+" → the first only",
			change{from: rng.Start.Byte, to: rng.Start.Byte, with: "[for place, member in ("},
			change{from: rng.End.Byte, to: rng.End.Byte, with: ") : member if place == 0]"}))
	}
	bounds := map[hclsyntax.Expression]bool{} // of what min and max have the operator takes an end already
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			if (x.Name == "max" || x.Name == "min") && x.ExpandFinal && len(x.Args) == 1 {
				bounds[x.Args[0]] = true
			}
		case *hclsyntax.ForExpr:
			if x.KeyExpr == nil && !bounds[x] {
				firstOnly(a, x.Range())
			}
		case *hclsyntax.SplatExpr:
			if !bounds[x] {
				firstOnly(a, hcl.RangeBetween(x.Source.Range(), x.SrcRange))
			}
		case *hclsyntax.IndexExpr:
			of, key := x.Collection.Range(), x.Key.Range()
			if usesName(x.Key, "member") || orderedOf(x.Collection).sort != nil {
				return
			}
			what := fmt.Sprintf("%s[%s] → always the first", s.brief(of), s.brief(key))
			list = append(list, s.changed(a, x.Range(), what,
				change{from: of.Start.Byte, to: of.Start.Byte, with: "[for member in ("},
				// What says which one is still evaluated, so that a step waits for the same steps.
				change{from: of.End.Byte, to: key.Start.Byte, with: ") : member if (("},
				change{from: key.End.Byte, to: x.Range().End.Byte, with: ") == null || true)][0]"}))
		case *hclsyntax.ScopeTraversalExpr:
			least := 1
			if x.Traversal.RootName() == "step" {
				least = 3 // step.NAME[0] is a step of a group
			}
			list = append(list, s.otherEnd(a, x.Range().Start.Byte, x.Traversal, least)...)
		case *hclsyntax.RelativeTraversalExpr:
			if orderedOf(x.Source).sort == nil {
				list = append(list, s.otherEnd(a, x.Source.Range().Start.Byte, x.Traversal, 0)...)
			}
		}
	})
	return list
}

// otherEnd takes the last element where the first one is taken, and the first where another one is.
func (s *site) otherEnd(a *dsl.Attr, from int, t hcl.Traversal, least int) []edit {
	for i, step := range t {
		at, is := step.(hcl.TraverseIndex)
		if !is || i < least || at.Key.Type() != cty.Number {
			continue
		}
		rng := at.SrcRange
		whole := hcl.Range{Filename: rng.Filename, Start: t[0].SourceRange().Start, End: rng.End}
		whole.Start.Byte = from
		if n, _ := at.Key.AsBigFloat().Int64(); n != 0 {
			return []edit{s.changed(a, rng, s.brief(whole)+" → [0]", change{from: rng.Start.Byte, to: rng.End.Byte, with: "[0]"})}
		}
		return []edit{s.changed(a, rng, s.brief(whole)+" → the last", change{from: from, to: from, with: "reverse("}, change{from: rng.Start.Byte, to: rng.Start.Byte, with: ")"})}
	}
	return nil
}

// usesName reports whether an expression reads a name.
func usesName(e hclsyntax.Expression, name string) bool {
	return slices.ContainsFunc(e.Variables(), func(t hcl.Traversal) bool { return t.RootName() == name })
}

// signs leave out ! and the - before what is computed.
func (s *site) signs(op *hclsyntax.Operation) []edit {
	var list []edit
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		x, ok := n.(*hclsyntax.UnaryOpExpr)
		if !ok || x.Op != op {
			return
		}
		if _, written := dsl.Literal(x); written {
			return
		}
		from, to := x.SymbolRange.Start.Byte, x.SymbolRange.End.Byte
		list = append(list, s.changed(a, x.Range(), s.source(x.SymbolRange)+" left out of "+s.brief(x.Range()), change{from: from, to: to, with: " "}))
	})
	return list
}

// A keyed is a map that a for expression makes of a list by what its elements are known by.
type keyed struct {
	site *site
	attr *dsl.Attr
	made *hclsyntax.ForExpr
	// read is how expressions of the file read it, "" where it is looked up where it is made.
	read string
}

// mapsMax is how many maps by a key are looked at in a file.
const mapsMax = 30

// byPlace takes an element by its place where a map has it by its key: the map is a list, and each look-up of it for
// an element of another list takes what has the place of that element. Answers that always come in the order of the
// questions do not tell these apart.
func (u *unit) byPlace(sites, locals []*site) []*Mutant {
	var maps []keyed
	for _, s := range slices.Concat(sites, locals) {
		for _, a := range s.Attrs {
			made, ok := mapByKey(a.Expr)
			switch {
			case ok && s.Type == "locals":
				maps = append(maps, keyed{s, a, made, "local." + a.Name})
			case ok && s.Type == "step" && a.Name == "value":
				maps = append(maps, keyed{s, a, made, "step." + s.Name() + ".output"})
			}
		}
		s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
			if x, is := n.(*hclsyntax.IndexExpr); is {
				if made, ok := mapByKey(x.Collection); ok {
					maps = append(maps, keyed{s, a, made, ""})
				}
			}
		})
	}
	var list []*Mutant
	for _, m := range maps[:min(len(maps), mapsMax)] { // each looks at the whole file
		if made := m.mutant(u, slices.Concat(sites, locals)); made != nil {
			list = append(list, made)
		}
	}
	return list
}

// mapByKey is the for expression that makes a map of elements by a part of each.
func mapByKey(e hclsyntax.Expression) (*hclsyntax.ForExpr, bool) {
	x, ok := dsl.Bare(e).(*hclsyntax.ForExpr)
	if !ok || x.KeyExpr == nil || x.Group || !usesName(x.KeyExpr, x.ValVar) {
		return nil, false
	}
	return x, true
}

// mutant is the file in which a map is a list, nil where nothing is looked up in it for an element.
func (k keyed) mutant(u *unit, sites []*site) *Mutant {
	x := k.made
	places := []place{{site: k.site, attr: k.attr, rng: x.Range(), cuts: []change{
		{from: x.OpenRange.Start.Byte, to: x.OpenRange.End.Byte, with: "["},
		{from: x.KeyExpr.Range().Start.Byte, to: x.ValExpr.Range().Start.Byte, with: strings.Repeat("\n", strings.Count(string(u.source[x.KeyExpr.Range().Start.Byte:x.ValExpr.Range().Start.Byte]), "\n"))},
		{from: x.CloseRange.Start.Byte, to: x.CloseRange.End.Byte, with: "]"},
	}}}
	named := map[*hclsyntax.ForExpr]string{}
	for _, s := range sites {
		for _, a := range s.Attrs {
			vars := forVariables(a.Expr)
			// taken is the place of the element that a key is of; ok is false where it is of none.
			taken := func(key hclsyntax.Expression, p *place) (name string, ok bool) {
				for _, t := range key.Variables() {
					if of := vars[t.RootName()]; of != nil && of != x {
						if named[of] == "" {
							var c *change
							if named[of], c = s.placeOf(of); c != nil {
								p.cuts = append(p.cuts, *c)
							}
						}
						return named[of], named[of] != ""
					}
				}
				return "", false
			}
			s.eachOf(a, func(n hclsyntax.Node) {
				switch y := n.(type) {
				case *hclsyntax.IndexExpr:
					if s.source(y.Collection.Range()) != k.read && dsl.Bare(y.Collection) != hclsyntax.Expression(x) {
						return
					}
					p := place{site: s, attr: a, rng: y.Key.Range()}
					if name, ok := taken(y.Key, &p); ok {
						p.cuts = append(p.cuts, change{from: p.rng.Start.Byte, to: p.rng.End.Byte, with: name})
						places = append(places, p)
					}
				case *hclsyntax.FunctionCallExpr:
					if y.Name != "lookup" || len(y.Args) != 3 || y.ExpandFinal || s.source(y.Args[0].Range()) != k.read {
						return
					}
					p := place{site: s, attr: a, rng: y.Range()}
					if name, ok := taken(y.Args[1], &p); ok {
						p.cuts = append(p.cuts, change{from: p.rng.Start.Byte, to: p.rng.End.Byte, with: withLines("(try("+k.read+"["+name+"], "+s.source(y.Args[2].Range())+"))", s.source(y.Range()))})
						places = append(places, p)
					}
				}
			})
		}
	}
	if len(places) < 2 {
		return nil
	}
	c := &scope{declaration: k.site.name(), keeps: k.attr.Name}
	r := repeated{key: "place", what: "by " + k.site.brief(x.KeyExpr.Range()) + " → by place"}
	for _, p := range places {
		c.add(r, p)
	}
	m := c.mutant(u, r, map[string]bool{})
	m.Change = r.what + ", and looked up so" + inPlaces(places[1:], "")
	if k.site.Type != "locals" {
		m.Change = k.attr.Name + ": " + m.Change
	} else {
		m.keeps = "value"
	}
	return m
}

// placeOf is the name that a for expression has for the place of an element, and what gives it one where it has none.
func (s *site) placeOf(x *hclsyntax.ForExpr) (name string, given *change) {
	if x.KeyVar != "" {
		return x.KeyVar, nil
	}
	at := x.OpenRange.End.Byte
	text := string(s.src[at:x.CollExpr.Range().Start.Byte])
	rest := strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(text, " \t\r\n"), "for"), " \t")
	if !strings.HasPrefix(rest, x.ValVar) || usesName(x, "place") {
		return "", nil // a comment stands there, or the name is taken
	}
	at += len(text) - len(rest)
	return "place", &change{from: at, to: at, with: "place, "}
}

// eachOf calls f for every part of the expression of an attribute, a whole before its parts.
func (s *site) eachOf(a *dsl.Attr, f func(n hclsyntax.Node)) {
	_ = hclsyntax.VisitAll(a.Expr, func(n hclsyntax.Node) hcl.Diagnostics {
		f(n)
		return nil
	})
}
