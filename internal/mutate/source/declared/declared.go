package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
	"github.com/scenario-lang/scenario/internal/mutate/source/group"
	"github.com/scenario-lang/scenario/internal/mutate/source/selector"
)

// Bounds of the changes of a file and of those of one kind, and of the tokens that are looked at behind one. They keep
// the work linear.
const (
	mostOfFile = 40
	mostOfKind = 8
	mostTokens = 400
)

// A finder finds the changes of a file.
type finder struct {
	*group.Finder
	all, kind int   // how many changes were made, and how many of the kind that is looked for
	known     int   // how many statements there are, 0 before they are counted
	ups       []int // the bracket around each token, nil before it is asked for
}

// Find makes the changes of a file. Add of the finder is not called, but add is.
func Find(g *group.Finder, shell bool, add func(from, to int, with, change string)) {
	f := &finder{Finder: g}
	g.Add = func(from, to int, with, change string) {
		if f.all < mostOfFile && f.kind < mostOfKind && from >= 0 && to-from <= g.Span {
			f.all++
			f.kind++
			add(from, to, with, inner.Short(change, 80))
		}
	}
	kinds := []func(){f.imports, f.clauses, f.labels, f.selectors}
	switch {
	case shell:
		kinds = f.script()
	case g.Bare:
		kinds = append(kinds, f.tags, f.directives, f.counted)
	case g.Indented:
		kinds = append(kinds, f.patterns, f.annotations, f.scopes, f.suppressed, f.generated, f.spread, f.conversions)
	case g.Script:
		kinds = append(kinds, f.flags, f.assertions, f.nothing, f.optional, f.tagged, f.spread)
	case g.Ended:
		kinds = append(kinds, f.modifiers, f.resources, f.guards)
	}
	for _, find := range kinds {
		if f.kind = 0; f.all < mostOfFile {
			find()
		}
	}
}

// full reports whether no more changes are looked for.
func (f *finder) full() bool { return f.all >= mostOfFile || f.kind >= mostOfKind }

// leave leaves out some bytes; shown is what is said of them.
func (f *finder) leave(from, to int, shown string) {
	f.Add(from, to, "", inner.Without(strings.TrimSpace(shown)))
}

// put makes some bytes of an expression others.
func (f *finder) put(from, to int, with string, around, end int) {
	f.Add(from, to, with, inner.Within(f.Text, around, end, from, to, with))
}

// swap puts a text in the place of tokens.
func (f *finder) swap(first, last int, with string) {
	from, to := f.Bytes(first, last)
	f.Add(from, to, with, inner.Instead(f.Text[from:min(to, from+1000)], with))
}

// word reports whether a token is this word, and no member of that name.
func (f *finder) word(i int, w string) bool {
	return i >= 0 && i < f.Len() && f.Word(i) && f.At(i) == w && !f.Member(i)
}

// joined reports whether nothing stands before a token.
func (f *finder) joined(i int) bool {
	if i <= 0 || i >= f.Len() {
		return false
	}
	_, before := f.Bytes(i-1, i)
	from, _ := f.Bytes(i, i+1)
	return before == from
}

// sameLine reports whether two tokens side by side stand on one line.
func (f *finder) sameLine(i int) bool {
	if i+1 >= f.Len() {
		return false
	}
	_, from := f.Bytes(i, i+1)
	to, _ := f.Bytes(i+1, i+2)
	return !strings.Contains(f.Text[from:to], "\n")
}

// text is what stands in the quotes of a token, and its first byte, "" where it is no text.
func (f *finder) text(i int) (s string, from int) {
	s = f.At(i)
	at := strings.IndexAny(s, "\"'`")
	if at < 0 || at > 2 || len(s) < at+2 || s[len(s)-1] != s[at] || f.Word(i) {
		return "", 0
	}
	from, _ = f.Bytes(i, i+1)
	n := at + 1
	if triple := strings.Repeat(s[at:at+1], 3); len(s) >= at+6 && strings.HasPrefix(s[at:], triple) && strings.HasSuffix(s, triple) {
		n = at + 3
	}
	return s[n : len(s)-(n-at)], from + n
}

