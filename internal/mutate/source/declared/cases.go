package declared

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// A clause is one of a switch or a select: from its word to the sign behind what it is for, and to its end.
type clause struct{ first, sign, last int }

// clauses leaves out one of a switch or a select, and one of what a clause is for.
func (f *finder) clauses() {
	if f.Indented {
		f.matches()
		return
	}
	if f.Worded {
		return
	}
	for i := 0; i < f.Len() && !f.full(); i++ {
		if !f.word(i, "switch") && !(f.Bare && f.word(i, "select")) {
			continue
		}
		open := i + 1
		for n := 0; n < mostTokens && open < f.Len() && f.At(open) != "{"; n++ {
			if m := f.Mate(open); m > open {
				open = m
			}
			open++
		}
		if f.At(open) != "{" || f.Mate(open) < open {
			continue
		}
		list, standard := f.split(open)
		for n, c := range list {
			if f.word(c.first, "default") && !f.word(i, "select") {
				continue
			}
			f.alternatives(c)
			if len(list) < 2 || !standard && (f.Ended || f.At(c.sign) == "->") {
				continue
			}
			last := c.last
			if n > 0 && list[n-1].sign+1 == list[n-1].last && !f.Bare {
				last = c.sign + 1 // what is before it has the same statements
			}
			from, to := f.Bytes(c.first, last)
			if last == c.last { // and what is before the next one
				to, _ = f.Bytes(c.last, c.last+1)
			}
			f.Add(from, to, "", "`"+inner.Short(f.Slice(c.first, c.sign+1), 60)+"` left out")
		}
	}
}

// split are the clauses in a bracket, and whether one is for all else.
func (f *finder) split(open int) (list []clause, standard bool) {
	mate := f.Mate(open)
	for i := open + 1; i <= mate; i++ {
		if m := f.Mate(i); m > i {
			i = m
			continue
		}
		begins := i < mate && (f.word(i, "case") || f.word(i, "default") && (f.At(i+1) == ":" || f.At(i+1) == "->"))
		if n := len(list); n > 0 && (begins || i == mate) {
			list[n-1].last = i
		}
		if begins {
			standard = standard || f.word(i, "default")
			list = append(list, clause{first: i, sign: -1})
		} else if n := len(list); n > 0 && list[n-1].sign < 0 && (f.At(i) == ":" || f.At(i) == "->") {
			list[n-1].sign = i
		}
		if begins && f.word(i, "default") {
			list[len(list)-1].sign = i + 1
		}
	}
	for _, c := range list {
		if c.sign < 0 || c.last <= c.sign {
			return nil, false
		}
	}
	return list, standard
}

// alternatives leaves out each of several that a clause is for.
func (f *finder) alternatives(c clause) {
	var list [][2]int
	start := c.first + 1
	for i := start; i <= c.sign; i++ {
		if m := f.Mate(i); m > i {
			i = m
			continue
		}
		if i == c.sign || f.At(i) == "," {
			if start < i {
				list = append(list, [2]int{start, i})
			}
			start = i + 1
		}
	}
	if f.Script || len(list) < 2 || len(list) > mostOfKind {
		return
	}
	for n := range list {
		f.member(c.first, list, n)
	}
}

// matches lets a clause of a match hold for nothing, and leaves out one of the patterns that | joins.
func (f *finder) matches() {
	for n := 0; !f.full(); n++ {
		c, ok := f.caseAt(n)
		if !ok {
			return
		}
		if c.sign < 0 {
			continue
		}
		if c.last == c.sign && f.Slice(c.first+1, c.sign) != "_" {
			at, _ := f.Bytes(c.sign, c.sign+1)
			from, _ := f.Bytes(c.first, c.first+1)
			f.Add(at, at, " if False", "`"+inner.Short(f.Text[from:at], 60)+"` never")
		}
		for i := c.first + 1; i < c.last; i++ {
			if f.At(i) != "|" {
				continue
			}
			end := i + 1
			for end < c.last && f.At(end) != "|" && f.At(end) != "," && f.At(end) != ")" && f.At(end) != "]" && f.At(end) != "}" && !f.word(end, "as") {
				if m := f.Mate(end); m > end {
					end = m
				}
				end++
			}
			_, from := f.Bytes(i-1, i)
			_, to := f.Bytes(end-1, end)
			f.leave(from, to, f.Slice(i+1, end))
			begin := i - 1
			for begin > c.first {
				if m := f.Mate(begin); m >= 0 && m < begin {
					begin = m - 1
					continue
				}
				if s := f.At(begin); s == "|" || s == "," || s == "(" || s == "[" || s == "{" || s == ":" {
					break
				}
				begin--
			}
			if f.At(begin) != "|" && begin+1 < i {
				from, _ = f.Bytes(begin+1, begin+2)
				to, _ = f.Bytes(i+1, i+2)
				f.leave(from, to, f.Slice(begin+1, i))
			}
		}
	}
}

