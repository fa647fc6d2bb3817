package source

import "strings"

// limits takes off what keeps a value within bounds: one side of a comparison in a chain,
// a slice, the wait that ends a call, and what is done with a promise that fails.
func (f *file) limits() {
	for i, t := range f.tokens {
		if f.quiet[i] {
			continue
		}
		switch {
		case t.Kind == operator && f.lang.indented && ordered()[f.at(i)]:
			f.between(i)
		case t.Kind == opening && t.Mate > i+1 && f.at(i) == "[" && f.kindAt(i-1) != opening && f.operandEnds(i-1) && !t.Newline && (f.lang.indented || f.lang.bare):
			f.sliced(i)
		case t.Kind == opening && t.Mate > i+1 && f.at(i) == "(" && f.kindAt(i-1) == word && !f.inHead(i):
			f.limitedCall(i)
		}
	}
}

var ordered = set("< <= > >= == !=")

// between leaves out the first and the last comparison of a chain of Python: a <= x <= b.
func (f *file) between(i int) {
	stop := func(n int) bool {
		and, or := f.logic(n)
		return and || or || f.bound(n) || f.isWord(n, "not") || f.isWord(n, "in") || f.isWord(n, "is")
	}
	first, last := f.left(i, stop), f.right(i, stop)
	if first < 0 || first >= i || last <= i+1 || last > len(f.tokens) {
		return
	}
	var signs []int
	for n := first; n < last; n++ {
		if t := f.tokens[n]; t.Kind == opening && t.Mate > n {
			n = t.Mate
		} else if t.Kind == operator && ordered()[f.at(n)] {
			signs = append(signs, n)
		}
	}
	if len(signs) < 2 || signs[0] != i || signs[len(signs)-1] == last-1 {
		return
	}
	if last < len(f.tokens) && (f.isWord(last, "in") || f.isWord(last, "is") || f.isWord(last, "not")) || f.isWord(first-1, "in") || f.isWord(first-1, "is") {
		return
	}
	from, to := f.bytes(first, last)
	whole, second := f.source[from:to], f.tokens[i+1].From
	f.add("condition", from, second, "", instead(whole, f.source[second:to]))
	at := f.tokens[signs[len(signs)-1]-1].To
	f.add("condition", at, to, "", instead(whole, f.source[from:at]))
}

// sliced leaves out the bounds of a slice that are no numbers: xs[:top], xs[a:b]. Go keeps
// their names in use.
func (f *file) sliced(open int) {
	mate := f.tokens[open].Mate
	colon := -1
	for i := open + 1; i < mate; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			i = t.Mate
			continue
		}
		switch {
		case f.isOperator(i, ","), f.isWord(i, "lambda"), f.isOperator(i, ":") && colon >= 0:
			return
		case f.isOperator(i, ":"):
			colon = i
		}
	}
	s := f.owner[open]
	if colon < 0 || s >= 0 && f.isWord(f.statements[s].first, "del") || assigns()[f.at(mate+1)] {
		return
	}
	first := f.chain(open - 1)
	from, to := f.bytes(first, mate+1)
	if to-from > span {
		return
	}
	f.leave(f.slice(open, mate+1), f.slice(open, mate+1), open, f.tokens[open].From, to, "")
	f.places[len(f.places)-1].Begin = from
	low, high := colon > open+1 && !f.written(open+1, colon), colon+1 < mate && !f.written(colon+1, mate)
	if f.lang.bare {
		if high && f.path(first, open) {
			a, b := f.bytes(colon+1, mate)
			base := f.slice(first, open)
			f.add("call", a, b, "len("+base+")+0*int("+f.source[a:b]+")", f.within(from, to, a, b, ""))
		}
		if low {
			a, b := f.bytes(open+1, colon)
			f.add("call", a, b, "0*int("+f.source[a:b]+")", f.within(from, to, a, b, ""))
		}
		return
	}
	if low != high && (colon == open+1 || colon+1 == mate) {
		a := f.tokens[open].From
		f.add("call", a, to, "", f.receiver(from, a, to))
		return
	}
	if high {
		a, b := f.bytes(colon+1, mate)
		f.add("call", a, b, "", f.within(from, to, a, b, ""))
	}
	if low {
		a, b := f.bytes(open+1, colon)
		f.add("call", a, b, "", f.within(from, to, a, b, ""))
	}
}

