package source

import (
	"strings"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// related puts in the place of a part what is commonly taken for it.
func (f *file) related() {
	fam := wordlist.Families()[f.lang.name]
	for i := range f.tokens {
		t := f.tokens[i]
		if f.quiet[i] {
			continue
		}
		switch {
		case t.Kind == opening && t.Mate > i && f.at(i) == "(" && f.kindAt(i-1) == word:
			f.relatedCall(i, fam)
		case t.Kind == opening && t.Mate > i && f.isText(i):
			f.placeholders(i)
		case t.Kind == text, t.Kind == literal, t.Kind == piece:
			f.relatedText(i)
		case t.Kind == word:
			f.relatedWord(i)
		case t.Kind == operator && f.at(i) == "+":
			f.concatenation(i)
		case t.Kind == operator && f.at(i) == "-" && f.renewed(i):
		case t.Kind == operator && (compared()[f.at(i)] != "" || f.at(i) == "-" || f.at(i) == "<=>"):
			f.sameMembers(i)
		}
	}
	for _, name := range []string{"Decimal", "Fraction", "BigInt", "BigDecimal", "Rational"} {
		if with := fam.Everywhere[name]; with != "" {
			f.everywhere(name, with)
		}
	}
	f.keys()
}

// relatedCall changes a call by what it is called with.
func (f *file) relatedCall(open int, fam wordlist.Family) {
	name, mate := f.at(open-1), f.tokens[open].Mate
	if f.inHead(open) || f.isWord(open-2, "def") || f.isWord(open-2, "function") || f.declaresName(open-1) && !f.isMember(open-1) {
		return
	}
	first := open - 1
	switch {
	case f.isMember(open-1) && f.kindAt(open-3) == word:
		qualified := f.at(open-3) + "." + name
		first = f.chain(open - 1)
		if with := fam.Named[qualified]; with != "" {
			from := open - 3
			if strings.Contains(with, ".") {
				f.swap("related", from, open-1, with)
			} else {
				f.swap("related", first, open-1, with)
			}
			return
		}
		if fam.Instants[qualified] {
			f.instant(first, open)
			return
		}
		if f.special(qualified, first, open) {
			return
		}
	case !f.isMember(open - 1):
		if with := fam.Named[name]; with != "" {
			f.swap("related", open-1, open-1, with)
		} else if fam.Instants[name] && f.isWord(open-2, "new") {
			f.instant(open-2, open)
		} else if f.lang.indented && (name == "median" || name == "mean") && f.mentions("from statistics import") {
			f.swap("related", open-1, open-1, `__import__("statistics").`+map[string]string{"median": "mean", "mean": "median"}[name])
		} else if f.lang.indented && name == "round" && mate == open+2 {
			f.swap("related", open-1, open-1, "int")
		} else {
			f.special(name, first, open)
		}
		return
	}
	if !f.isMember(open-1) || !f.operandEnds(open-3) {
		return
	}
	first = f.chain(open - 1)
	from, to := f.bytes(first, mate+1)
	if to-from > span {
		return
	}
	whole, receiver := f.source[from:to], f.source[from:f.tokens[open-2].From]
	put := func(with string) { f.add("related", from, to, with, instead(whole, with)) }
	one := mate > open+1 && f.single(open)
	switch {
	case f.lang.indented && (name == "startswith" || name == "endswith") && one && f.at(open+1) != "(":
		put("(" + f.slice(open+1, mate) + " in " + receiver + ")")
	case f.lang.indented && (name == "fullmatch" || name == "match"):
		f.swap("related", open-1, open-1, map[string]string{"fullmatch": "match", "match": "search"}[name])
	case f.lang.indented && name == "split" && mate == open+1 && f.freeText(first, open-2):
		put(receiver + `.split(" ")`)
	case f.lang.indented && name == "map" && f.mentions("PoolExecutor") && f.used(first, mate+1):
		if a := f.args(open); len(a) == 2 {
			with := `(done.result() for done in __import__("concurrent.futures").futures.as_completed([` + receiver + ".submit(" + f.slice(a[0][0], a[0][1]) + ", each) for each in " + f.slice(a[1][0], a[1][1]) + "]))"
			f.add("related", from, to, with, "`"+short(whole, side)+"` in the order in which they are done")
		}
	case f.lang.tick == 't' && name == "localeCompare" && one:
		b := f.slice(open+1, mate)
		put("(" + receiver + " < " + b + " ? -1 : " + receiver + " > " + b + " ? 1 : 0)")
	case fam.Bare[name] && mate > open+1:
		a, b := f.bytes(open, mate+1)
		f.add("related", a, b, "()", "`"+short("."+name+f.source[a:b], 50)+"` → `."+name+"()`")
	case name == "AddDate" && f.lang.bare:
		switch f.slice(open+1, mate) {
		case "1, 0, 0":
			f.swap("related", open+1, mate-1, "0, 0, 365")
		case "0, 1, 0":
			f.swap("related", open+1, mate-1, "0, 0, 30")
		}
	case name == "plusYears" && f.lang.ended && one:
		put(receiver + ".plusDays(365L * (" + f.slice(open+1, mate) + "))")
	case name == "plusMonths" && f.lang.ended && one:
		put(receiver + ".plusDays(30L * (" + f.slice(open+1, mate) + "))")
	case fam.Methods[name] != "" && (mate > open+1 || name == "casefold" || name == "isdigit" || strings.HasPrefix(name, "getUTC") || f.lang.worded):
		f.swap("related", open-1, open-1, fam.Methods[name])
	}
}

// freeText reports whether what is split at white space may have more than one space
// between words: it is no text that is written there, and its parts are not as many names.
func (f *file) freeText(first, point int) bool {
	if f.kindAt(point-1) == text {
		return false
	}
	return !(f.isOperator(first-1, "=") && first >= 4 && f.isOperator(first-3, ","))
}

// mentions reports whether a file has a text anywhere. It is looked for once.
func (f *file) mentions(part string) bool {
	is, known := f.mentioned[part]
	if !known {
		is = strings.Contains(f.source, part)
		if f.mentioned == nil {
			f.mentioned = map[string]bool{}
		}
		f.mentioned[part] = is
	}
	return is
}

// args are the arguments of a call, at most 20.
func (f *file) args(open int) [][2]int {
	var all [][2]int
	start, mate := open+1, f.tokens[open].Mate
	for i := start; i <= mate && len(all) < 20; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		if i == mate || f.isOperator(i, ",") {
			if start < i {
				all = append(all, [2]int{start, i})
			}
			start = i + 1
		}
	}
	return all
}

