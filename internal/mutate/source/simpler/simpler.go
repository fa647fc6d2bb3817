package simpler

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// Bounds of the changes of a file and of those of one kind, of the statements that are looked at around one, of the
// tokens of one, and of those that give a name another name's value. They keep the work linear.
const (
	mostOfFile = 16
	mostOfKind = 6
	mostNear   = 24
	mostTokens = 400
	mostAsides = 400
)

// The operators of the changes.
const (
	next     = "next"
	together = "together"
)

// A finder finds the changes of a file.
type finder struct {
	*group.Finder
	ups       []int  // the bracket around each token, -1 for none
	operator  string // that of the kind that is looked for
	all, kind int    // how many changes were made, and how many of the kind that is looked for
	turns     int    // how many names a program counts with
	// statements is how many there are, and asides how many may put something in its place.
	statements, asides int
	// turned is how many names were looked for that are doubled.
	turned int
}

// Find makes the changes of a file. Add of the finder is not called, but add is.
func Find(g *group.Finder, shell bool, add func(operator string, from, to int, with, change string)) {
	f := &finder{Finder: g}
	g.Add = func(from, to int, with, change string) {
		if f.all < mostOfFile && f.kind < mostOfKind && from >= 0 && to-from <= g.Span {
			f.all++
			f.kind++
			add(f.operator, from, to, with, inner.Short(change, 80))
		}
	}
	type kind struct {
		operator string
		find     func()
	}
	kinds := []kind{{next, f.remainders}, {next, f.indices}, {next, f.least}, {next, f.grouped}, {together, f.carried}, {together, f.aside}, {arithmetic, f.doubled}}
	if shell {
		kinds = []kind{{next, f.script}, {arithmetic, f.doubledInScript}}
	} else {
		f.around()
	}
	for _, k := range kinds {
		if f.operator, f.kind = k.operator, 0; f.all < mostOfFile {
			k.find()
		}
	}
}

func place(from, to int, text string) group.Place { return group.Place{From: from, To: to, Text: text} }

func short(s string, n int) string { return inner.Short(s, n) }

// around notes the bracket around each token, and how many statements there are.
func (f *finder) around() {
	f.ups = make([]int, f.Len())
	up := -1
	for i := range f.ups {
		f.statements = max(f.statements, f.Around(i)+1)
		if m := f.Mate(i); m >= 0 && m < i && up >= 0 {
			up = f.ups[up]
		}
		if f.ups[i] = up; f.Mate(i) > i {
			up = i
		}
	}
}

// call reports whether a bracket is that of the arguments of a call, and no declaration.
func (f *finder) call(open int) bool {
	return f.At(open) == "(" && f.Mate(open) > open && f.Word(open-1) && !f.Quiet(open) && !f.Declares(open-1)
}

// end is the token behind an operand that begins with one: names, members, and what is called or looked up.
func (f *finder) end(i int) int {
	if f.At(i) == "-" || f.At(i) == "await" || f.At(i) == "new" || f.At(i) == "&" || f.At(i) == "*" {
		i++
	}
	if m := f.Mate(i); m > i {
		i = m
	}
	for i++; i < f.Len(); {
		switch {
		case f.At(i) == "." || f.At(i) == "?." || f.At(i) == "::" || f.At(i) == "&.":
			i += 2
		case (f.At(i) == "(" || f.At(i) == "[") && f.Mate(i) > i && f.joined(i):
			i = f.Mate(i) + 1
		default:
			return i
		}
	}
	return i
}

// joined reports whether nothing stands before a token.
func (f *finder) joined(i int) bool {
	if i == 0 {
		return false
	}
	_, before := f.Bytes(i-1, i)
	from, _ := f.Bytes(i, i+1)
	return before == from
}

// names reports whether one of some names is used among tokens.
func (f *finder) names(first, last int, names ...string) bool {
	for i := first; i < min(last, first+mostTokens); i++ {
		if f.Word(i) && !f.Member(i) {
			for _, n := range names {
				if f.At(i) == n {
					return true
				}
			}
		}
	}
	return false
}

// path reports whether tokens are a name, or the member of one: cache, self.cache, this.#cache, @cache.
func (f *finder) path(first, last int) bool {
	if first >= last || last-first > 9 {
		return false
	}
	s := strings.TrimLeft(f.Slice(first, last), "@$")
	for part := range strings.SplitSeq(s, ".") {
		if part = strings.TrimPrefix(part, "#"); part == "" || strings.ContainsFunc(part, func(c rune) bool { return c < 128 && !word(byte(c)) }) || part[0] <= '9' {
			return false
		}
	}
	return true
}

func word(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}
