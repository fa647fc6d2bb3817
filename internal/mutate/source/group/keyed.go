package group

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// uses bounds how many uses of a name are looked at.
const uses = 24

// containers makes a list of a set and of a heap, and takes what is kept under a key by its place. All uses of a name are
// changed at once, and none of a name that has a use of another form.
func (f *Finder) containers() {
	all := map[string][]int{}
	var order []string
	for i := range f.Len() {
		if !f.Word(i) || f.Member(i) {
			continue
		}
		name := f.At(i)
		if all[name] == nil {
			order = append(order, name)
		}
		if len(all[name]) <= uses {
			all[name] = append(all[name], i)
		}
	}
	indexes := f.indexes()
	for _, name := range order {
		at := all[name]
		if len(at) < 2 || len(at) > uses {
			continue
		}
		f.lists(name, at)
		f.heap(name, at)
		f.arrivals(at, indexes)
		f.places(name, at)
	}
}

// given is the value that a name is given where it is declared: its tokens, 0 for none, and the first token of its type.
func (f *Finder) given(i int) (first, last, typed int) {
	n := f.Around(i)
	if n < 0 || f.Statement(n).Head {
		return 0, 0, 0
	}
	s := f.Statement(n)
	if s.Last > s.First+look || i > s.First+12 {
		return 0, 0, 0
	}
	if name, sign := f.named(n); name == i {
		return sign + 1, s.Last, s.First
	}
	return 0, 0, 0
}

// named is the one name that a statement gives a value, and the sign, -1 for none.
func (f *Finder) named(n int) (name, sign int) {
	s := f.Statement(n)
	names, sign := f.Assigned(n)
	if sign <= s.First || f.At(sign) != "=" && f.At(sign) != ":=" || sign > s.First+24 {
		return -1, sign
	}
	i := sign - 1
	if f.Script || f.Indented { // x: T = 1
		for k := s.First; k < sign && k < s.First+3; k++ {
			if f.At(k+1) == ":" {
				i = k
			}
		}
	}
	if !f.Word(i) || f.Member(i) || len(names) > 1 && i == sign-1 && !f.Ended || !slices.Contains(names, f.At(i)) {
		return -1, sign
	}
	return i, sign
}

// whole is a call and its arguments as a statement of its own.
func (f *Finder) whole(first, last int) bool { return !f.Used(first, last) }

// repeated reports whether a list is gone through behind a word: `for x in list`, `for (x of list)`.
func (f *Finder) repeated(i int) bool {
	if f.At(i-1) == "of" && f.Script || f.At(i-1) == ":" && f.Ended || f.At(i-1) == "..." && f.Script {
		return true
	}
	if f.At(i-1) != "in" || !f.Indented && !f.Worded {
		return false
	}
	for k := i - 2; k > i-10; k-- {
		if f.At(k) == "for" {
			return true
		}
		if !f.Word(k) && f.At(k) != "," && f.At(k) != "(" && f.At(k) != ")" {
			return false
		}
	}
	return false
}

// lists makes a list of a set that is only filled, counted and gone through, so that the same comes twice.
func (f *Finder) lists(name string, at []int) {
	var all []Place
	put := func(first, last int, with string) {
		from, to := f.Bytes(first, last)
		all = append(all, place(from, to, with))
	}
	first, last, typed := f.given(at[0])
	if first == 0 {
		return
	}
	value := strings.Join(strings.Fields(f.Slice(first, last)), "")
	switch {
	case f.Indented && value == "set()", f.Worded && value == "Set.new", f.Script && strings.HasPrefix(value, "newSet") && strings.HasSuffix(value, "()") && at[0]+2 == first:
		put(first, last, "[]")
	case f.Ended && f.At(typed) == "Set" && strings.HasSuffix(value, "()") && (strings.HasPrefix(value, "newHashSet<") || strings.HasPrefix(value, "newLinkedHashSet<") || strings.HasPrefix(value, "newTreeSet<")):
		put(typed, typed+1, "java.util.Collection")
		put(first, last, "new java.util.ArrayList<>()")
	default:
		return
	}
	filled, looked := false, false
	for _, i := range at[1:] {
		end := f.call(i + 2)
		switch use := f.At(i+1) + f.At(i+2); {
		case f.At(i+1) == "." && f.At(i+2) == "add" && f.At(i+3) == "(" && (f.whole(i, end) || f.Ended || f.Script && (f.At(i-1) == ")" || f.At(i-1) == "=>")):
			filled = true
			switch {
			case f.Indented:
				put(i+2, i+3, "append")
			case f.Script || f.Worded:
				put(i+2, i+3, "push")
			}
		case use == ".update" && f.Indented && len(f.Args(i+3)) == 1:
			filled = true
			put(i+2, i+3, "extend")
		case f.Worded && f.At(i+1) == "<<":
			filled = true
		case use == ".size" && f.Script:
			looked = true
			put(i+2, i+3, "length")
		case use == ".forEach" && (f.Script || f.Ended), (f.Ended || f.Worded) && (use == ".size" || use == ".stream" || use == ".each" || use == ".to_a" || use == ".sort" || use == ".map" || use == ".join" || use == ".length" || use == ".count"):
			looked = true
		case f.repeated(i):
			looked = true
		case f.At(i-1) == "(" && f.At(i+1) == ")" && f.Word(i-2) && (f.Indented && slices.Contains([]string{"len", "sorted", "list", "join", "tuple"}, f.At(i-2)) || f.Script && f.Slice(f.Chain(i-2), i-1) == "Array.from"):
			looked = true
		case f.Indented && f.At(i-1) == "(" && f.At(i-2) == "sorted" && f.At(i+1) == ",":
			looked = true
		default:
			return
		}
	}
	if filled && looked {
		f.AtOnce(all, "the set `"+inner.Short(name, 30)+"` is a list: the same comes twice")
	}
}

