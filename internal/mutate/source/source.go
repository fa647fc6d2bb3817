package source

import (
	"bytes"
	"cmp"
	"slices"
	"sort"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/declared"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/part"
	"github.com/scenario-lang/scenario/internal/mutate/source/shape"
	"github.com/scenario-lang/scenario/internal/mutate/source/simpler"
)

// limit bounds the files that are read: what is larger was generated.
const limit = 256 << 10

// reach bounds how many tokens are looked at on each side of one, and span how
// many bytes a change may hold: so the work stays linear in the size of a file.
const (
	reach = 400
	span  = 4 << 10
)

// A Mutant is one change of a source file.
type Mutant struct {
	// Operator is the name of what made the change, one of Operators.
	Operator string
	// Line is the line of the first byte that is changed, the first one is 1.
	Line int
	// From and To are the bytes that are replaced; both are the same where
	// something is put in.
	From, To int
	// Text takes their place.
	Text string
	// Change says what is changed, on one line of at most 80 characters.
	Change string
}

// Apply is the text with the change in it. The text itself stays as it is.
func (m Mutant) Apply(text []byte) []byte {
	from := min(max(m.From, 0), len(text))
	to := min(max(m.To, from), len(text))
	out := make([]byte, 0, len(text)+len(m.Text))
	out = append(out, text[:from]...)
	out = append(out, m.Text...)
	return append(out, text[to:]...)
}

// An Operator is a kind of change.
type Operator struct {
	// Name is what mutants call it.
	Name string
	// Summary says in a few words what it changes.
	Summary string
}

// Operators are all kinds of changes, those that say most about a scenario first.
func Operators() []Operator {
	return []Operator{
		{"condition", "a condition always or never holds, or one side of it is left out"},
		{"statement", "a statement is left out"},
		{"order", "two neighbouring statements are swapped"},
		{"argument", "a named argument of a call or a member of a literal is left out"},
		{"call", "a call that only converts or limits is left out, or a sum is rounded and not what is added"},
		{"together", "the same call is left out in several places at once, or two that undo each other are"},
		{"related", "a function, option, key or part of a pattern is what is taken for it"},
		{"declaration", "a tag, a type that is read, a case, a pattern, a modifier or a flag is left out or another one"},
		{"format", "the width, the sign or the precision of a format, or a part of a date, is left out"},
		{"compare", "a comparison is another one: < is <=, == is !="},
		{"number", "a number is another one"},
		{"arithmetic", "an arithmetic operator is another one"},
		{"boolean", "true is false, false is true"},
		{"text", "a text is empty"},
		{"part", "a call is what it is given, or what its method is called on"},
		{"shape", "two loops are one, inner loops outer ones, or what is made once is made in each round"},
		{"next", "what a key, a hash or a load chooses is the next in turn, or what keys keep apart is one list"},
	}
}

// Known reports whether a file is of a language that is known: by the end of its
// name, or by its first line where its name has none.
func Known(name string, text []byte) bool { return languageOf(name, text) != nil }

// Legible reports whether a file can be read: it is of a language that is known, not larger than 256 KiB, and its
// brackets and quotes match.
func Legible(name string, text []byte) bool {
	f := read(name, text)
	if f == nil || !f.lang.shell {
		return f != nil
	}
	return len(Mutants(name, append(bytes.Clone(text), "\nx=41\n"...))) > 0
}

// Mutants are the changes of a file, in the order of operators and then of lines.
// It is nil for a language that is not known, for what is larger than 256 KiB, and
// for a text whose brackets or quotes do not match.
func Mutants(name string, text []byte) []Mutant { return mutants(name, text, 0) }

// mutants are those of a program that stands in depth others.
func mutants(name string, text []byte, depth int) []Mutant {
	f := mutated(name, text, depth)
	if f == nil {
		return nil
	}
	return f.mutants
}

