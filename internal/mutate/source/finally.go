package source

import (
	"strings"

	wordlist "github.com/scenario-lang/scenario/internal/mutate/source/words"
)

// finally lets what always runs at the end run only where nothing went wrong.
func (f *file) finally() {
	for n, s := range f.statements {
		if f.quiet[s.first] {
			continue
		}
		switch {
		case s.key == "finally" && f.lang.indented && s.head:
			f.finallyIndented(n, `if __import__("sys").exc_info()[0]: raise`)
		case s.key == "ensure" && f.lang.worded && s.head && n+1 < len(f.statements) && s.last == s.first+1:
			from := f.tokens[s.first].From
			f.add("statement", from, from+len("ensure"), "ensure\nraise if $!", onlyFine(f.slice(s.first, s.last)))
		case s.key == "finally" && f.at(s.last) == "{" && s.head:
			f.finallyBlock(s)
		case s.key == "defer" && f.lang.bare && !s.head:
			f.deferred(s)
		}
	}
}

func onlyFine(what string) string { return "`" + short(what, 50) + "` only when nothing failed" }

// finallyIndented raises again before the first statement of Python's finally.
func (f *file) finallyIndented(n int, raise string) {
	s := f.statements[n]
	body := s.last + 1
	if body >= len(f.tokens) {
		return
	}
	at := f.tokens[body].From
	shown := onlyFine(f.slice(s.first, s.last))
	if f.tokens[body].Newline {
		from := f.lines[f.line(at)-1]
		f.add("statement", at, at, raise+"\n"+f.source[from:at], shown)
		return
	}
	from := f.lines[f.line(f.tokens[s.first].From)-1]
	space := f.source[from:f.tokens[s.first].From]
	if strings.TrimSpace(space) == "" {
		f.add("statement", at, at, "\n"+space+"    "+raise+"\n"+space+"    ", shown)
	}
}

// finallyBlock asks in a finally of JavaScript or Java whether something was thrown.
func (f *file) finallyBlock(s statement) {
	mate := f.tokens[s.last].Mate
	if mate < 0 {
		return
	}
	first := s.first // the try, behind which a catch may stand
	for n := 0; n < 20 && first > 0 && f.at(first-1) == "}"; n++ {
		first = f.tokens[first-1].Mate
		if f.at(first-1) == ")" {
			first = f.tokens[first-1].Mate
		}
		first--
		if f.isWord(first, "try") {
			break
		}
	}
	if !f.isWord(first, "try") {
		return // with a head in parentheses, it closes what it opens
	}
	from, to := f.bytes(first, mate+1)
	if to-from > span {
		return
	}
	begin, end, caught, thrown := "{ let finallyFailed = false; try { ", " }", "catch (failed) { finallyFailed = true; throw failed; }", "finallyFailed"
	if f.lang.ended {
		begin, caught, thrown = "{ boolean[] finallyFailed = {false}; try { ", "catch (Throwable failed) { finallyFailed[0] = true; throw failed; }", "finallyFailed[0]"
	}
	tried := f.slice(first, s.first)
	if only := f.tokens[first+1].Mate; only == s.first-1 {
		begin, end = strings.TrimSuffix(begin, "try { "), ""
	}
	body := f.slice(s.last, mate+1)
	f.add("statement", from, to, begin+tried+end+" "+caught+" finally { if (!"+thrown+") "+body+" } }", onlyFine("finally"))
}

// deferred calls what Go's defer calls at the last line of the function, so that no
// return before it does.
func (f *file) deferred(s statement) {
	up := f.tokens[s.first].Up
	if up < 0 || f.at(up) != "{" || f.at(s.last-1) != ")" {
		return
	}
	results, is := f.functionBody(up)
	if !is {
		return // the block of an if or a loop
	}
	mate := f.tokens[up].Mate
	last := f.lastStatement(up, s.last)
	if last < 0 || !f.returnsBetween(s.last, last) {
		return
	}
	call := f.slice(s.first+1, s.last)
	from, to := f.bytes(s.first, mate)
	if to-from > span {
		return
	}
	after := f.tokens[s.last-1].To
	at := to
	text := "\n" + call
	if f.isWord(last, "return") {
		at = f.tokens[last].From
		text = call + "\n"
	} else if results {
		return
	}
	f.add("statement", from, to, f.source[after:at]+text+f.source[at:to], "`"+short(call, 40)+"` at the end, not at another `return`")
}

// functionBody reports whether a { of Go begins the body of a function, and whether the function has results.
func (f *file) functionBody(up int) (results, is bool) {
	params := up - 1
	// named reports whether a bracket ends the parameters of what has a name, or of a function without one.
	named := func(i int) bool { return f.at(i) == ")" && f.kindAt(f.tokens[i].Mate-1) == word }
	if results = !named(params); results {
		for n := 0; n < 40 && params > 0 && !named(params); n++ {
			if t := f.tokens[params]; t.Kind == closing {
				params = t.Mate
			}
			params--
		}
	}
	if params < 1 || f.at(params) != ")" {
		return results, false
	}
	name := f.tokens[params].Mate - 1
	method := f.at(name-1) == ")" && f.isWord(f.tokens[name-1].Mate-1, "func")
	return results, f.isWord(name, "func") || f.isWord(name-1, "func") || method
}

