package source

import "strings"

// A keyed is where a value is a key of a set or a map: all places at which the same
// tokens are, in the order of the file.
type keyed struct {
	container, key string
	places         [][2]int
	// tests says that it is asked whether the key is there.
	tests bool
}

var (
	keyTests = set("has get includes contains containsKey include? key? has_key? member?")
	keySets  = set("add set put setdefault append push discard delete pop putIfAbsent computeIfAbsent")
)

// keys takes another value for a key of a set or a map: all of an element where one
// member tells them apart, another member, an address without its query. The places
// change together, as if the program had been written so.
func (f *file) keys() {
	var order []*keyed
	all := map[string]*keyed{}
	written := map[string]bool{}                                  // those that get keys; a list of constants gets none
	note := func(from, to, first, last int, tests, writes bool) { // the tokens of both
		if first >= last || last-first > 12 || f.quiet[first] || to-from > 12 {
			return
		}
		container, key := f.slice(from, to), f.slice(first, last)
		if len(container) > 60 {
			return
		}
		written[container] = written[container] || writes
		k := all[container+"\x00"+key]
		if k == nil {
			k = &keyed{container: container, key: key}
			all[container+"\x00"+key] = k
			order = append(order, k)
		}
		k.tests = k.tests || tests
		if n := len(k.places); n == 0 || f.tokens[k.places[n-1][1]-1].To <= f.tokens[first].From {
			k.places = append(k.places, [2]int{first, last})
		}
	}
	for i := range f.tokens {
		t := f.tokens[i]
		switch {
		case f.isWord(i, "in") && f.lang.indented && !f.loops(i) && f.kindAt(i+1) == word:
			end := i
			if f.isWord(i-1, "not") {
				end--
			}
			first := f.left(end, func(n int) bool { and, or := f.logic(n); return and || or || f.bound(n) || f.isWord(n, "not") })
			if first >= 0 && first < end {
				last := i + 2
				for last < i+reach && f.isOperator(last, ".") && f.kindAt(last+1) == word {
					last += 2
				}
				note(i+1, last, first, end, true, false)
			}
		case t.Kind == opening && t.Mate > i && f.at(i) == "[" && f.operandEnds(i-1) && f.kindAt(i-1) == word && !t.Newline:
			note(f.chain(i-1), i, i+1, t.Mate, f.lang.bare, f.isOperator(t.Mate+1, "=") || f.isOperator(t.Mate+1, "+=") || f.isOperator(t.Mate+1, "||=") || f.isOperator(t.Mate+1, "??="))
		case t.Kind == opening && t.Mate > i+1 && f.at(i) == "(" && f.isMember(i-1) && f.operandEnds(i-3) && (keyTests()[f.at(i-1)] || keySets()[f.at(i-1)]):
			if a := f.args(i); len(a) > 0 {
				note(f.chain(i-3), i-2, a[0][0], a[0][1], keyTests()[f.at(i-1)], keySets()[f.at(i-1)])
			}
		}
	}
	for _, k := range order {
		if written[k.container] && (k.tests || len(k.places) > 1) {
			f.otherKeys(k)
		}
	}
}

// otherKeys adds what may stand in the place of a key.
func (f *file) otherKeys(k *keyed) {
	first, last := k.places[0][0], k.places[0][1]
	name := "" // the variable that holds the key
	if last-first == 1 {
		if f.kindAt(first) != word {
			return
		}
		name = f.at(first)
		a, b := f.value(name, first)
		if a < 0 {
			if addresses()[strings.ToLower(name)] {
				f.replaceKey(k, f.splitQuery(name))
			}
			return
		}
		first, last = a, b
	}
	if f.bracket(first, "(") && f.tokens[first].Mate == last-1 && f.lang.indented {
		a := f.args(first)
		if len(a) < 2 || len(a) > 4 {
			return
		}
		for n := range a { // a tuple without one of its elements
			with := ""
			for m, p := range a {
				if m != n {
					with += f.slice(p[0], p[1]) + ", "
				}
			}
			with = "(" + strings.TrimSpace(with) + ")"
			if name == "" {
				f.replaceKey(k, with)
				continue
			}
			from, to := f.bytes(first, last)
			f.add("related", from, to, with, instead(f.source[from:to], with))
		}
		return
	}
	base, member := f.memberOf(first, last)
	if base == "" {
		return
	}
	if addresses()[strings.ToLower(strings.Trim(member, ".[]\"'"))] {
		f.replaceKey(k, f.splitQuery(k.key))
		return
	}
	if base == "self" || base == "this" || base == "os" || base == "sys" || base == "process" {
		return
	}
	if other := f.otherMember(base, member, first); other != "" {
		f.replaceKey(k, base+other)
	}
	switch {
	case f.lang.indented:
		f.replaceKey(k, "str("+base+")")
	case f.lang.tick == 't':
		f.replaceKey(k, "JSON.stringify("+base+")")
	case f.lang.worded:
		f.replaceKey(k, base)
	}
}