// mutated is a file with all its changes, nil for one that cannot be read.
func mutated(name string, text []byte, depth int) *file {
	f := read(name, text)
	if f == nil {
		return nil
	}
	f.depth = depth
	if f.lang.shell {
		f.shellMutants()
	} else {
		f.conditions()
		f.operands()
		f.setSides()
		f.leftOut()
		f.finally()
		f.caught()
		f.once()
		f.unawaited()
		f.overrides()
		f.apart()
		f.swaps()
		f.arguments()
		f.calls()
		f.limits()
		f.joined()
		f.constantly()
		f.sums()
		f.loopSums()
		f.related()
		f.aliases()
		f.formats()
		f.values()
		f.innerTexts()
		f.finder().All()
	}
	f.groups()
	if !f.lang.shell {
		f.parts().All()
	}
	shape.Find(f.finder(), f.lang.shell, func(from, to int, with, change string) { f.add("shape", from, to, with, change) })
	simpler.Find(f.finder(), f.lang.shell, f.add)
	declared.Find(f.finder(), f.lang.shell, func(from, to int, with, change string) { f.add("declaration", from, to, with, change) })
	rank := map[string]int{}
	for i, o := range Operators() {
		rank[o.Name] = i
	}
	slices.SortStableFunc(f.mutants, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(rank[a.Operator], rank[b.Operator]), cmp.Compare(a.From, b.From), cmp.Compare(b.To, a.To))
	})
	return f
}

// A file is one that was read.
type file struct {
	lang       *language
	text       []byte
	source     string // the same
	lines      []int  // where each line begins
	tokens     []token
	statements []statement
	owner      []int  // the innermost statement of each token, -1 for none
	quiet      []bool // tokens that are not changed
	mutants    []Mutant
	seen       map[edit]bool
	mentioned  map[string]bool // what was looked for in all of the text
	unlisted   map[string]bool // names of sets, nil before they are asked for
	rounders   map[string]bool // functions of the file that round, nil before they are asked for
	returns    map[string]returned
	depth      int             // how many programs are around
	pures      map[string]bool // functions of the file that map one value, nil before they are asked for
	places     []group.Place   // where a call can be left out
	together   int             // the statements of SQL that were put together
	called     []part.Call     // the commands of a script
}

type edit struct {
	from, to int
	text     string
}

// read is nil where a file is of no language that is known, or cannot be read.
func read(name string, text []byte) *file {
	lang := languageOf(name, text)
	if lang == nil || len(text) > limit {
		return nil
	}
	f := &file{lang: lang, text: text, source: string(text), lines: []int{0}, seen: map[edit]bool{}}
	for i, c := range text {
		if c == '\n' {
			f.lines = append(f.lines, i+1)
		}
	}
	if lang.shell {
		return f
	}
	tokens, ok := lex(lang, text)
	if !ok {
		return nil
	}
	f.tokens = tokens
	f.quiet = make([]bool, len(tokens))
	f.split()
	f.hush()
	return f
}

// line is the line of a byte.
func (f *file) line(offset int) int { return sort.SearchInts(f.lines, offset+1) }

// add keeps a change, unless it changes nothing, or another one is the same.
func (f *file) add(operator string, from, to int, text, change string) {
	if from < 0 || to < from || to > len(f.text) || f.source[from:to] == text || to-from > span {
		return
	}
	key := edit{from, to, text}
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.mutants = append(f.mutants, Mutant{operator, f.line(from), from, to, text, change})
}

// brief is a part of the text, of a long one the beginning: enough to show.
func (f *file) brief(from, to int) string { return f.source[from:min(to, from+1000)] }

// short is a text on one line of at most n characters.
func short(text string, n int) string { return inner.Short(text, n) }

// without says that a text is left out.
func without(text string) string { return inner.Without(text) }

// side is how many characters of a change are shown before and after it.
const side = 36

// instead says that a text stands in the place of another one.
func instead(before, after string) string { return inner.Instead(before, after) }

// within says that a part of an expression is another one: the bytes from a to b of
// those from `from` to `to`.
func (f *file) within(from, to, a, b int, text string) string {
	return inner.Within(f.source, from, to, a, b, text)
}
