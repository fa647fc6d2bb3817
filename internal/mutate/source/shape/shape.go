// Package shape changes how the statements of a program stand to each other. Two loops become one, so that what was to
// be done with all is done with each before the next one is looked at. What is made once before a loop is made anew in
// each round. Nested loops are swapped, and what works a list off does so once. All statements are still there: only a
// scenario whose data has the right order shows such a change.
//
// What is in which file: tree.go has the statements and what stands in them; joined.go makes one of two loops, anew.go
// makes things anew, levels.go goes through a list of lists depth first, least.go swaps loops and lets them run once;
// shell.go does all of it for scripts of a shell.
package shape

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// Bounds of the changes of a file and of those of one kind, of the statements that are looked at around a loop, of the
// loops of a file, of how deep they stand, of the tokens of one, of the spaces before a line, and of the assignments of a
// script. They keep the work linear.
const (
	mostOfFile = 12
	mostOfKind = 6
	mostNear   = 8
	mostLoops  = 300
	mostDepth  = 30
	mostTokens = 2000
	mostMargin = 400
	mostSets   = 300
)

// A finder finds the changes of a file.
type finder struct {
	*group.Finder
	nodes []*node
	loops []*loop
	all   int // how many changes were made,
	kind  int // and how many of the kind that is looked for
}

// Find changes the shape of a file. Add of the finder is not called, but add is.
func Find(g *group.Finder, shell bool, add func(from, to int, with, change string)) {
	f := &finder{Finder: g}
	g.Add = func(from, to int, with, change string) {
		if f.all < mostOfFile && f.kind < mostOfKind && to-from <= g.Span {
			f.all++
			f.kind++
			add(from, to, with, inner.Short(change, 80))
		}
	}
	kinds := []func(){f.filled, f.joined, f.renewed, f.keyed, f.levels, f.swapped, f.worked}
	switch {
	case shell:
		kinds = f.script()
	case g.Worded:
		return // the ends of its blocks are not known here
	default:
		f.tree()
	}
	for _, find := range kinds {
		if f.kind = 0; f.all < mostOfFile {
			find()
		}
	}
}

// full reports whether no more changes are looked for.
func (f *finder) full() bool { return f.all >= mostOfFile || f.kind >= mostOfKind }

func place(from, to int, text string) group.Place { return group.Place{From: from, To: to, Text: text} }

// line is the line of a byte.
func (f *finder) line(at int) int { return 1 + strings.Count(f.Text[:at], "\n") }

func short(s string, n int) string { return inner.Short(s, n) }

// margin is what stands before a byte on its line, "" with false where that is not only spaces.
func (f *finder) margin(at int) (string, bool) {
	low := max(0, at-mostMargin)
	newline := strings.LastIndexByte(f.Text[low:at], '\n')
	if newline < 0 && low > 0 {
		return "", false
	}
	m := f.Text[low+newline+1 : at]
	return m, strings.Trim(m, " \t") == ""
}
