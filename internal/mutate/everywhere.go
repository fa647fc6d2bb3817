package mutate

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
)

// wrapped is the argument that a call makes something of: it is what is left where the function is left out. It is
// -1 for a call that nothing is left of.
func wrapped(function string, args int) int {
	of := 0
	switch function {
	case "formatdate", "uuidv5":
		of = 1
	case "trim", "trimspace", "chomp", "indent", "urlencode", "base64encode", "base64decode", "sha256", "timeadd":
	default:
		if _, known := weakened(function); !known {
			return -1
		}
	}
	if of >= args {
		return -1
	}
	return of
}

// A place is where something is left out that is left out in other places, too.
type place struct {
	site *site
	attr *dsl.Attr
	rng  hcl.Range
	// said is what stands there.
	said string
	// cuts are what is changed there.
	cuts []change
	// alone says that it counts where there is no other place.
	alone bool
	// side says which of two things it is that undo each other, 0 for what has no such other one.
	side int
}

// A repeated thing is what is left out: its key tells it from others, and what says it.
type repeated struct{ key, what string }

// A scope is a part of a file in which all places are changed at once.
type scope struct {
	// declaration and keeps are those of its mutants, and head stands before what they change.
	declaration, keeps, head string
	// wide says how wide it is: 0 for that of an attribute.
	wide   int
	order  []repeated
	places map[string][]place
}

func (c *scope) add(r repeated, p place) {
	if c.places == nil {
		c.places = map[string][]place{}
	}
	if c.places[r.key] == nil {
		c.order = append(c.order, r)
	}
	c.places[r.key] = append(c.places[r.key], p)
}

// everywhere leaves out a function in all places at once, and what is put into a text that stands in several places,
// and two things that undo each other in all places of both.
// One of them alone is noticed where it no longer fits the others, as in lower(a) == lower(b), which says nothing
// about whether anybody would notice if all were missing.
//
// The places are those of an attribute, then those of its block, of its step, and of the whole declaration with the
// locals of the file that it reads. Where a wider scope has no other places it has no mutant.
func (u *unit) everywhere(sites, locals []*site) []*Mutant {
	strips := strippedIn(slices.Concat(sites, locals))
	for _, s := range slices.Concat(sites, locals) {
		s.stripped = strips
	}
	var scopes []*scope
	byBlock := map[*dsl.Block]*scope{}
	of := func(s *site, b *dsl.Block) *scope {
		if byBlock[b] == nil {
			byBlock[b] = &scope{declaration: (&site{Block: b, src: s.src}).name(), wide: nestedMax - depthOf(b)}
			scopes = append(scopes, byBlock[b])
		}
		return byBlock[b]
	}
	type found struct {
		repeated
		place
	}
	ofLocal := map[string][]found{}
	reads := map[string][]string{}
	for _, s := range locals {
		name := s.Attrs[0].Name
		own := &scope{declaration: s.name(), keeps: "value"}
		scopes = append(scopes, own)
		s.repeats(func(r repeated, p place) {
			own.add(r, p)
			ofLocal[name] = append(ofLocal[name], found{r, p})
		})
		reads[name] = localsIn(s.Attrs[0].Expr)
	}
	var tops []*dsl.Block
	read := map[*dsl.Block][]string{}
	for _, s := range sites {
		var around []*scope
		for b := s.Block; b != nil && b.Type != ""; b = b.Parent {
			top := b.Parent == nil || b.Parent.Type == ""
			if b == s.Block || b.Type == "step" || top {
				around = append(around, of(s, b))
			}
			if top {
				if !slices.Contains(tops, b) {
					tops = append(tops, b)
				}
				for _, a := range s.Attrs {
					read[b] = append(read[b], localsIn(a.Expr)...)
				}
			}
		}
		attrs := map[*dsl.Attr]*scope{}
		s.repeats(func(r repeated, p place) {
			if attrs[p.attr] == nil {
				attrs[p.attr] = &scope{declaration: s.name(), keeps: p.attr.Name, head: p.attr.Name + ": "}
				scopes = append(scopes, attrs[p.attr])
			}
			attrs[p.attr].add(r, p)
			for _, c := range around {
				c.add(r, p)
			}
		})
	}
	for _, b := range tops {
		from, all := read[b], map[string]bool{}
		for len(from) > 0 {
			name := from[len(from)-1]
			from = from[:len(from)-1]
			if all[name] {
				continue
			}
			all[name] = true
			from = append(from, reads[name]...)
		}
		for _, s := range locals {
			if name := s.Attrs[0].Name; all[name] {
				for _, f := range ofLocal[name] {
					of(s, b).add(f.repeated, f.place)
				}
			}
		}
	}
	slices.SortStableFunc(scopes, func(a, b *scope) int { return a.wide - b.wide }) // the nearest first
	known := map[string]bool{}
	var list []*Mutant
	for _, c := range scopes {
		for _, r := range c.order {
			if m := c.mutant(u, r, known); m != nil {
				list = append(list, m)
			}
		}
	}
	return list
}