// written reports whether tokens are a number, with a sign or without.
func (f *file) written(first, last int) bool {
	if f.isOperator(first, "-") {
		first++
	}
	return last-first == 1 && f.kindAt(first) == number
}

// limitedCall takes off a call that limits what it is given.
func (f *file) limitedCall(open int) {
	name, mate := f.at(open-1), f.tokens[open].Mate
	first := f.chain(open - 1)
	from, to := f.bytes(first, mate+1)
	if to-from > span || f.isWord(first-1, "def") || f.isWord(first-1, "function") || f.isWord(first-1, "func") || f.declaresName(open-1) && !f.isMember(open-1) {
		return
	}
	whole, qualified := f.source[from:to], f.slice(first, open)
	put := func(with, shown string) {
		f.add("call", from, to, with, instead(whole, shown))
	}
	args := f.args(open)
	for _, a := range args {
		if w := f.at(a[0]); w == "*" || w == "**" || w == "..." {
			return
		}
	}
	if len(args) == 0 {
		return
	}
	arg := func(n int) string { return f.slice(args[n][0], args[n][1]) }
	method := f.isMember(open-1) && f.operandEnds(open-3)
	receiver := ""
	if method {
		receiver = f.source[from:f.tokens[open-2].From]
	}
	off := func() { // the method alone
		a := f.tokens[open-2].From
		f.add("call", a, to, "", f.receiver(from, a, to))
		f.withoutMethod(open-1, mate+1, a, to)
	}
	switch {
	case f.lang.indented:
		f.limitedPython(qualified, open, args, put)
	case f.lang.worded && method:
		switch {
		case (name == "first" || name == "last" || name == "take" || name == "drop") && len(args) == 1 && f.used(first, mate+1):
			off()
		case name == "between?" && len(args) == 2:
			put("("+receiver+" >= "+arg(0)+")", receiver+" >= "+arg(0))
			put("("+receiver+" <= "+arg(1)+")", receiver+" <= "+arg(1))
		case name == "clamp" && len(args) == 2:
			put("["+receiver+", "+arg(0)+"].max", "["+receiver+", "+arg(0)+"].max")
			put("["+receiver+", "+arg(1)+"].min", "["+receiver+", "+arg(1)+"].min")
		case qualified == "Timeout.timeout":
			a, b := f.bytes(args[0][0], args[0][1])
			f.add("call", a, b, "nil", f.within(from, to, a, b, "nil"))
		}
	case f.lang.tick == 't':
		f.limitedScript(qualified, open, args, put)
		switch {
		case !method:
		case name == "catch" && receiver != "" || name == "finally":
			off()
		case name == "then" && len(args) == 2:
			a, b := f.tokens[args[0][1]-1].To, f.tokens[args[1][1]-1].To
			f.add("call", a, b, "", without(f.source[f.tokens[args[1][0]].From:b]))
		case (name == "substring" || name == "substr") && f.used(first, mate+1):
			off()
		}
	case f.lang.bare:
		switch {
		case qualified == "context.WithTimeout" && len(args) == 2:
			a, b := f.bytes(args[1][0], args[1][1])
			f.add("call", a, b, "("+f.source[a:b]+") + 1<<50", instead(whole, "context.WithCancel("+arg(0)+")"))
		case qualified == "context.WithDeadline" && len(args) == 2:
			a, b := f.bytes(args[1][0], args[1][1])
			f.add("call", a, b, "("+f.source[a:b]+").Add(1<<50)", instead(whole, "context.WithCancel("+arg(0)+")"))
		case qualified == "time.After" && len(args) == 1 && f.isOperator(first-1, "<-"):
			a, b := f.bytes(args[0][0], args[0][1])
			f.add("call", a, b, "("+f.source[a:b]+") + 1<<50", "`"+short(whole, 60)+"` never comes")
		}
	case f.lang.ended && method && (name == "orTimeout" || name == "completeOnTimeout" || name == "subList" || name == "substring") && f.used(first, mate+1):
		off()
	}
}

