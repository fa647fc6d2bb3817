package source

import "github.com/scenario-lang/scenario/internal/mutate/source/group"

// leave notes that a call can be left out: its token, the bytes that are replaced, and what takes their place. All
// calls with one key are left out at once.
func (f *file) leave(key, shown string, i, from, to int, with string) {
	p := group.Place{Key: key, Shown: shown, From: from, To: to, Text: with, Statement: -1 - i, Function: 0}
	if s := f.owner[i]; s >= 0 {
		p.Statement, p.Function = s, f.statements[s].scope+1
	}
	f.places = append(f.places, p)
}

// A view is a file as what finds what belongs together sees it.
type view struct{ *file }

func (v view) Len() int                             { return len(v.tokens) }
func (v view) At(i int) string                      { return v.at(i) }
func (v view) Word(i int) bool                      { return v.kindAt(i) == word }
func (v view) Member(i int) bool                    { return v.isMember(i) }
func (v view) Quiet(i int) bool                     { return v.quiet[i] }
func (v view) Chain(i int) int                      { return v.chain(i) }
func (v view) Args(open int) [][2]int               { return v.args(open) }
func (v view) Used(first, last int) bool            { return v.used(first, last) }
func (v view) Declares(i int) bool                  { return v.declares(i) }
func (v view) Slice(first, last int) string         { return v.slice(first, last) }
func (v view) Wrapped(first, last int) string       { return v.wrapped(first, last) }
func (v view) Bytes(first, last int) (from, to int) { return v.bytes(first, last) }
func (v view) Around(i int) int                     { return v.owner[i] }
func (v view) Mate(i int) int {
	if v.kindAt(i) != opening && v.kindAt(i) != closing {
		return -1
	}
	return v.tokens[i].Mate
}

func (v view) Statement(n int) group.Statement {
	s := v.statements[n]
	return group.Statement{First: s.first, Last: s.last, Scope: s.scope, Head: s.head}
}

func (v view) Assigned(n int) (names []string, sign int) {
	s := v.statements[n]
	if sign = v.assignment(s.first, s.last); sign < 0 {
		return nil, sign
	}
	return v.targets(s, sign), sign
}

// finder finds what belongs together.
func (f *file) finder() *group.Finder {
	l := f.lang
	return &group.Finder{
		Code: view{f}, Text: f.source, Span: span, Indented: l.indented, Script: l.tick == 't', Bare: l.bare, Ended: l.ended, Worded: l.worded,
		Add: func(from, to int, with, change string) { f.add("together", from, to, with, change) },
	}
}

// groups leaves out all calls of one name that were noted, and makes one of what is changed in the same way at several places.
func (f *file) groups() {
	for _, e := range group.Of(f.source, f.places, span, f.line) {
		f.add("together", e.From, e.To, e.Text, e.Change)
	}
	var places []group.Place // what is the same for a part of a text that is put together
	for _, m := range f.mutants {
		if m.Operator == "related" && m.To-m.From < 200 {
			key := m.Change + "\x00" + f.source[m.From:m.To] + "\x00" + m.Text
			places = append(places, group.Place{Key: key, Shown: m.Change, From: m.From, To: m.To, Text: m.Text})
		}
	}
	for _, e := range group.Repeated(f.source, places, span, f.line) {
		f.add("together", e.From, e.To, e.Text, e.Change)
	}
}

// withoutMethod notes a method that can be left out, from its point to the end of its arguments.
func (f *file) withoutMethod(name, end, from, to int) {
	arguments := "()"
	if end > name+1 {
		arguments = f.slice(name+1, end)
	}
	f.leave("."+f.at(name)+arguments, "."+f.at(name)+arguments, name, from, to, "")
	f.places[len(f.places)-1].Begin = f.tokens[f.chain(name)].From
}

// withoutFunction notes a call that can be left out, whose argument a stays.
func (f *file) withoutFunction(name string, open int, a [2]int, from, to int, with string) {
	others := f.source[f.tokens[open].To:f.tokens[a[0]].From] + "…" + f.source[f.tokens[a[1]-1].To:to]
	f.leave(name+"("+others, name+"("+others, open, from, to, with)
}

// own notes a call of a function of the file that maps one value.
func (f *file) own(open int) {
	name, first := f.at(open-1), open-1
	if f.isMember(first) {
		if first -= 2; !f.isWord(first, "self") && !f.isWord(first, "this") {
			return
		}
	}
	if !f.single(open) || f.declares(open-1) || !f.pure(name) || !f.used(first, f.tokens[open].Mate+1) {
		return
	}
	from, to := f.bytes(first, f.tokens[open].Mate+1)
	a := f.args(open)[0]
	f.withoutFunction(name, open, a, from, to, f.wrapped(a[0], a[1]))
}