var addresses = set("path url uri href")

// splitQuery is an address without its query.
func (f *file) splitQuery(address string) string {
	switch {
	case f.lang.indented || f.lang.tick == 't':
		return address + `.split("?")[0]`
	case f.lang.worded:
		return address + `.split("?").first`
	case f.lang.name == "java":
		return address + `.split("\\?")[0]`
	}
	return ""
}

// value are the tokens of what was assigned to a name last before a token.
func (f *file) value(name string, before int) (first, last int) {
	for i, n := before-1, 0; i >= 0 && n < reach; i, n = i-1, n+1 {
		if f.isWord(i, name) && (f.isOperator(i+1, "=") || f.isOperator(i+1, ":=")) {
			s := f.owner[i]
			if s < 0 || f.statements[s].last > before || f.statements[s].last <= i+2 {
				return -1, -1
			}
			return i + 2, f.statements[s].last
		}
	}
	return -1, -1
}

// memberOf are a name and its member, as it is written: e and ["id"], e and .id.
func (f *file) memberOf(first, last int) (base, member string) {
	if f.kindAt(first) != word || first+1 >= last {
		return "", ""
	}
	if f.memberEnd(first) != last {
		return "", ""
	}
	return f.at(first), f.slice(first+1, last)
}

// memberEnd is the end of a member that is read of a name, 0 for none.
func (f *file) memberEnd(i int) int {
	switch {
	case f.at(i+1) == "." && f.kindAt(i+2) == word && f.at(i+3) == "(":
		if f.at(i+2) == "get" && f.kindAt(i+4) == text && f.at(i+5) == ")" {
			return i + 6
		}
	case f.at(i+1) == "." && f.kindAt(i+2) == word:
		return i + 3
	case f.bracket(i+1, "[") && f.kindAt(i+2) == text && f.tokens[i+1].Mate == i+3:
		return i + 4
	}
	return 0
}

// otherMember is another member that the file reads of a name: the nearest one before,
// or else the first behind.
func (f *file) otherMember(base, member string, at int) string {
	is := func(i int) string {
		if i < 0 || i >= len(f.tokens) || !f.isWord(i, base) {
			return ""
		}
		end := f.memberEnd(i)
		if end == 0 || f.isOperator(end, "=") || f.slice(i+1, end) == member || f.at(end) == "." || f.at(end) == "[" {
			return ""
		}
		return f.slice(i+1, end)
	}
	for n := 1; n < reach; n++ {
		if m := is(at - n); m != "" {
			return m
		}
	}
	for n := 1; n < reach; n++ {
		if m := is(at + n); m != "" {
			return m
		}
	}
	return ""
}

// sameMembers compares another member of two elements: a.id == b.id, a.id - b.id.
func (f *file) sameMembers(i int) {
	second := f.memberEnd(i + 1)
	if second == 0 || f.kindAt(i+1) != word || f.isMember(i+1) {
		return
	}
	first := i - (second - i - 1)
	if first < 0 || f.kindAt(first) != word || f.isMember(first) || f.memberEnd(first) != i {
		return
	}
	member := f.slice(first+1, i)
	if member != f.slice(i+2, second) || f.at(first) == f.at(i+1) {
		return
	}
	other := f.otherMember(f.at(first), member, first)
	if other == "" {
		if other = f.otherMember(f.at(i+1), member, i+1); other == "" {
			return
		}
	}
	f.swap("related", first, second-1, f.at(first)+other+" "+f.at(i)+" "+f.at(i+1)+other)
}

// replaceKey changes a key at all its places.
func (f *file) replaceKey(k *keyed, with string) {
	if with == "" || with == k.key {
		return
	}
	from := f.tokens[k.places[0][0]].From
	at, end := from, from
	var b strings.Builder
	for _, p := range k.places {
		a, z := f.bytes(p[0], p[1])
		if z-from > span {
			break
		}
		b.WriteString(f.source[at:a])
		b.WriteString(with)
		at, end = z, z
	}
	f.add("related", from, end, b.String(), "`"+short(k.key, 20)+"` → `"+short(with, 24)+"` as key of `"+short(k.container, 14)+"`")
}