// mutant is the file in which all places of a thing are changed, nil where there are too few, or where another
// scope has the same ones.
func (c *scope) mutant(u *unit, r repeated, known map[string]bool) *Mutant {
	places := slices.Clone(c.places[r.key])
	if len(places) < 2 && !places[0].alone {
		return nil
	}
	if side := places[0].side; side != 0 && !slices.ContainsFunc(places, func(p place) bool { return p.side != side }) {
		return nil
	}
	slices.SortStableFunc(places, func(a, b place) int { return a.rng.Start.Byte - b.rng.Start.Byte })
	var cuts []change
	id := r.key
	for _, p := range places {
		cuts = append(cuts, p.cuts...)
		id += fmt.Sprintf(" %d", p.rng.Start.Byte)
	}
	if known[id] {
		return nil
	}
	known[id] = true
	slices.SortStableFunc(cuts, func(a, b change) int { return a.from - b.from })
	first := places[0].rng
	var at []hcl.Range
	for _, p := range places {
		at = append(at, p.rng)
	}
	return &Mutant{
		places: at, cuts: cuts, Declaration: c.declaration, Change: c.head + r.what + inPlaces(places, c.declaration), File: u.path, Line: first.Start.Line, Range: first,
		Original: u.source, keeps: c.keeps, headers: slices.ContainsFunc(places, func(p place) bool { return p.attr.Name == "headers" }),
	}
}

// cutOut is a text with several changes, in the order in which they stand. One within what is left out is none.
func cutOut(src []byte, cuts []change) []byte {
	var text bytes.Buffer
	done := 0
	for _, cut := range cuts {
		if cut.from < done {
			continue
		}
		text.Write(src[done:cut.from])
		text.WriteString(cut.with)
		done = cut.to
	}
	text.Write(src[done:])
	return text.Bytes()
}

// together are the mutants of a file without those of several places of which one alone goes unnoticed as well: that
// one says enough.
func together(list []*Mutant) []*Mutant {
	unnoticed := map[hcl.Range]bool{}
	for _, m := range list {
		if len(m.places) == 0 && (m.Operator == "computation" || m.Operator == "related" || m.Operator == partial) && (m.Verdict == Survived || m.Verdict == Unshown) {
			unnoticed[m.Range] = true
		}
	}
	return slices.DeleteFunc(list, func(m *Mutant) bool {
		return (m.Verdict == Survived || m.Verdict == Unshown) && slices.ContainsFunc(m.places, func(at hcl.Range) bool { return unnoticed[at] })
	})
}

// placesShown is how many places of a change are told at most.
const placesShown = 8

// inPlaces says where all places of a change are.
func inPlaces(places []place, within string) string {
	if len(places) == 1 {
		return ""
	}
	var said []string
	for _, p := range places[:min(len(places), placesShown)] {
		text := p.said
		if text == "" {
			text = p.attr.Name
			if name := p.site.name(); name != within {
				text = name + " " + text
			}
		}
		if p.rng.Start.Line != places[0].rng.Start.Line {
			text += fmt.Sprintf(" (line %d)", p.rng.Start.Line)
		}
		said = append(said, text)
	}
	if more := len(places) - len(said); more > 0 {
		said = append(said, fmt.Sprintf("%d more", more))
	}
	return fmt.Sprintf(" in %d places: %s", len(places), strings.Join(said, ", "))
}

// repeats tells what may stand in several places of a block: calls, what is put into texts, and values of headers.
func (s *site) repeats(tell func(repeated, place)) {
	s.eachNode(func(a *dsl.Attr, n hclsyntax.Node) {
		s.undone(a, n, tell)
		switch x := n.(type) {
		case *hclsyntax.FunctionCallExpr:
			of := wrapped(x.Name, len(x.Args))
			if of < 0 || x.ExpandFinal && of == len(x.Args)-1 {
				return
			}
			rng, arg := x.Range(), x.Args[of].Range()
			before, after := s.src[rng.Start.Byte:arg.Start.Byte], s.src[arg.End.Byte:rng.End.Byte]
			tell(repeated{"call " + x.Name, x.Name + "(…) left out"}, place{site: s, attr: a, rng: rng, said: s.brief(rng), cuts: []change{
				{from: rng.Start.Byte, to: arg.Start.Byte, with: "(" + strings.Repeat("\n", bytes.Count(before, []byte("\n")))},
				{from: arg.End.Byte, to: rng.End.Byte, with: strings.Repeat("\n", bytes.Count(after, []byte("\n"))) + ")"},
			}})
		case *hclsyntax.TemplateExpr:
			if slices.Contains(told, a.Name) {
				return
			}
			put := s.put(x)
			for i, rng := range put {
				key := fmt.Sprintf("text %d %s", i, s.source(x.Range()))
				tell(repeated{key, "${" + s.brief(rng) + "} left out"}, place{site: s, attr: a, rng: rng, alone: len(put) == 1 && a.Name == "headers" && s.Type == "step", cuts: []change{
					{from: rng.Start.Byte, to: rng.End.Byte, with: `false ? (` + s.source(rng) + `) : ""`},
				}})
			}
		case *hclsyntax.ObjectConsExpr:
			if a.Name != "headers" || a.Expr != hclsyntax.Expression(x) {
				return
			}
			for _, item := range x.Items {
				_, text := item.ValueExpr.(*hclsyntax.TemplateExpr)
				if _, written := dsl.Literal(item.ValueExpr); text || written {
					continue
				}
				rng := item.ValueExpr.Range()
				tell(repeated{"header " + s.source(rng), s.brief(rng) + " → always the same"}, place{site: s, attr: a, rng: rng, alone: s.Type == "step", cuts: []change{
					{from: rng.Start.Byte, to: rng.End.Byte, with: `(false ? (` + s.source(rng) + `) : "constant")`},
				}})
			}
		}
	})
}

// depthOf is how many blocks there are around one, at most one fewer than nestedMax.
func depthOf(b *dsl.Block) (n int) {
	for b = b.Parent; b != nil && b.Type != "" && n < nestedMax-1; b = b.Parent {
		n++
	}
	return n
}

// localsIn are the names of the locals that an expression reads.
func localsIn(e hclsyntax.Expression) []string {
	var list []string
	for _, n := range namesIn("", e) {
		if n.local != "" {
			list = append(list, n.local)
		}
	}
	return list
}