// single reports whether a call has one argument, which has no name and is not
// spread.
func (f *file) single(open int) bool {
	a := f.args(open)
	return len(a) == 1 && f.at(a[0][0]) != "*" && f.at(a[0][0]) != "**" && f.at(a[0][0]) != "..." && !f.isOperator(a[0][0]+1, "=") && !f.generates(a[0])
}

// generates reports whether an argument is a Python generator without brackets.
func (f *file) generates(a [2]int) bool {
	for i := a[0]; i < a[1]; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
		} else if f.isWord(i, "for") {
			return true
		}
	}
	return false
}

// special are calls for which an expression stands that does nearly the same.
func (f *file) special(name string, first, open int) bool {
	mate := f.tokens[open].Mate
	from, to := f.bytes(first, mate+1)
	if mate == open+1 || to-from > span {
		return false
	}
	inner := f.slice(open+1, mate)
	if a := f.args(open); len(a) == 1 {
		inner = f.slice(a[0][0], a[0][1]) // no comma behind it
	}
	put := func(with, shown string) bool {
		f.add("related", from, to, with, "`"+short(f.source[from:to], side)+"` "+shown)
		return true
	}
	switch name {
	case "Promise.all":
		if f.lang.name == "javascript" && f.single(open) && f.isWord(first-1, "await") && f.used(first, mate+1) {
			return put("(async (all, done) => { await Promise.all([...all].map(async (p) => done.push(await p))); return done; })("+inner+", [])", "in the order in which they are done")
		}
	case "asyncio.gather":
		if f.isWord(first-1, "await") && f.used(first, mate+1) && !strings.Contains(inner, "return_exceptions") && !f.generates([2]int{open + 1, mate}) {
			from = f.tokens[first-1].From
			return put(`[await done for done in __import__("asyncio").as_completed([`+inner+"])]", "in the order in which they are done")
		}
	case "lru_cache", "functools.lru_cache":
		if f.lang.indented && f.isOperator(first-1, "@") && f.at(open+1) == "maxsize" && f.isOperator(open+2, "=") && mate == open+4 && f.at(open+3) != "None" {
			return put("(lambda size, kept: lambda f: lambda *a: (kept[a] if a in kept else (len(kept) >= size and kept.pop(next(iter(kept))), kept.setdefault(a, f(*a)))[1]))("+f.at(open+3)+", {})", "drops the oldest entry")
		}
	}
	return false
}