// limitedPython are the calls of Python that limit how much or how long.
func (f *file) limitedPython(name string, open int, args [][2]int, put func(with, shown string)) {
	first, mate := f.chain(open-1), f.tokens[open].Mate
	arg := func(n int) string { return f.slice(args[n][0], args[n][1]) }
	named := func(n int) bool { return f.isOperator(args[n][0]+1, "=") }
	switch name {
	case "asyncio.wait_for", "wait_for":
		if len(args) == 2 && !named(0) {
			put(f.wrapped(args[0][0], args[0][1]), arg(0))
		}
	case "asyncio.shield", "shield":
		if len(args) == 1 {
			put(f.wrapped(args[0][0], args[0][1]), arg(0))
		}
	case "asyncio.timeout", "asyncio.timeout_at":
		if f.isWord(mate+1, "as") && len(args) == 1 {
			a, b := f.bytes(args[0][0], args[0][1])
			f.add("call", a, b, "None", without(f.slice(first, mate+1)))
		}
	case "islice", "itertools.islice":
		if len(args) > 1 {
			put("iter("+arg(0)+")", arg(0))
		}
	case "heapq.nlargest", "heapq.nsmallest", "nlargest", "nsmallest":
		if len(args) < 2 || named(0) || named(1) || f.isMember(first) {
			return
		}
		with := "sorted(" + arg(1)
		if len(args) > 2 {
			key := arg(2)
			if !named(2) {
				key = "key=" + key
			}
			with += ", " + key
		}
		if strings.HasSuffix(name, "nlargest") {
			with += ", reverse=True"
		}
		put(with+")", with+")")
	default:
		if f.isMember(open-1) && f.at(open-1) == "most_common" && len(args) == 1 && f.at(mate+1) != "[" {
			a, b := f.bytes(args[0][0], args[0][1])
			from, to := f.bytes(first, mate+1)
			f.add("call", a, b, "", f.within(from, to, a, b, ""))
		}
	}
}

// limitedScript are the calls of JavaScript that wait for one of several promises, or for
// all of them.
func (f *file) limitedScript(name string, open int, args [][2]int, put func(with, shown string)) {
	mate := f.tokens[open].Mate
	note := ""
	if f.lang.name == "typescript" {
		note = ": any"
	}
	switch name {
	case "Promise.race", "Promise.any", "AbortSignal.any":
		if list := open + 1; f.at(list) == "[" && f.tokens[list].Mate == mate-1 && len(f.args(list)) > 1 {
			f.elements(list, func(first, _ int) bool { return f.at(first) != "..." })
		}
	case "AbortSignal.timeout":
		if first := f.chain(open - 1); f.at(first-1) != ":" || f.at(first-2) != "signal" { // a member is left out
			put("new AbortController().signal", "new AbortController().signal")
		}
	case "Promise.allSettled":
		if len(args) == 1 {
			given := f.slice(args[0][0], args[0][1])
			put("Promise.all(Array.from("+given+", async (one"+note+") => ({ status: \"fulfilled\", value: await one })))", "Promise.all("+given+")")
		}
	case "Promise.all":
		if first := f.chain(open - 1); len(args) == 1 && f.isWord(first-1, "await") {
			given := f.slice(args[0][0], args[0][1])
			put("Promise.allSettled("+given+").then((all"+note+") => all.map((one"+note+") => one.value))", "Promise.allSettled("+given+")")
		}
	}
}