// heap makes a list of a heap: what came first comes first.
func (f *Finder) heap(name string, at []int) {
	var all []Place
	pushed, popped := false, false
	for _, i := range at {
		first := f.Chain(i - 2)
		if f.Indented && f.At(i-1) == "(" && f.Word(i-2) && strings.HasPrefix(f.At(i-2), "heap") && (first == i-2 || f.At(first) == "heapq") {
			from, to := f.Bytes(first, f.call(i-2))
			a := f.Args(i - 1)
			switch f.At(i - 2) {
			case "heappush":
				if len(a) != 2 {
					return
				}
				pushed = true
				all = append(all, place(from, to, name+".append("+f.Slice(a[1][0], a[1][1])+")"))
			case "heappop":
				popped = true
				all = append(all, place(from, to, name+".pop(0)"))
			case "heapify":
				pushed = true
				all = append(all, place(from, to, "None"))
			default:
				return
			}
		}
		if start, last, typed := f.given(i); f.Ended && start > 0 && f.At(start) == "new" && f.At(start+1) == "PriorityQueue" && last-typed > 5 && (f.At(typed) == "PriorityQueue" || f.At(typed) == "Queue") {
			pushed, popped = true, true
			if f.At(typed) == "PriorityQueue" {
				from, to := f.Bytes(typed, typed+1)
				all = append(all, place(from, to, "java.util.Queue"))
			}
			from, to := f.Bytes(start, last)
			all = append(all, place(from, to, "new java.util.ArrayDeque<>()"))
		}
	}
	if pushed && popped {
		f.AtOnce(all, "`"+inner.Short(name, 30)+"` is no heap: what came first comes first")
	}
}

// indexes are names of places in a list.
func (f *Finder) indexes() map[string]bool {
	all := map[string]bool{}
	for i := range f.Len() {
		switch {
		case !f.Word(i) || f.Member(i):
		case f.At(i-1) == "for" && (f.At(i+1) == "," || f.At(i+1) == "in" && f.At(i+2) == "range"),
			f.Script && f.At(i-1) == "," && f.At(i+1) == ")" && f.At(i+2) == "=>",
			f.At(i+1) == "++",
			f.Script && f.At(i-1) == "[" && f.At(i+1) == "," && f.At(i+4) == "of":
			all[f.At(i)] = true
		}
	}
	return all
}