// lastStatement is the first token of the last statement in a block, -1 where it stands before a token or is not found.
func (f *file) lastStatement(up, after int) int {
	mate := f.tokens[up].Mate
	last := mate - 1
	for n := 0; last > after && n < reach; n++ {
		if t := f.tokens[last]; t.Kind == closing && t.Mate > 0 {
			last = t.Mate
		}
		if o := f.owner[last]; f.tokens[last].Up == up && o >= 0 && f.statements[o].first == last {
			break
		}
		last--
	}
	if last < after || last > mate-1 || f.tokens[last].Up != up {
		return -1
	}
	return last
}

// returnsBetween reports whether a return stands between two tokens.
func (f *file) returnsBetween(from, to int) bool {
	for i := from; i < to && i < from+4*reach; i++ {
		if f.isWord(i, "return") {
			return true
		}
	}
	return false
}

// caught leaves out one of the exceptions that are caught, and catches a narrower one.
func (f *file) caught() {
	for _, s := range f.statements {
		if !s.head || f.quiet[s.first] {
			continue
		}
		switch {
		case s.key == "except" && f.lang.indented:
			f.exceptions(s)
		case s.key == "catch" && f.lang.ended && f.at(s.last) == "{":
			f.exceptionsTyped(s)
		case s.key == "rescue" && f.lang.worded && f.at(s.first) == "rescue":
			f.rescued(s)
		}
	}
}

// exceptions changes what Python's except names.
func (f *file) exceptions(s statement) {
	first := s.first + 1
	if f.at(first) == "*" { // except*
		first++
	}
	if f.at(first) == "(" && f.tokens[first].Mate < s.last {
		all := f.args(first)
		from, to := f.bytes(first, f.tokens[first].Mate+1)
		for n, a := range all {
			var rest []string
			for m, b := range all {
				if m != n {
					rest = append(rest, f.slice(b[0], b[1]))
				}
			}
			if len(rest) == 0 {
				break
			}
			with := strings.Join(rest, ", ")
			if len(rest) > 1 {
				with = "(" + with + ")"
			}
			f.add("condition", from, to, with, "`except` without `"+short(f.slice(a[0], a[1]), 60)+"`")
		}
		return
	}
	last := first
	for last < s.last && (f.kindAt(last) == word && !f.isWord(last, "as") || f.isOperator(last, ".")) {
		last++
	}
	if last == first {
		if s.last == first { // a bare one
			at := f.tokens[s.last].From
			for _, with := range wordlist.Narrower("Exception", f.mentions) {
				f.add("condition", at, at, " "+with, "`except` → `except "+with+"`")
			}
		}
		return
	}
	from, to := f.bytes(first, last)
	name := f.source[from:to]
	for _, with := range wordlist.Narrower(name, f.mentions) {
		f.add("condition", from, to, with, "`except "+short(name, 30)+"` → `except "+with+"`")
	}
}

// exceptionsTyped lets one of the types that Java catches pass, in an exception that
// need not be declared.
func (f *file) exceptionsTyped(s statement) {
	open := s.first + 1
	mate := f.tokens[open].Mate
	if f.at(open) != "(" || mate < open+3 || mate > open+60 {
		return
	}
	name := f.at(mate - 1)
	start, at := open+1, f.tokens[s.last].To
	if f.isWord(start, "final") {
		start++
	}
	many := false
	for i := start; i < mate; i++ {
		if f.isOperator(i, "|") {
			many = true
		}
		if f.isOperator(i, "|") || i == mate-1 {
			if t := f.slice(start, i); many {
				f.add("condition", at, at, " if ("+name+" instanceof "+t+") throw new RuntimeException("+name+");", "`catch` without `"+short(t, 60)+"`")
			} else if t == "Exception" || t == "Throwable" {
				f.add("condition", at, at, " if (!("+name+" instanceof java.io.IOException)) throw new RuntimeException("+name+");", "`catch ("+t+")` → `catch (IOException)`")
			}
			start = i + 1
		}
	}
}

// rescued changes what Ruby's rescue names.
func (f *file) rescued(s statement) {
	var all [][2]int
	start, end := s.first+1, s.last
	for i := start; i < s.last && i < start+60; i++ {
		if f.isOperator(i, "=>") {
			end = i
			break
		}
	}
	for i := start; i <= end; i++ {
		if i == end || f.isOperator(i, ",") {
			if start < i {
				all = append(all, [2]int{start, i})
			}
			start = i + 1
		}
	}
	switch {
	case len(all) > 1 && !f.isOperator(all[0][0], "*"):
		from, to := f.bytes(all[0][0], end)
		for n, a := range all {
			var rest []string
			for m, b := range all {
				if m != n {
					rest = append(rest, f.slice(b[0], b[1]))
				}
			}
			f.add("condition", from, to, strings.Join(rest, ", "), "`rescue` without `"+short(f.slice(a[0], a[1]), 60)+"`")
		}
	case len(all) == 0:
		at := f.tokens[s.first].To
		f.add("condition", at, at, " SystemCallError", "`rescue` → `rescue SystemCallError`")
	case f.slice(all[0][0], all[0][1]) == "StandardError":
		from, to := f.bytes(all[0][0], all[0][1])
		f.add("condition", from, to, "SystemCallError", "`rescue StandardError` → `rescue SystemCallError`")
	}
}
