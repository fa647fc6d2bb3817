package shape

import (
	"fmt"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/group"
)

// chain is a node and the heads around it, up to a loop or a function.
func (f *finder) chain(x *node) []*node {
	list := []*node{x}
	for u := x.up; u != nil && !f.elsewhere(u) && len(list) < mostNear; u = u.up {
		list = append(list, u)
	}
	return list
}

// follows reports whether b stands behind a, or in what stands behind it, and is run as often as a.
func (f *finder) follows(a, b *node) bool {
	if a.scope != b.scope || a.from >= b.from || a.to > b.from {
		return false
	}
	for _, x := range f.chain(a) {
		for _, y := range f.chain(b) {
			if x.up == y.up && x.index < y.index {
				return x == a || !f.instead(x, y)
			}
		}
	}
	return false
}

// instead reports whether y is another branch of what x is the first one of, or a later one.
func (f *finder) instead(x, y *node) bool {
	for _, z := range f.siblings(x)[x.index+1 : y.index+1] {
		switch f.At(z.first) {
		case "else", "elif", "except", "catch", "case", "default":
		default:
			return false
		}
	}
	return true
}

// given reports whether something that stands in b is first given its value between a and b.
func (f *finder) given(a, b *node) bool {
	for i := a.end(); i < b.first && i < a.end()+mostTokens; i++ {
		n := f.Around(i)
		if n < 0 || f.Statement(n).First != i || f.Statement(n).Head {
			continue
		}
		if names, _ := f.Assigned(n); len(names) > 0 && f.words(b.first, b.end(), names) {
			return true
		}
	}
	return false
}

// removable reports whether a loop can be taken away where it stands.
func (f *finder) removable(b *node) bool {
	list := f.siblings(b)
	return b.close > 0 && (b.index+1 >= len(list) || list[b.index+1] == b || f.At(list[b.index+1].first) != "else" || b.up != nil && b.up.lone)
}

// gone takes a loop away.
func (f *finder) gone(b *node) group.Place {
	if f.Indented {
		return place(b.from, b.to, "pass")
	}
	return place(b.from, b.to, "{ }")
}

// stop is the end of a node with the ; behind it.
func (f *finder) stop(x *node) int {
	if !f.Indented && x.to < len(f.Text) && f.Text[x.to] == ';' {
		return x.to + 1
	}
	return x.to
}

// behind puts lines behind a simple statement.
func (f *finder) behind(x *node, lines func(margin string) (string, bool)) (group.Place, bool) {
	text := f.Text[x.from:x.to]
	if !f.Indented {
		more, ok := lines("")
		return place(x.from, f.stop(x), "{ "+text+";\n"+more+"\n}"), ok
	}
	margin, alone := f.margin(x.from)
	before := ""
	if !alone {
		if x.up == nil || !x.up.lone || len(x.up.kids) > 1 {
			return group.Place{}, false
		}
		if margin, alone = f.margin(x.up.from); !alone {
			return group.Place{}, false
		}
		margin += "    "
		before = "\n" + margin
	}
	more, ok := lines(margin)
	return place(x.from, x.to, before+text+"\n"+margin+more), ok
}

// An addition is a statement that adds something to a list.
type addition struct {
	*node
	list, value string
	set         bool // to one whose last element is not known
}

// added is what a statement adds to a list, nil where it adds nothing.
func (f *finder) added(x *node) *addition {
	if x.head {
		return nil
	}
	last := x.last
	if f.At(last-1) == ";" {
		last--
	}
	open := f.Mate(last - 1)
	if open <= x.first || f.At(open) != "(" || open > x.first+12 {
		return nil
	}
	args := f.Args(open)
	if f.Bare { // list = append(list, x)
		if len(args) != 2 || f.At(open-1) != "append" || f.At(open-2) != "=" {
			return nil
		}
		list := f.Slice(x.first, open-2)
		if list != f.Slice(args[0][0], args[0][1]) {
			return nil
		}
		return &addition{x, list, f.Slice(args[1][0], args[1][1]), false}
	}
	name := f.At(open - 1)
	if len(args) != 1 || f.At(open-2) != "." || open-2 <= x.first || f.At(args[0][0]) == "..." || f.At(args[0][0]) == "*" {
		return nil
	}
	set := name == "add" && !f.Ended
	if !set && name != "append" && name != "push" && name != "add" {
		return nil
	}
	return &addition{x, f.Slice(x.first, open-2), f.Slice(args[0][0], args[0][1]), set}
}