// member leaves out one of what stands in a bracket between commas.
func (f *finder) member(open int, list [][2]int, n int) {
	from, to := f.Bytes(list[n][0], list[n][1])
	shown := f.Text[from:to]
	switch {
	case n > 0:
		_, from = f.Bytes(list[n-1][0], list[n-1][1])
	case len(list) > 1:
		to, _ = f.Bytes(list[1][0], list[1][1])
	default:
		_, from = f.Bytes(open, open+1)
		to, _ = f.Bytes(f.Mate(open), f.Mate(open)+1)
	}
	f.leave(from, to, shown)
}

// libraries have the same functions as another one that does less, or is less strict.
var libraries = map[string]string{
	"html/template": "text/template", "node:assert/strict": "node:assert", "node:assert": "node:assert/strict",
	"assert/strict": "assert", "assert": "assert/strict",
}

// imports takes a library for one that has the same functions.
func (f *finder) imports() {
	for i := 0; i < f.Len() && !f.full(); i++ {
		switch {
		case f.Indented && f.word(i, "defusedxml") && f.word(i+2, "ElementTree") && (f.word(i-1, "from") || f.word(i-1, "import") && f.word(i+3, "as")):
			f.swap(i, i+1, "xml.etree")
		case f.Script && f.word(i, "strict") && f.word(i+1, "as") && (f.At(i-1) == "{" || f.At(i-1) == ","):
			f.swap(i, i+1, "default")
		case f.Bare || f.Script:
			s, from := f.text(i)
			with := libraries[s]
			if with == "" || f.Script && !f.word(i-1, "from") && !(f.At(i-1) == "(" && (f.word(i-2, "import") || f.word(i-2, "require"))) {
				continue
			}
			if f.Bare && !f.imported(i) {
				continue
			}
			if f.Script && with != "node:assert" && with != "assert" && strings.Contains(f.Text, "strict as ") {
				continue
			}
			f.Add(from, from+len(s), with, inner.Instead(s, with))
		}
	}
}

// imported reports whether a text is one that Go imports.
func (f *finder) imported(i int) bool {
	n := f.Around(i)
	return n >= 0 && f.At(f.Statement(n).First) == "import" || f.word(i-1, "import") || f.word(i-2, "import")
}

// labels leaves out the label behind break and continue.
func (f *finder) labels() {
	if f.Indented || f.Worded {
		return
	}
	for i := 0; i+1 < f.Len() && !f.full(); i++ {
		if !f.word(i, "break") && !f.word(i, "continue") || !f.Word(i+1) || !f.sameLine(i) || f.At(i+1) == "case" || f.At(i+1) == "default" {
			continue
		}
		_, from := f.Bytes(i, i+1)
		_, to := f.Bytes(i+1, i+2)
		label, uses, at := f.At(i+1), 0, -1
		for n := range f.Len() {
			switch {
			case !f.word(n, label):
			case f.At(n+1) == ":" && at < 0:
				at = n
			case f.word(n-1, "break"), f.word(n-1, "continue"), f.word(n-1, "goto"):
				uses++
			}
		}
		shown := "`" + f.At(i) + " " + label + "` without its label"
		if f.Bare && uses == 1 && at >= 0 && at < i { // Go refuses one that nothing uses
			a, b := f.Bytes(at, at+2)
			f.AtOnce([]group.Place{{From: a, To: b}, {From: from, To: to}}, shown)
			continue
		}
		f.Add(from, to, "", shown)
	}
}

// selectors changes texts that choose: a predicate of XPath, a glob, an argument of GraphQL.
func (f *finder) selectors() {
	for i := 0; i < f.Len() && !f.full(); i++ {
		s, from := f.text(i)
		if s == "" || f.Quiet(i) || len(s) > 2000 {
			continue
		}
		for _, c := range selector.Of(s) {
			f.put(from+c.From, from+c.To, c.Text, from, from+len(s))
		}
	}
}
