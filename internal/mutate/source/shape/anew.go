package shape

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/source/words"
)

var (
	// makers are the beginnings of the names of functions that make something of its own each time.
	makers = words.Set("new New make Make create Create open Open connect Connect With")
	// moments are functions that tell the time, wait for it, or give another value each time.
	moments = words.Set(`time monotonic perf_counter now Now After NewTimer NewTicker AfterFunc setTimeout timeout currentTimeMillis nanoTime
		uuid4 uuid1 randomUUID NewString randint random count iter cycle token_hex token_urlsafe getrandbits randomBytes Timer`)
	// same are things of which a new one does what the old one did, and what only reads.
	same = words.Set(`Decimal Fraction Path PurePath URL URLSearchParams RegExp Request NewRequest NewRequestWithContext Headers Logger getLogger
		ArgumentParser Template Struct TextEncoder TextDecoder Intl NumberFormat DateTimeFormat HTTPHandler Error NewReader NewScanner Scanner
		BufferedReader InputStreamReader NewReplacer newline HttpPost HttpGet URI BigDecimal BigInteger open Open create_default_context ThreadPoolExecutor
		OptionParser NewDecoder NewEncoder Namespace Parser makedirs NewWriter hmac hashlib sqlite3 Object Array Promise Thread`)
	// tables are what only holds things.
	tables = words.Set(`Map Set WeakMap WeakSet Array HashMap HashSet LinkedHashMap LinkedHashSet TreeMap TreeSet ArrayList LinkedList ArrayDeque
		StringBuilder Counter OrderedDict defaultdict deque dict set list AtomicInteger`)
	// empties are values that hold nothing.
	empties = words.Set(`[] {} 0 "" '' set() dict() list() 0.0 None null nil False false`)
)

// renewed makes what is made once before a loop in each of its rounds.
func (f *finder) renewed() {
	for _, l := range f.loops {
		if l.close == 0 || l.lone || len(l.kids) == 0 {
			continue
		}
		done := map[string]bool{} // names whose last value before the loop was looked at
		for _, x := range f.chain(l.node) {
			if x.up != nil && x != l.node && f.elsewhere(x) {
				break
			}
			list := f.siblings(x)
			for k := x.index - 1; k >= 0 && k >= x.index-mostNear; k-- {
				if k >= len(list) {
					continue
				}
				names, sign := f.Assigned(list[k].n)
				if sign >= 0 && len(names) > 0 && !done[names[0]] {
					f.renew(list[k], l)
				}
				for _, n := range names {
					done[n] = true
				}
			}
		}
		if f.full() {
			return
		}
	}
}

// renew makes what a statement makes in each round of a loop.
func (f *finder) renew(x *node, l *loop) {
	if x.head || x.scope != l.scope || x.to-x.from > 400 || f.Quiet(x.first) {
		return
	}
	names, sign := f.Assigned(x.n)
	switch {
	case sign > x.first && f.Ended:
		names = []string{f.At(sign - 1)}
	case sign > 0 && f.Script && f.At(x.first+2) == ":":
		names = []string{f.At(x.first + 1)}
	}
	if sign < 0 || f.At(sign) != "=" && f.At(sign) != ":=" || len(names) == 0 || len(names) > 3 || f.words(sign+1, x.last, names) || f.Member(sign-1) {
		return
	}
	if l.while && f.words(l.condFrom, l.condTo, names) || l.counted && f.words(l.first, l.last, names) {
		return
	}
	body := l.kids[0].first
	used := slices.DeleteFunc(slices.Clone(names), func(n string) bool { return !f.words(body, l.end(), []string{n}) })
	if len(used) == 0 || !f.stateful(sign+1, x.last) && !f.counts(x, sign, used, l) || f.again(l, used) {
		return
	}
	lines := []string{f.assignment(x, sign)}
	// What is done with it before the loop is done again as well.
	all := slices.Clone(names)
	list := f.siblings(x)
	for _, next := range list[x.index+1:] {
		if next.from >= l.from || next.head || len(lines) > 4 {
			break
		}
		if !f.words(next.first, next.last, all) || f.Quiet(next.first) || next.to-next.from > 300 {
			continue
		}
		line := f.Text[next.from:next.to]
		if more, sign := f.Assigned(next.n); sign >= 0 {
			if f.At(sign) != "=" && f.At(sign) != ":=" || f.words(l.first, l.last, more) {
				break
			}
			all = append(all, more...)
			line = f.assignment(next, sign)
		}
		lines = append(lines, line)
	}
	change := "`" + short(f.Slice(x.first, x.last), 36) + "` anew in each round of `" + short(f.Slice(l.first, l.last), 20) + "`"
	if f.Indented {
		margin, alone := f.inside(l.node)
		if !alone || strings.Contains(strings.Join(lines, ""), "\n") {
			return
		}
		text := ""
		for _, line := range lines {
			text += "\n" + margin + line
		}
		f.Add(l.open, l.open, text, change)
		return
	}
	end := ";"
	if f.Bare {
		end = "\n"
	}
	f.Add(l.open, l.open, " "+strings.Join(lines, end+" ")+end, change)
}

