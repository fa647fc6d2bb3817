package mutate

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/internal/mutate/data"
)

// tableMax is how many entries of one list or map are left out at most, evenly of all of them.
const tableMax = 30

// entries leave out one element of a list or one member of a map that is looked through, and give a member that is a
// text that of its neighbour.
func entries(n *node, path string) []variant {
	if n == nil || len(n.parts) < 2 {
		return nil
	}
	var list []variant
	for i, m := range n.parts {
		if len(n.parts) > tableMax && i*tableMax/len(n.parts) == (i+1)*tableMax/len(n.parts) {
			continue
		}
		what := m.name
		switch {
		case what != "":
		case m.of.file == n.file && m.of.declaration == n.declaration && m.of.kind == 0 && (n.head != "" || n.tellable(m.of)):
			what = brief(n.part(m.of.from, m.of.to))
		default:
			what = strconv.Itoa(i)
		}
		if n.head != "" {
			what += " left out of " + brief(n.part(n.from, n.to))
		} else {
			what += " left out"
		}
		from, to := n.leftOut(i)
		list = append(list, variant{n.document, change{what: strings.TrimPrefix(path+": ", ": ") + what, from: from, to: to}})
		if d, ok := n.asNeighbour(i, path); ok {
			list = append(list, d)
		}
	}
	return list
}

// asNeighbour gives a member that is a text the text of the next one, of the last one that of the one before it. What
// they say is not told, as it may be a secret.
func (n *node) asNeighbour(i int, path string) (variant, bool) {
	if n.kind != '{' {
		return variant{}, false
	}
	other := i + 1
	if other == len(n.parts) {
		other = i - 1
	}
	m, next := n.parts[i], n.parts[other]
	here := func(of *node) bool {
		_, is := of.value.(string)
		return is && of.file == n.file && of.declaration == n.declaration
	}
	if m.name == "" || next.name == "" || !here(m.of) || !here(next.of) || m.of.value == next.of.value {
		return variant{}, false
	}
	what := m.name + ": the value of " + next.name
	return variant{n.document, change{what: strings.TrimPrefix(path+": ", ": ") + what, from: m.of.from, to: m.of.to, with: n.part(next.of.from, next.of.to)}}, true
}

// wordMax is how long a word is at most that is told.
const wordMax = 24

// tellable reports whether an element of a local is told. A text that is no short word may be a secret.
func (n *node) tellable(of *node) bool {
	text, is := of.value.(string)
	return !is || len(text) <= wordMax && !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && r != ' ' })
}

// values are the numbers that are one more and the flags that are the other one, in a value that is written in one place.
func (n *node) values(path string, skip func(*node) bool) []variant {
	if skip(n) {
		return nil
	}
	put := func(with string) []variant {
		what := n.part(n.from, n.to) + " → " + with
		return []variant{{n.document, change{what: strings.TrimPrefix(path+": "+what, ": "), from: n.from, to: n.to, with: with}}}
	}
	var list []variant
	switch v := n.value.(type) {
	case float64:
		if v == float64(int64(v)) {
			return put(shown(v + 1))
		}
		return put(shown(v / 2))
	case bool:
		return put(strconv.FormatBool(!v))
	}
	for i, m := range n.parts {
		name := m.name
		if name == "" {
			name = strconv.Itoa(i)
		}
		if m.of.file == n.file && m.of.declaration == n.declaration {
			list = append(list, m.of.values(strings.TrimPrefix(path+"."+name, "."), skip)...)
		}
	}
	return list
}

// alone is the operator "data" where a local is one number or one flag.
const alone = "data alone"

// local gives other numbers and flags to a local that the program reads. A schema in it has its own changes, and a
// number or a flag that a check reads as well is changed by the operator "value".
func (w *world) local(l located) {
	operator := "data"
	switch l.Expression.(type) {
	case *hclsyntax.LiteralValueExpr, *hclsyntax.UnaryOpExpr:
		operator = alone
	case *hclsyntax.ObjectConsExpr, *hclsyntax.TupleConsExpr:
	default:
		return
	}
	w.sample(operator, w.node(l, 0).values("", func(n *node) bool {
		return w.seen[seenKey{n.file, n.from, asSchema}] || w.seen[seenKey{n.file, n.from, asTold}]
	}))
}

// noteSchema remembers which values are parts of a schema.
func (w *world) noteSchema(n *node, r role) {
	w.seen[seenKey{n.file, n.from, r}] = true
	for _, m := range n.parts {
		if m.of.kind != 0 {
			w.noteSchema(m.of, r)
		}
	}
}

// table leaves out entries of what is looked through. What a block has of other steps is no table.
func (w *world) table(l located) {
	if l.block != nil {
		x, is := l.Expression.(*hclsyntax.TupleConsExpr)
		if !is || slices.ContainsFunc(x.Exprs, func(e hclsyntax.Expression) bool { _, written := dsl.Literal(e); return !written }) {
			return
		}
	}
	w.sample("data", entries(w.node(l, 0), l.path))
}

// data are the changes of a file whose text the program decodes or splits.
func (p *document) data() []variant {
	var list []variant
	for _, c := range data.Changes(p.file, p.src) {
		list = append(list, variant{p, change{what: c.Change, from: c.From, to: c.To, with: c.Text}})
	}
	return list
}