// additions are the statements that add to a list, by its name.
func (f *finder) additions() map[string][]*addition {
	all := map[string][]*addition{}
	note := func(x *node) bool {
		if a := f.added(x); a != nil && len(all[a.list]) < mostNear {
			all[a.list] = append(all[a.list], a)
		}
		return true
	}
	for _, x := range f.nodes {
		note(x)
		x.each(note)
	}
	return all
}

// filled does what a loop does with each of a list at once, where another loop adds it to the list.
func (f *finder) filled() {
	all := f.additions()
	var uses map[string][2]int
	for _, b := range f.loops {
		if f.full() {
			return
		}
		if b.while || b.counted || !f.removable(b.node) {
			continue
		}
		if len(all[b.list]) == 0 {
			if uses == nil {
				uses = f.uses()
			}
			f.lazily(b, uses[b.list])
			continue
		}
		var places []group.Place
		for _, a := range all[b.list] {
			around, depth := a.up, 0
			for ; around != nil && depth < mostDepth && (f.loop(around) == nil || !f.follows(around, b.node)); depth++ {
				around = around.up
			}
			if around == nil || depth == mostDepth || a.scope != b.scope || f.given(around, b.node) {
				continue
			}
			p, ok := f.behind(a.node, func(margin string) (string, bool) {
				body, ok := f.lines(b.node, margin)
				pre, known := f.latest(b, a, margin)
				return pre + body, ok && known
			})
			if ok {
				places = append(places, p)
			}
		}
		if len(places) == 0 || len(places) > 3 {
			continue
		}
		f.AtOnce(append(places, f.gone(b.node)), fmt.Sprintf("`%s` not after all, but where it is added in line %d", short(f.Slice(b.first, b.last), 36), f.line(places[0].From)))
	}
}

// latest gives the names of a loop what was added last.
func (f *finder) latest(b *loop, a *addition, margin string) (string, bool) {
	end := "\n" + margin
	if a.value == b.names || b.names == "" {
		return "", true
	}
	switch {
	case f.Indented && a.set:
		return b.names + " = " + a.value + end, true
	case f.Indented:
		return b.names + " = " + a.list + "[-1]" + end, true
	case f.Script && a.set:
		return "const " + b.names + " = " + a.value + ";" + end, true
	case f.Script:
		return "const " + b.names + " = " + a.list + "[" + a.list + ".length - 1];" + end, !strings.Contains(f.Slice(b.first, b.last), " in ")
	case f.Ended:
		return "var " + b.names + " = " + a.list + ".get(" + a.list + ".size() - 1);" + end, true
	}
	index, value := pair(b.names)
	text := ""
	if index != "_" {
		text += index + " := len(" + a.list + ") - 1" + end
	}
	if value != "_" {
		text += value + " := " + a.list + "[len(" + a.list + ")-1]" + end
	}
	return text, true
}

// plain reports whether a text is a plain name.
func (f *finder) plain(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}

// pair are the names of the index and of the value of a range of Go.
func pair(names string) (index, value string) {
	index, value, found := strings.Cut(names, ",")
	if index = strings.TrimSpace(index); index == "" {
		index = "_"
	}
	if value = strings.TrimSpace(value); !found {
		value = "_"
	}
	return index, value
}

// uses are how often each name is used, and where it is first.
func (f *finder) uses() map[string][2]int {
	all := map[string][2]int{}
	for i := range f.Len() {
		if f.Word(i) && !f.Member(i) {
			u, known := all[f.At(i)]
			if !known {
				u[1] = i
			}
			u[0]++
			all[f.At(i)] = u
		}
	}
	return all
}

