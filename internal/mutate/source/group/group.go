// Package group puts changes of a source file together that say something only if all of them are made: one of
// `sorted(a) != sorted(b)` that is left out is noticed, as the other one is still there.
package group

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// A Place is one in which a call can be left out.
type Place struct {
	// Key is the same for all places of one call, and Shown is what people call that.
	Key, Shown string
	// From and To are the bytes that are replaced, and Text takes their place.
	From, To int
	Text     string
	// Begin is where what it is part of begins, if that is before it.
	Begin int
	// Statement and Function tell what is around.
	Statement, Function int
}

// An Edit is a change of a part of a text.
type Edit struct {
	From, To int
	Text     string
	// Change says on one line what was done.
	Change string
}

// most bounds how many lines are told by their numbers.
const most = 5

// Of are the changes of a text in which all places with one key are left out: those of each statement, of each
// function, and of the whole text, if there are two or more, and more than in the part within. None is longer than
// span. Line gives the line of a byte.
func Of(text string, places []Place, span int, line func(int) int) (list []Edit) {
	for _, all := range byKey(places) {
		done := map[[3]int]bool{} // the first, the last and how many, of all with one key
		for _, scope := range []func(Place) int{
			func(p Place) int { return p.Statement },
			func(p Place) int { return p.Function },
			func(Place) int { return 0 },
		} {
			parts := map[int][]Place{}
			var scopes []int
			for _, p := range all {
				n := scope(p)
				if parts[n] == nil {
					scopes = append(scopes, n)
				}
				parts[n] = append(parts[n], p)
			}
			for _, n := range scopes {
				set := parts[n]
				which := [3]int{set[0].From, set[len(set)-1].To, len(set)}
				if len(set) < 2 || done[which] || set[len(set)-1].To-set[0].From > span {
					continue
				}
				done[which] = true
				list = append(list, edit(text, set, line))
			}
		}
	}
	return list
}

// byKey are the places with one key each, in order and apart; the keys come as the places have them.
func byKey(places []Place) (sets [][]Place) {
	at := map[string]int{}
	for _, p := range places {
		n, known := at[p.Key]
		if !known {
			n = len(sets)
			at[p.Key] = n
			sets = append(sets, nil)
		}
		sets[n] = append(sets[n], p)
	}
	for n, set := range sets {
		sets[n] = apart(set)
	}
	return sets
}

// linesOf are the lines of places, each once.
func linesOf(set []Place, line func(int) int) (lines []int) {
	for _, p := range set {
		if n := line(p.From); len(lines) == 0 || lines[len(lines)-1] != n {
			lines = append(lines, n)
		}
	}
	return lines
}

// apart are the places in order, without those that lie in another one.
func apart(list []Place) (kept []Place) {
	slices.SortStableFunc(list, func(a, b Place) int { return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To)) })
	for _, p := range list {
		if len(kept) == 0 || p.From >= kept[len(kept)-1].To {
			kept = append(kept, p)
		}
	}
	return kept
}

// edit leaves out all places of a set.
func edit(text string, set []Place, line func(int) int) Edit {
	from, to, with := Join(text, set)
	e := Edit{From: from, To: to, Text: with}
	lines := linesOf(set, line)
	shown := inner.Short(set[0].Shown, 24)
	if len(lines) == 1 {
		before := ""
		if at := set[0].Begin; at > 0 && at < from {
			before = text[at:from]
		}
		e.Change = fmt.Sprintf("`%s` left out in %d places: `%s`", shown, len(set), inner.Short(before+e.Text, 28))
		return e
	}
	e.Change = fmt.Sprintf("`%s` left out in %d places, in lines %s", shown, len(set), listed(lines))
	return e
}

// Join makes changes one, which goes from the first to the last of them. They are in order, and apart.
func Join(text string, all []Place) (from, to int, with string) {
	var b strings.Builder
	from, to = all[0].From, all[len(all)-1].To
	at := from
	for _, p := range all {
		b.WriteString(text[at:p.From])
		b.WriteString(p.Text)
		at = p.To
	}
	return from, to, b.String()
}

// listed are numbers as people say them.
func listed(lines []int) string {
	var parts []string
	for _, n := range lines[:min(len(lines), most)] {
		parts = append(parts, fmt.Sprint(n))
	}
	if len(lines) > most {
		return strings.Join(parts[:most-1], ", ") + ", …"
	}
	return strings.Join(parts[:len(parts)-1], ", ") + " and " + parts[len(parts)-1]
}