// assignment is a statement that makes something as it stands in a loop before which it stands, too.
func (f *finder) assignment(x *node, sign int) string {
	text, value := f.Text[x.from:x.to], f.Slice(sign+1, x.last)
	switch {
	case f.Indented, f.Script && f.At(x.first) == "const":
		return text
	case f.Script && (f.At(x.first) == "let" || f.At(x.first) == "var"):
		return f.Slice(x.first+1, sign) + " = " + value
	case f.Ended && x.first < sign-1 && !strings.Contains(f.Slice(x.first, sign), "."):
		return f.Slice(sign-1, sign) + " = " + value
	case f.Bare && f.At(x.first) == "var":
		return f.At(x.first+1) + " = " + value
	case f.Bare:
		return f.Slice(x.first, sign) + " = " + value
	}
	return text
}

// stateful reports whether a value is one of its own each time that it is made, or depends on when it is.
func (f *finder) stateful(first, last int) bool {
	if f.Bare && f.At(first) == "&" {
		return true
	}
	for i := first; i < last && i < first+80; i++ {
		if f.At(i) != "(" || !f.Word(i-1) {
			continue
		}
		name := f.At(i - 1)
		if moments()[name] {
			return true
		}
		if same()[name] || tables()[name] || same()[f.At(f.Chain(i-1))] || f.Chain(i-1) != first && f.At(first) != "new" && f.At(first) != "await" {
			continue
		}
		if c := name[0]; c >= 'A' && c <= 'Z' && f.Indented || f.At(first) == "new" {
			return true
		}
		for w := range makers() {
			if strings.HasPrefix(name, w) {
				return true
			}
		}
	}
	return false
}

// counts reports whether a plain value is changed in a loop, and decides something there.
func (f *finder) counts(x *node, sign int, names []string, l *loop) bool {
	value := f.Slice(sign+1, x.last)
	open := f.Mate(x.last - 1)
	for i := open - 1; open > sign && i > sign && open-i < 8; i-- { // new HashMap<String, Integer>()
		if tables()[f.At(i)] {
			value = "[]"
		}
	}
	plain := empties()[strings.Join(strings.Fields(value), "")] || strings.Trim(value, "0123456789._") == "" || f.Bare && (strings.HasPrefix(value, "make(") || strings.HasPrefix(value, "map["))
	if !plain || len(names) != 1 {
		return false
	}
	name, changed, read := names[0], false, false
	l.each(func(k *node) bool {
		if !f.words(k.first, k.last, names) {
			return true
		}
		text := f.Slice(k.first, k.last)
		assigned, sign := f.Assigned(k.n)
		switch {
		case !k.head && (slices.Contains(assigned, name) || strings.HasPrefix(text, name+"++") || strings.HasPrefix(text, name+"--") || strings.HasPrefix(text, name+"[") && sign > 0):
			changed = true
			read = read || sign > 0 && f.words(sign+1, k.last, names) && !strings.HasPrefix(text, name+" = append(")
		case !k.head && (strings.HasPrefix(text, name+".append(") || strings.HasPrefix(text, name+".push(") || strings.HasPrefix(text, name+".add(") || strings.HasPrefix(text, name+".set(") || strings.HasPrefix(text, name+".put(")):
			changed = true
		default:
			read = true
			for i := k.first; i < k.last && k.head; i++ {
				changed = changed || f.At(i) == name && (f.At(i+1) == "--" || f.At(i+1) == "++")
			}
		}
		return true
	})
	return changed && read
}

// again reports whether a loop gives one of some names another value that does not come from the one it has.
func (f *finder) again(l *loop, names []string) bool {
	return !l.each(func(k *node) bool {
		assigned, sign := f.Assigned(k.n)
		if k.head || sign < 0 || f.At(sign) != "=" && f.At(sign) != ":=" {
			return true
		}
		for _, n := range assigned {
			if slices.Contains(names, n) && !f.words(sign+1, k.last, []string{n}) {
				return false
			}
		}
		return true
	}) || slices.ContainsFunc(names, func(n string) bool {
		return l.names != "" && f.words(l.first, l.last, []string{n}) && strings.Contains(l.names, n)
	})
}