// lazily makes each of a list only when the loop over it asks for it: [f(x) for x in list] is (f(x) for x in list).
func (f *finder) lazily(b *loop, use [2]int) {
	at := use[1]
	if !f.plain(b.list) || !f.Indented && !f.Script || use[0] != 2 || f.At(at+1) != "=" {
		return
	}
	n := f.Around(at)
	if n < 0 || f.Statement(n).Scope != b.scope || f.Statement(n).Head {
		return
	}
	s := f.Statement(n)
	first, last := at+2, s.Last
	if f.At(last-1) == ";" {
		last--
	}
	value := f.Slice(first, last)
	from, to := f.Bytes(first, last)
	change := fmt.Sprintf("each of `%s` made as `%s` asks for it", short(value, 30), short(f.Slice(b.first, b.last), 24))
	if f.Indented {
		if f.At(first) == "[" && f.Mate(first) == last-1 && strings.Contains(value, " for ") && strings.Contains(value, "(") {
			f.Add(from, to, "("+f.Text[from+1:to-1]+")", change)
		}
		return
	}
	open := f.Mate(last - 1)
	if open > first+2 && f.At(open) == "(" && f.At(open-1) == "map" && f.Member(open-1) && !strings.Contains(value, "await") && len(f.Args(open)) == 1 {
		f.Add(from, to, "(function* () { let made = 0; for (const one of "+f.Slice(first, open-2)+") yield ("+f.Slice(open+1, last-1)+")(one, made++); })()", change)
	}
}

// joined makes one of two loops over the same list.
func (f *finder) joined() {
	before := map[string]*loop{}
	for _, b := range f.loops {
		if f.full() {
			return
		}
		if b.while || b.close == 0 || len(b.list) > 300 {
			continue
		}
		key := fmt.Sprint(b.scope, b.counted, b.list)
		a := before[key]
		if a == nil {
			before[key] = b
			continue
		}
		f.join(a, b)
		if !f.follows(a.node, b.node) {
			before[key] = b
		}
	}
}

// join lets what stands in a loop be done in the one before it.
func (f *finder) join(a, b *loop) {
	if !f.follows(a.node, b.node) || !f.removable(b.node) || f.given(a.node, b.node) {
		return
	}
	names, places, ok := f.same(a, b)
	if !ok {
		return
	}
	change := fmt.Sprintf("the loops over `%s` in lines %d and %d are one", short(b.list, 30), f.line(a.from), f.line(b.from))
	if b.counted {
		change = fmt.Sprintf("the loops in lines %d and %d, `%s`, are one", f.line(a.from), f.line(b.from), short(b.list, 30))
	}
	if f.Indented {
		margin, alone := f.inside(a.node)
		before := ""
		if a.lone && len(a.kids) == 1 {
			if margin, alone = f.margin(a.from); alone {
				margin += "    "
				before = "\n" + margin
				places = append(places, place(a.kids[0].from, a.kids[0].from, before))
			}
		}
		body, ok := f.lines(b.node, margin)
		if !ok || !alone {
			return
		}
		if names != "" {
			body = names + "\n" + margin + body
		}
		places = append(places, place(a.to, a.to, "\n"+margin+body), f.gone(b.node))
		f.AtOnce(places, change)
		return
	}
	body, ok := f.lines(b.node, "")
	if !ok {
		return
	}
	body = "\n{ " + names + "\n" + body + "\n}\n"
	if a.lone {
		places = append(places, place(a.open, f.stop(a.node), "{ "+f.Text[a.open:a.close]+";"+body+"}"))
	} else {
		places = append(places, place(a.close, a.close, body))
	}
	f.AtOnce(append(places, f.gone(b.node)), change)
}

// same gives the names of a loop the values of those of the one before it. Changes are those in the head of that one.
func (f *finder) same(a, b *loop) (text string, changes []group.Place, ok bool) {
	if a.names == b.names || b.names == "" {
		return "", nil, true
	}
	switch {
	case f.Indented:
		return b.names + " = " + a.names, nil, true
	case f.Script:
		return "const " + b.names + " = " + a.names + ";", nil, !strings.ContainsAny(a.names, ":=")
	case f.Ended:
		return "var " + b.names + " = " + a.names + ";", nil, true
	}
	if a.names == "" {
		return "", nil, false
	}
	i1, v1 := pair(a.names)
	i2, v2 := pair(b.names)
	head := false
	if i1 == "_" && i2 != "_" {
		i1, head = i2, true
	}
	if v1 == "_" && v2 != "_" {
		v1, head = v2, true
	}
	if head {
		changes = append(changes, place(a.namesFrom, a.namesTo, i1+", "+v1))
	}
	if i2 != "_" && i1 != i2 {
		text += i2 + " := " + i1 + "\n"
	}
	if v2 != "_" && v1 != v2 {
		text += v2 + " := " + v1 + "\n"
	}
	return text, changes, true
}
