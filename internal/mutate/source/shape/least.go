package shape

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// swapped lets the inner one of two loops be the outer one.
func (f *finder) swapped() {
	for _, in := range f.loops {
		if f.full() {
			return
		}
		out := in.up
		if in.while || out == nil || !out.head || len(out.kids) != 1 || f.next(in.node, "else") || f.next(out, "else") {
			continue
		}
		outer := f.loop(out)
		switch {
		case outer == nil && f.Indented && f.At(out.first) == "with" && !strings.Contains(f.Slice(out.first, out.last), "open("):
			if _, held, is := strings.Cut(f.Slice(out.first, out.last), " as "); !is || f.words(in.first, in.last, []string{strings.TrimSpace(held)}) {
				continue
			}
		case outer == nil || outer.while || outer.counted || in.counted || outer.names == "":
			continue
		case f.listed(in, outer):
			continue
		}
		a1, a2 := f.Bytes(out.first, out.last)
		b1, b2 := f.Bytes(in.first, in.last)
		f.AtOnce([]group.Place{place(a1, a2, f.Text[b1:b2]), place(b1, b2, f.Text[a1:a2])}, "`"+short(f.Text[b1:b2], 34)+"` around `"+short(f.Text[a1:a2], 34)+"`")
	}
}

// next reports whether a word begins what stands behind a node.
func (f *finder) next(x *node, word string) bool {
	list := f.siblings(x)
	return x.index+1 < len(list) && f.At(list[x.index+1].first) == word
}

// listed reports whether what a loop goes through has a name of the loop around it.
func (f *finder) listed(in, outer *loop) bool {
	var names []string
	for i := outer.first; i < outer.last; i++ {
		if from, to := f.Bytes(i, i+1); f.Word(i) && from >= outer.namesFrom && to <= outer.namesTo {
			names = append(names, f.At(i))
		}
	}
	return f.words(in.first, in.last, names)
}

// A keeping is a statement that keeps something under a key: table[key] = x.
type keeping struct {
	*node
	table, key string
}

// kept is what a statement keeps, nil where it keeps nothing.
func (f *finder) kept(x *node) *keeping {
	if x.head || x.last-x.first < 5 {
		return nil
	}
	for i := x.first + 1; i < x.last && i < x.first+10; i++ {
		switch {
		case f.At(i) == "[" && f.Mate(i) > i && f.At(f.Mate(i)+1) == "=" && f.Mate(i) > i+1:
			return &keeping{x, f.Slice(x.first, i), f.Slice(i+1, f.Mate(i))}
		case f.At(i) == "(" && (f.At(i-1) == "set" && f.Script || f.At(i-1) == "put" && f.Ended) && f.At(i-2) == "." && i-2 > x.first:
			if args := f.Args(i); len(args) == 2 {
				return &keeping{x, f.Slice(x.first, i-2), f.Slice(args[0][0], args[0][1])}
			}
		}
	}
	return nil
}

// keyed takes out of a table at once what was just put there, and does not wait for the one whose turn it is.
func (f *finder) keyed() {
	for _, l := range f.loops {
		if f.full() {
			return
		}
		list := f.siblings(l.node)
		if l.close == 0 || l.counted || !l.while && !f.Bare || !f.takes(l.node) {
			continue
		}
		for k := l.index - 1; k >= 0 && k >= l.index-3 && k < len(list); k-- {
			a := f.kept(list[k])
			if a == nil || len(a.key) > 100 {
				continue
			}
			var places []group.Place
			turn := ""
			for i := l.first; i < min(l.end(), l.first+mostTokens); i++ {
				first, last := f.turn(i, a.table)
				if first == 0 {
					continue
				}
				if turn == "" {
					turn = f.Slice(first, last)
				}
				if f.Slice(first, last) == turn && turn != a.key {
					from, to := f.Bytes(first, last)
					places = append(places, place(from, to, a.key))
				}
			}
			if len(places) < 2 || places[0].From > f.headEnd(l) || strings.Contains(a.key, turn) && f.plain(turn) && f.words(a.first, a.last, []string{turn}) {
				continue
			}
			f.AtOnce(places, fmt.Sprintf("`%s` not for `%s`, but at once for `%s`", short(f.Slice(l.first, l.last), 30), short(turn, 12), short(a.key, 14)))
		}
	}
}

func (f *finder) headEnd(l *loop) int {
	_, to := f.Bytes(l.first, l.last)
	return to
}

// turn are the tokens of the key by which a table is asked or something is taken from it, 0 for none: table.get(key),
// table[key], key in table, delete(table, key).
func (f *finder) turn(i int, table string) (first, last int) {
	if !f.Word(i) || f.Member(i) || !strings.HasPrefix(table, f.At(i)) {
		return 0, 0
	}
	end := i + 1
	for end < i+6 && f.At(end) == "." && f.Slice(i, end) != table {
		end += 2
	}
	if f.Slice(i, end) != table {
		return 0, 0
	}
	switch {
	case f.At(end) == "[" && f.Mate(end) > end+1:
		return end + 1, f.Mate(end)
	case f.At(end) == "." && f.At(end+2) == "(":
		switch f.At(end + 1) {
		case "has", "get", "delete", "pop", "remove", "containsKey":
			if args := f.Args(end + 2); len(args) > 0 {
				return args[0][0], args[0][1]
			}
		}
	case f.At(i-1) == "in" && f.Word(i-2):
		first = i - 2
		for f.At(first-1) == "." {
			first -= 2
		}
		if f.At(first-1) == "for" {
			return 0, 0
		}
		return first, i - 1
	case f.At(i-1) == "(" && f.At(i-2) == "delete" && f.At(end) == ",":
		if args := f.Args(i - 1); len(args) == 2 {
			return args[1][0], args[1][1]
		}
	}
	return 0, 0
}