// instant compares texts in the place of the times that are read from them. Where two
// are compared, both are texts.
func (f *file) instant(first, open int) {
	a := f.args(open)
	mate := f.tokens[open].Mate
	if len(a) == 0 || !f.used(first, mate+1) || f.kindAt(a[0][0]) == text && a[0][1]-a[0][0] == 1 || f.at(a[0][0]) == "..." || f.at(a[0][0]) == "*" {
		return
	}
	if f.lang.name != "python" && len(a) != 1 {
		return
	}
	if f.isMember(mate + 2) {
		return // .getTime(), .isoformat(): no text has it
	}
	left := f.wrapped(a[0][0], a[0][1])
	from, to := f.bytes(first, mate+1)
	sign := f.at(mate + 1)
	// the call on the other side begins with the same names
	n := open - first + 1
	if compared()[sign] != "" || sign == "-" && f.lang.tick == 't' {
		same := mate+1+n < len(f.tokens)
		for k := 0; same && k < n; k++ {
			same = f.at(mate+2+k) == f.at(first+k)
		}
		if other := mate + 1 + n; same && f.tokens[other].Mate > other {
			if b := f.args(other); len(b) > 0 {
				right := f.wrapped(b[0][0], b[0][1])
				to = f.tokens[f.tokens[other].Mate].To
				with := left + " " + sign + " " + right
				if sign == "-" {
					with = "(" + left + " < " + right + " ? -1 : " + left + " > " + right + " ? 1 : 0)"
				}
				f.add("related", from, to, with, instead(f.source[from:to], with))
			}
			return
		}
	}
	if compared()[f.at(first-1)] != "" || f.at(first-1) == "-" {
		return // the right side of such a comparison, or one with a time
	}
	f.add("related", from, to, left, instead(f.source[from:to], left))
}

// everywhere changes all calls of a conversion at once, as its values cannot be mixed
// with others.
func (f *file) everywhere(name, with string) {
	var b strings.Builder
	first, end, at := -1, 0, 0
	for i := range f.tokens {
		t := f.tokens[i]
		whole := f.kindAt(i) == number && f.lang.tick == 't' && strings.HasSuffix(f.at(i), "n")
		if f.quiet[i] || !whole && (f.at(i) != name || f.kindAt(i) != word || f.at(i+1) != "(" || f.isMember(i) && f.at(i-2) != "decimal" && f.at(i-2) != "fractions") {
			continue
		}
		from := t.From
		if f.isMember(i) {
			from = f.tokens[i-2].From
		}
		if first >= 0 && t.To-first > span {
			return
		}
		if first < 0 {
			first, at = from, from
		}
		b.WriteString(f.source[at:from])
		if whole {
			b.WriteString(strings.TrimSuffix(f.at(i), "n"))
		} else {
			b.WriteString(with)
		}
		at, end = t.To, t.To
	}
	if first >= 0 && strings.Contains(b.String(), with) {
		f.add("related", first, end, b.String(), "`"+name+"(…)` → `"+with+"(…)` from here on")
	}
}

// relatedWord changes words that name a way to do something.
func (f *file) relatedWord(i int) {
	switch w := f.at(i); {
	case w == "lambda" && f.lang.indented && f.kindAt(i+1) == word && f.isOperator(i+2, ":") && f.at(i+3) == f.at(i+1) && f.at(i-1) == "=" && f.at(i-2) == "key":
		if end := f.memberEnd(i + 3); end > 0 && (f.at(end) == ")" || f.at(end) == ",") {
			if other := f.otherMember(f.at(i+1), f.slice(i+4, end), i+3); other != "" {
				f.swap("related", i+3, end-1, f.at(i+1)+other)
			}
		}
	case f.lang.indented && (w == "ROUND_HALF_UP" || w == "ROUND_HALF_EVEN"):
		with := map[string]string{"ROUND_HALF_UP": `"ROUND_HALF_EVEN"`, "ROUND_HALF_EVEN": `"ROUND_HALF_UP"`}[w]
		first := i
		if f.isMember(i) {
			first = f.chain(i)
		}
		f.swap("related", first, i, with)
	case f.lang.name == "java" && (w == "HALF_UP" || w == "HALF_EVEN") && f.isMember(i):
		f.swap("related", i, i, map[string]string{"HALF_UP": "HALF_EVEN", "HALF_EVEN": "HALF_UP"}[w])
	case f.lang.name == "java" && w == "LinkedHashMap" && f.isWord(i-1, "new"):
		f.swap("related", i, i, "java.util.HashMap")
	case (w == "years" || w == "months") && f.kindAt(i+2) == number && (f.isOperator(i+1, "=") && f.lang.indented || f.isOperator(i+1, ":") && !f.lang.indented) && f.tokens[i].Up >= 0 && !f.isOperator(i-1, "?"):
		days := map[string]string{"years": "365", "months": "30"}[w]
		with := "days" + f.at(i+1) + strings.Repeat(" ", f.tokens[i+2].From-f.tokens[i+1].To) + days
		if f.at(i+2) != "1" {
			with += " * " + f.at(i+2)
		}
		f.swap("related", i, i+2, with)
	}
}
