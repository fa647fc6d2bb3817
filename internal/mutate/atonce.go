package mutate

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// Bounds of what is left out at once: how many such mutants there are of a file, for how many single ones there is
// one, how many of those may have a name, how many are changed at once, and how much of the text of one is read for
// names.
const (
	mostAtOnce    = 24
	singlesAtOnce = 4
	mostUses      = 16
	mostParts     = 8
	mostNamed     = 400
)

// several is the operator of several single mutants that are made at once.
const several = "together"

// references are the names of declarations, of inputs and of members in a text.
var references = pattern.New(`\b(?:local|input|arguments|step|retry|breaker|rate_limit|lock|gateway|fanout|taxonomy|registry)\.[A-Za-z_][A-Za-z0-9_-]*|\.[A-Za-z_][A-Za-z0-9_]*`)

// ofResults are members that every result has: they tie nothing together.
var ofResults = []string{".output", ".json", ".status", ".status_code", ".error", ".attempts", ".content", ".body", ".headers", ".text"}

// A single is a mutant that leaves something out and that a scenario notices, with what it is about.
type single struct {
	*Mutant
	from, to int
	names    []string
}

// leaves reports whether a mutant leaves something out.
func (m *Mutant) leaves() bool {
	switch {
	case m.Verdict != Killed || len(m.places) > 0 || m.bench || m.Operator == "value":
		return false
	case m.Operator == "computation":
		return strings.Contains(m.Change, " → ") && !strings.Contains(m.Change, "default of ") && !strings.Contains(m.Change, " of each ")
	}
	return strings.Contains(m.Change, " left out") || strings.HasSuffix(m.Change, "dropped") || strings.Contains(m.Change, " → always")
}

// partOf is a mutant with the names that stand in what it changes, and with that of its own declaration.
func partOf(m *Mutant) single {
	p := single{Mutant: m, from: min(m.from, m.Range.Start.Byte), to: max(m.to, m.Range.End.Byte)}
	text := string(m.Original[p.from:min(p.to, p.from+mostNamed)])
	for _, name := range append(references().FindAllString(text, -1), ownName(m.Declaration)...) {
		if !slices.Contains(ofResults, name) && !slices.Contains(p.names, name) {
			p.names = append(p.names, name)
		}
	}
	return p
}

// ownName is the name of a declaration, without the block in it.
func ownName(declaration string) []string {
	name, _, _ := strings.Cut(declaration, " ")
	if references().FindString(name) != name {
		return nil
	}
	return []string{name}
}

// atOnce are mutants of a file that make several single ones at once: all that say one name and leave something out,
// and pairs of these. Each alone was noticed, as it no longer fits the others, which says nothing about whether anybody
// would notice if the whole of it were missing.
func (r *runner) atOnce(u *unit, singles []*Mutant) []*Mutant {
	if r.Data > 0 || r.ended() || u.data || len(r.Only) > 0 && !slices.Contains(r.Only, several) {
		return nil
	}
	var order []string
	with := map[string][]single{}
	known, given := map[[sha256.Size]byte]bool{}, map[string]bool{}
	tried := 0
	for _, m := range singles {
		if m.Verdict == "" {
			continue
		}
		tried++
		if len(m.places) > 0 {
			known[spaced(m.Text())] = true
		}
		if !m.leaves() {
			continue
		}
		p := partOf(m)
		for _, name := range p.names {
			if with[name] == nil {
				order = append(order, name)
			}
			with[name] = append(with[name], p)
		}
	}
	order = slices.DeleteFunc(order, func(name string) bool { n := len(with[name]); return n < 2 || n > mostUses })
	// What is rarest most likely belongs together.
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(len(with[a]), len(with[b])) })
	room := min(mostAtOnce, max(1, tried/singlesAtOnce))
	var list []*Mutant
	add := func(parts []single) {
		if len(parts) < 2 || len(parts) > mostParts || room == 0 {
			return
		}
		where := ""
		for _, p := range parts {
			where += fmt.Sprintf("%d %d %s, ", p.from, p.to, p.Change)
		}
		if given[where] {
			return
		}
		given[where] = true
		m := made(parts)
		if text := spaced(m.Text()); !known[text] {
			known[text] = true
			room--
			list = append(list, m)
		}
	}
	for _, name := range order {
		for _, not := range []string{" always false", " always true"} {
			add(apart(with[name], not))
		}
	}
	for _, name := range order {
		parts := apart(with[name], " always false")
		for i, a := range parts {
			for _, b := range parts[i+1:] {
				add([]single{a, b})
			}
		}
	}
	for _, m := range list {
		m.order = slices.IndexFunc(operators, func(o Operator) bool { return o.Name == several })
	}
	return list
}

// spaced tells texts apart by more than what only keeps their lines and columns.
func spaced(text []byte) [sha256.Size]byte {
	return sha256.Sum256(bytes.Join(bytes.Fields(text), []byte(" ")))
}

// apart are parts in the order in which they stand, of which none is within another one, without the conditions that
// are changed in one way.
func apart(list []single, not string) (free []single) {
	list = slices.DeleteFunc(slices.Clone(list), func(p single) bool { return strings.HasSuffix(p.Change, not) })
	slices.SortStableFunc(list, func(a, b single) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	end := -1
	for _, p := range list {
		if p.from > end {
			free = append(free, p)
			end = p.to
		}
	}
	return free
}

// made is the mutant that makes the changes of all parts.
func made(parts []single) *Mutant {
	first := parts[0].Mutant
	m := &Mutant{
		Operator: several, Declaration: first.Declaration, Change: first.Change, File: first.File, Line: first.Line, Range: first.Range,
		Original: first.Original, Data: true,
	}
	for i, p := range parts {
		m.cuts = append(m.cuts, change{from: p.Mutant.from, to: p.Mutant.to, with: string(p.with)})
		m.parts = append(m.parts, p.Mutant)
		m.Data = m.Data && p.Data
		m.headers = m.headers || p.headers
		if i == 0 {
			continue
		}
		what := p.Change
		if p.Declaration != parts[i-1].Declaration {
			what = p.Declaration + ": " + what
		}
		where := ""
		if p.Line != parts[i-1].Line {
			where = fmt.Sprintf("in line %d ", p.Line)
		}
		m.Change += ", and " + where + what
	}
	return m
}

// news are those mutants of several parts that say what their parts do not: that they go unnoticed, as no fewer of the
// parts do. One that is killed says nothing, as each of its parts is, and would only make the score higher.
func news(list []*Mutant) []*Mutant {
	list = slices.DeleteFunc(list, func(m *Mutant) bool { return m.Verdict == Killed || m.Verdict == Invalid || m.Verdict == Unread })
	all := slices.Clone(list)
	return slices.DeleteFunc(list, func(m *Mutant) bool {
		return slices.ContainsFunc(all, func(of *Mutant) bool {
			return len(of.parts) < len(m.parts) && !slices.ContainsFunc(of.parts, func(p *Mutant) bool { return !slices.Contains(m.parts, p) })
		})
	})
}