// taker reports whether a function takes something out of a list or a table.
func taker(name string) bool {
	switch name {
	case "pop", "popleft", "popitem", "shift", "delete", "poll", "remove", "removeLast", "removeFirst", "pollLast", "pollFirst", "heappop", "del", "clear", "splice", "Pop":
		return true
	}
	return false
}

// takes reports whether something is taken out of a list or a table in a node.
func (f *finder) takes(x *node) bool {
	for i := x.first; i < min(x.end(), x.first+mostTokens); i++ {
		if f.Word(i) && taker(f.At(i)) {
			return true
		}
		if f.Bare && f.At(i) == "[" && f.At(f.Mate(i)-1) == ":" || f.Bare && f.At(i) == "[" && f.At(i+1) == ":" { // list = list[:n]
			return true
		}
	}
	return false
}

// worked lets a loop that works a list off run once, and one that goes back through a list take the last of it alone.
func (f *finder) worked() {
	for _, l := range f.loops {
		if f.full() {
			return
		}
		from, to := f.Bytes(l.first, l.first+1)
		shown := "`" + short(f.Slice(l.first, l.last), 40) + "`"
		switch {
		case l.while && l.close > 0 && l.condTo > l.condFrom && f.takes(l.node) && !f.next(l.node, "else") && !f.jumps(l.node, "break", "continue"):
			if !f.lasts(l) {
				continue
			}
			f.Add(from, to, "if", shown+" once")
		case l.counted:
			f.backwards(l, shown)
		case l.while || l.list == "" || strings.Contains(l.list, "range("):
		case f.Indented && (strings.HasPrefix(l.list, "reversed(") || strings.HasSuffix(l.list, "[::-1]")):
			f.Add(l.listFrom, l.listTo, "list("+l.list+")[:1]", shown+" with the first of them alone")
		case f.Script && (strings.HasSuffix(l.list, ".reverse()") || strings.HasSuffix(l.list, ".toReversed()")):
			f.Add(l.listFrom, l.listTo, l.list+".slice(0, 1)", shown+" with the first of them alone")
		case l.up != nil && f.handles(l.up) && f.plain(l.list):
			switch {
			case f.Indented:
				f.Add(l.listFrom, l.listTo, "list("+l.list+")[-1:]", shown+" with the last of them alone")
			case f.Script:
				f.Add(l.listFrom, l.listTo, "[..."+l.list+"].slice(-1)", shown+" with the last of them alone")
			}
		}
	}
}

// handles reports whether a node is what is done where something failed.
func (f *finder) handles(x *node) bool {
	switch f.At(x.first) {
	case "except", "catch", "finally":
		return true
	}
	return false
}

// lasts reports whether the condition of a loop is no more than that a list has something.
func (f *finder) lasts(l *loop) bool {
	cond := strings.Join(strings.Fields(f.Slice(l.condFrom, l.condTo)), "")
	if f.words(l.condFrom, l.condTo, []string{"and", "or", "not"}) {
		return false
	}
	switch {
	case f.Bare:
		return strings.HasPrefix(cond, "len(") && (strings.HasSuffix(cond, ")>0") || strings.HasSuffix(cond, ")!=0"))
	case f.Ended:
		return strings.HasPrefix(cond, "!") && strings.HasSuffix(cond, ".isEmpty()")
	}
	for _, end := range []string{".length>0", ".length", ".size>0", ".size"} {
		cond = strings.TrimSuffix(cond, end)
	}
	if in, is := strings.CutPrefix(cond, "len("); is {
		cond = strings.TrimSuffix(strings.TrimSuffix(in, ">0"), ")")
	}
	if table, _, is := strings.Cut(cond, ".has("); is {
		cond = table
	}
	return f.plain(strings.ReplaceAll(cond, ".", "")) && cond != "True" && cond != "true" && cond != "1"
}

// backwards lets a loop that counts down to 0 take the last of a list alone.
func (f *finder) backwards(l *loop, shown string) {
	open := l.condFrom
	sign, end := -1, -1
	for i := open; i < l.condTo; i++ {
		if f.At(i) == ";" {
			if sign < 0 {
				sign = i
			} else if end < 0 {
				end = i
			}
		}
	}
	if sign < 0 || end < 0 || f.At(end-1) != "0" || f.At(end-2) != ">=" || !strings.Contains(f.Slice(end, l.condTo), "--") {
		return
	}
	for i := open; i < sign; i++ {
		if (f.At(i) == "=" || f.At(i) == ":=") && i+1 < sign {
			from, to := f.Bytes(end-1, end)
			f.Add(from, to, f.Slice(i+1, sign), shown+" with the first of them alone")
			return
		}
	}
}