// arrivals adds results in the order in which they come, where each is put at its place by what runs at one time.
func (f *Finder) arrivals(at []int, indexes map[string]bool) {
	first, last, _ := f.given(at[0])
	if first == 0 {
		return
	}
	value := strings.Join(strings.Fields(f.Slice(first, last)), "")
	var all []Place
	from, to := f.Bytes(first, last)
	filler := ""
	switch {
	case f.Indented && value == "{}":
		filler = "len(" + f.At(at[0]) + ")"
	case f.Indented && strings.HasPrefix(value, "[None]*"):
		filler = f.At(at[0]) + ".index(None)"
	case f.Script && value == "[]":
	case f.Script && (strings.HasPrefix(value, "newArray(") || strings.HasPrefix(value, "Array(")) && f.Mate(last-1) > first && f.Mate(last-1) < first+3:
		all = append(all, place(from, to, "[]"))
	case f.Bare && strings.HasPrefix(value, "make([]") && f.At(first+1) == "(" && len(f.Args(first+1)) == 2:
		size := f.Args(first + 1)[1]
		a, b := f.Bytes(size[0], size[1])
		all = append(all, place(a, b, "0, "+f.Slice(size[0], size[1])))
	default:
		return
	}
	scope, shown := f.Statement(f.Around(at[0])).Scope, ""
	for _, i := range at[1:] {
		end := f.Mate(i+1) + 1
		n := f.Around(i)
		if f.At(i+1) != "[" || f.At(end) != "=" || n < 0 || f.Statement(n).First != i {
			continue
		}
		key := f.Slice(i+2, end-1)
		if shown != "" || !indexes[key] && !(f.Indented && f.At(i+3) == "[" && f.Mate(i+3) == end-2) || !f.atOneTime(i, f.Statement(n).Last, f.Statement(n).Scope != scope) {
			return
		}
		a, b := f.Bytes(i, end)
		shown = f.Text[a:b]
		stop := f.Statement(n).Last
		_, until := f.Bytes(i, stop)
		switch {
		case filler != "":
			all = append(all, place(a, b, f.At(i)+"["+filler+"]"))
		case f.Script:
			_, sign := f.Bytes(end, end+1)
			all = append(all, place(a, sign, f.At(i)+".push("), place(until, until, ")"))
		default:
			_, sign := f.Bytes(end, end+1)
			all = append(all, place(a, sign, f.At(i)+" = append("+f.At(i)+","), place(until, until, "); _ = "+key))
		}
	}
	if shown != "" {
		f.AtOnce(all, "`"+inner.Short(shown, 40)+"` in the order in which results come")
	}
}

// atOneTime reports whether a statement is done by several tasks at one time, as far as its text and that before it say.
func (f *Finder) atOneTime(first, last int, nested bool) bool {
	from, to := f.Bytes(first, last)
	before := f.Text[max(from-400, 0):from]
	switch {
	case f.Indented:
		return strings.Contains(before, "as_completed(") || nested && f.mentions("threading", "Executor", "asyncio")
	case f.Script:
		return f.mentions("Promise.all") && (nested || strings.Contains(f.Text[from:to], "await ") || strings.Contains(before, "async "))
	}
	return strings.Contains(before, "go func(")
}

// mentions reports whether the text has one of some parts, each of which is looked for once.
func (f *Finder) mentions(parts ...string) bool {
	if f.mentioned == nil {
		f.mentioned = map[string]bool{}
	}
	for _, part := range parts {
		is, known := f.mentioned[part]
		if !known {
			is = strings.Contains(f.Text, part)
			f.mentioned[part] = is
		}
		if is {
			return true
		}
	}
	return false
}

// count is what a place in a list is called where it has no name yet.
const count = "its_place"

// places takes what is kept under a key by its place, where it is looked up for each of another list.
func (f *Finder) places(name string, at []int) {
	if !f.Indented && !f.Script {
		return
	}
	first, last, _ := f.given(at[0])
	if first == 0 || last > f.Len() {
		return
	}
	value := strings.Join(strings.Fields(f.Slice(first, last)), "")
	filled, object := 0, f.At(first) == "{" || strings.HasPrefix(value, "Object.fromEntries(") || strings.HasPrefix(value, "Object.create(") || f.Indented
	switch {
	case value == "{}" || value == "dict()" || strings.HasPrefix(value, "newMap") && strings.HasSuffix(value, "()"):
	case f.Script && (strings.HasPrefix(value, "newMap(") || strings.HasPrefix(value, "Object.fromEntries(")),
		f.Indented && f.At(first) == "{" && f.Mate(first) == last-1 && strings.Contains(f.Slice(first, last), " for "):
		filled = last
	default:
		return
	}
	var all []Place
	heads := map[int]string{}
	shown, with := "", ""
	for _, i := range at[1:] {
		open := i + 1
		method := ""
		if f.At(open) == "." && f.At(open+2) == "(" {
			method, open = f.At(open+1), open+2
		}
		end := f.Mate(open) + 1
		a := [][2]int(nil)
		if end > open+1 {
			a = f.Args(open)
		}
		switch {
		case f.At(open) == "[" && f.At(end) == "=" && method == "", method == "set" && !object && len(a) == 2 && f.Script:
			if filled < 0 || len(heads) > 0 {
				return
			}
			filled = end
			continue
		case f.At(i-1) == "in" && !f.repeated(i), method == "has" && !object:
			continue
		case len(a) == 0 || filled == 0:
			return
		case f.At(open) == "[" && method == "" && object, method == "get" && (f.Indented || !object):
		default:
			return
		}
		index := f.loop(i, filled, a[0], heads, &all)
		if index == "" || strings.HasSuffix(f.At(end), "=") && f.At(end) != "==" && f.At(end) != "===" || f.At(end) == "++" {
			return
		}
		switch {
		case f.Indented && method == "get":
			given := index
			if len(a) > 1 {
				given += ", " + f.Slice(a[1][0], a[1][1])
			}
			with = "dict(enumerate(" + name + ".values())).get(" + given + ")"
		case f.Indented:
			with = "list(" + name + ".values())[" + index + "]"
		case object:
			with = "Object.values(" + name + ")[" + index + "]"
		default:
			with = "[..." + name + ".values()][" + index + "]"
		}
		from, to := f.Bytes(i, end)
		all, shown = append(all, place(from, to, with)), f.Text[from:to]
	}
	if shown != "" {
		f.AtOnce(all, "`"+inner.Short(shown, 40)+"` by its place, and not by its key")
	}
}