// caseAt is the head of the n-th statement where it is a clause of a match: its word, its colon, and the end of its
// pattern, which is the if of a guard or the colon. The sign is -1 for another statement.
func (f *finder) caseAt(n int) (c clause, ok bool) {
	if n >= f.statements() {
		return clause{}, false
	}
	s := f.Statement(n)
	none := clause{sign: -1}
	if !f.word(s.First, "case") || f.At(s.First+1) == ":" || f.At(s.First+1) == "=" || !strings.Contains(f.Text, "match ") {
		return none, true
	}
	c = clause{s.First, -1, -1}
	for i := s.First + 1; i <= s.Last && i < f.Len(); i++ { // of a short one the statement is on the same line
		switch m := f.Mate(i); {
		case m > i:
			i = m
		case f.word(i, "if") && c.last < 0:
			c.last = i
		case f.At(i) == ":":
			if c.sign = i; c.last < 0 {
				c.last = i
			}
			return c, true
		}
	}
	return none, true
}

// statements is how many there are.
func (f *finder) statements() int {
	if f.known == 0 {
		for i := range f.Len() {
			f.known = max(f.known, f.Around(i)+1)
		}
	}
	return f.known
}

// kinds are the classes whose pattern is one of a whole value.
var kinds = map[string][]string{
	"int": {"float", "str"}, "str": {"int"}, "float": {"int"}, "bool": {"int"}, "list": nil, "dict": nil, "tuple": {"list"}, "bytes": {"str"}, "set": nil,
}

// patterns changes those of a match: a class that is any other, and a star that is left out.
func (f *finder) patterns() {
	for n := 0; !f.full(); n++ {
		c, ok := f.caseAt(n)
		if !ok {
			return
		}
		if c.sign < 0 {
			continue
		}
		for i := c.first + 1; i < c.last; i++ {
			open := f.Mate(i) > i
			switch {
			case open && f.At(i) == "(" && f.Word(i-1):
				f.class(i)
			case open && f.At(i) == "[":
				for n, a := range f.Args(i) {
					if f.At(a[0]) == "*" && f.At(a[0]+1) == "_" && a[1] == a[0]+2 {
						f.member(i, f.Args(i), n)
					}
				}
			}
		}
	}
}

// class changes a pattern of a class.
func (f *finder) class(open int) {
	name, mate := f.At(open-1), f.Mate(open)
	others, is := kinds[name]
	if !is || f.Member(open-1) {
		return
	}
	first, last := open-1, mate+1
	as := ""
	switch a := f.Args(open); {
	case len(a) == 0 && f.word(last, "as") && f.Word(last+1):
		as, last = " as "+f.At(last+1), last+2
	case len(a) == 1 && a[0][1] == a[0][0]+1 && f.Word(a[0][0]) && f.At(a[0][0]) != "_":
		as = " as " + f.At(a[0][0])
	case len(a) > 0:
		return
	}
	from, to := f.Bytes(first, last)
	shown := f.Text[from:to]
	f.Add(from, to, strings.TrimSpace("object()"+as), "`"+inner.Short(shown, 40)+"` is any value")
	for _, other := range others {
		f.Add(from, to, "("+name+"() | "+other+"())"+as, "`"+inner.Short(shown, 40)+"` is "+other+", too")
	}
}
