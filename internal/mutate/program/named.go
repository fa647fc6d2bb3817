package program

import (
	"cmp"
	"slices"
	"strings"
)

// Bounds of what is left out with a name: how many such changes there are of a file, how many there may be in any case,
// how often the name may stand in the file, and how many places are changed.
const (
	mostByName   = 24
	fewestByName = 6
	mostUses     = 16
	mostParts    = 8
)

// named are changes of all places of a file that say one name, a text in quotes or the name of a value or a function:
// the cache that is read, written and emptied, each of which is noticed alone. What decides by the name never happens in
// one of them, and always in the other one.
func (s *suite) named() []*Mutant {
	return s.several(mostByName, fewestByName, func(f *Source, list []*Mutant, add func(*Mutant) bool) {
		for _, parts := range append(undoneIn(list), namedIn(f, list)...) {
			if !add(atOnce(parts)) {
				return
			}
		}
	})
}

// undoneIn are the statements of a file that belong together as some of them undo what others do, three or more:
// BEGIN, with COMMIT and ROLLBACK.
func undoneIn(list []*Mutant) (all [][]*Mutant) {
	var statements []*leaving
	for _, m := range list {
		if m.Operator == "statement" {
			statements = append(statements, &leaving{Mutant: m, sides: sides(m.leftOut())})
		}
	}
	for i, o := range opposites {
		if slices.ContainsFunc(opposites[:i], func(before [2]string) bool { return before[0] == o[0] }) {
			continue // with the others that it begins
		}
		var same uint64
		for n, other := range opposites {
			if other[0] == o[0] {
				same |= 1 << n
			}
		}
		var doing, undoing []*Mutant
		for _, m := range statements {
			switch {
			case m.sides[1]&same != 0:
				undoing = append(undoing, m.Mutant)
			case m.sides[0]&same != 0:
				doing = append(doing, m.Mutant)
			}
		}
		if n := len(doing) + len(undoing); len(doing) > 0 && len(undoing) > 0 && n > 2 && n <= mostParts {
			parts := apartFrom(append(doing, undoing...), "")
			if parts[len(parts)-1].To-parts[0].From <= mostPairText {
				all = append(all, parts)
			}
		}
	}
	return all
}

// namedIn are the changes of a file that belong together by a name, those of most places first.
func namedIn(of *Source, list []*Mutant) (all [][]*Mutant) {
	count, order := map[string]int{}, []string(nil)
	for _, name := range namesIn(string(of.Text)) {
		if count[name]++; count[name] == 1 {
			order = append(order, name)
		}
	}
	with := map[string][]*Mutant{}
	for _, m := range list {
		names := namesIn(m.leftOut())
		slices.Sort(names)
		for _, name := range slices.Compact(names) {
			if n := count[name]; n >= 2 && n <= mostUses {
				with[name] = append(with[name], m)
			}
		}
	}
	for _, name := range order {
		var before []*Mutant
		for _, not := range []string{" always", " never"} {
			parts := apartFrom(with[name], not)
			if slices.Equal(parts, before) {
				continue // nothing decides by it
			}
			before = parts
			if n := len(parts); n >= 2 && n <= mostParts && parts[n-1].To-parts[0].From <= mostPairText {
				all = append(all, parts)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b []*Mutant) int { return cmp.Compare(len(b), len(a)) })
	return all
}

// apartFrom are changes none of which is within another one, without the conditions that are changed in one way:
// statements first, then conditions, then what is left out of a statement.
func apartFrom(list []*Mutant, not string) (apart []*Mutant) {
	rank := func(m *Mutant) int {
		switch {
		case m.Operator == "statement":
			return 0
		case m.Operator == "condition" && !strings.HasPrefix(m.Change, "without "):
			return 1
		}
		return 2
	}
	list = slices.DeleteFunc(slices.Clone(list), func(m *Mutant) bool {
		return m.Operator == "text" || m.Operator == "condition" && strings.HasSuffix(m.Change, not)
	})
	byPlace := func(a, b *Mutant) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To), cmp.Compare(a.Text, b.Text))
	}
	slices.SortStableFunc(list, func(a, b *Mutant) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), byPlace(a, b)) })
	for _, m := range list {
		within := func(other *Mutant) bool { return m.From < other.To && other.From < m.To || m.From == other.From }
		if !slices.ContainsFunc(apart, within) {
			apart = append(apart, m)
		}
	}
	slices.SortFunc(apart, byPlace)
	return apart
}