// loop is the name of the place of a key in the list that is gone through around it, "" for none. Where it has no name, it
// is given one in the head.
func (f *Finder) loop(i, after int, key [2]int, heads map[int]string, all *[]Place) string {
	for k := i - 1; k > after && k > i-look; k-- {
		if !f.Word(k) || f.Member(k) || !f.within(key, f.At(k)) {
			continue
		}
		if index := heads[k]; index != "" {
			return index
		}
		index := count
		switch {
		case f.Indented && f.At(k-1) == "for" && f.At(k+1) == "in":
			end := f.headEnd(k + 2)
			if end == 0 {
				return ""
			}
			from, _ := f.Bytes(k, k+1)
			a, b := f.Bytes(k+2, end)
			*all = append(*all, place(from, from, count+", "), place(a, a, "enumerate("), place(b, b, ")"))
		case f.Indented && f.At(k-1) == "," && f.At(k-3) == "for" && f.At(k+1) == "in" && f.At(k+2) == "enumerate",
			f.Script && f.At(k-1) == "," && f.At(k-3) == "[" && f.At(k+1) == "]" && f.At(k+2) == "of":
			index = f.At(k - 2)
		case f.Script && f.At(k-2) == "(" && f.At(k-3) == "for" && f.At(k+1) == "of" && f.Mate(k-2) > k+2:
			from, to := f.Bytes(k, k+1)
			a, b := f.Bytes(k+2, f.Mate(k-2))
			*all = append(*all, place(from, to, "["+count+", "+f.At(k)+"]"), place(a, a, "[...("), place(b, b, ")].entries()"))
		case f.Script && f.At(k+1) == "=>" && f.each(k-1):
			from, to := f.Bytes(k, k+1)
			*all = append(*all, place(from, to, "("+f.At(k)+", "+count+")"))
		case f.Script && f.At(k-1) == "(" && f.At(k+1) == ")" && f.At(k+2) == "=>" && f.each(k-2):
			_, to := f.Bytes(k, k+1)
			*all = append(*all, place(to, to, ", "+count))
		case f.Script && f.At(k-1) == "(" && f.At(k+1) == "," && f.At(k+3) == ")" && f.At(k+4) == "=>" && f.each(k-2):
			index = f.At(k + 2)
		default:
			continue
		}
		heads[k] = index
		return index
	}
	for k := i; f.Indented && k < i+60; k++ { // [kept[x] for x in list]
		switch {
		case k > i && f.Mate(k) > k:
			k = f.Mate(k)
		case f.Mate(k) >= 0 && f.Mate(k) < i:
			return ""
		case f.At(k-1) == "for" && f.At(k+1) == "in" && f.within(key, f.At(k)):
			if end := f.headEnd(k + 2); end > 0 && heads[k] == "" {
				from, _ := f.Bytes(k, k+1)
				a, b := f.Bytes(k+2, end)
				*all = append(*all, place(from, from, count+", "), place(a, a, "enumerate("), place(b, b, ")"))
				heads[k] = count
			}
			return heads[k]
		}
	}
	return ""
}

// within reports whether a name is among some tokens.
func (f *Finder) within(tokens [2]int, name string) bool {
	for i := tokens[0]; i < tokens[1] && i < tokens[0]+20; i++ {
		if f.At(i) == name && !f.Member(i) {
			return true
		}
	}
	return false
}

// each reports whether a bracket is that of a method which goes through a list.
func (f *Finder) each(open int) bool {
	if f.At(open) == "async" {
		open--
	}
	if f.At(open) != "(" || !f.Member(open-1) {
		return false
	}
	switch f.At(open - 1) {
	case "map", "forEach", "flatMap":
		return true
	}
	return false
}

// headEnd is the token behind what a loop of Python goes through, 0 for none.
func (f *Finder) headEnd(i int) int {
	for k := i; k < f.Len() && k < i+60; k++ {
		switch f.At(k) {
		case "(", "[", "{":
			if f.Mate(k) < k {
				return 0
			}
			k = f.Mate(k)
		case ":", ")", "]", "}", "if", "for":
			if k > i {
				return k
			}
			return 0
		}
	}
	return 0
}
