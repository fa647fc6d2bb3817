package source

import "strings"

// once makes what a loop makes anew in each round once, before the loop.
func (f *file) once() {
	for n, s := range f.statements {
		if !s.head || s.lone || s.member || f.quiet[s.first] || f.at(s.first-1) == ":" && !f.lang.indented {
			continue
		}
		if s.key != "for" && s.key != "while" && s.key != "until" && !(f.lang.worded && f.eachBlock(s)) {
			continue
		}
		switch {
		case f.lang.indented || f.lang.worded:
			f.onceIndented(n)
		case f.at(s.last) == "{":
			f.onceBlock(n)
		}
	}
}

// eachBlock reports whether a head of Ruby is a call with a block that runs many times.
func (f *file) eachBlock(s statement) bool {
	for i := s.first; i < s.last && i < s.first+60; i++ {
		switch f.at(i) {
		case "each", "each_with_index", "each_with_object", "times", "each_line", "upto", "map", "each_slice", "loop":
			return f.kindAt(i) == word
		}
	}
	return false
}

// firstLines are the statements at the beginning of a block that make something empty, at
// most five: those that are in a bracket, and in a language with indentation those below.
func (f *file) firstLines(n, open int) (all []statement) {
	head := f.statements[n]
	for m := n + 1; m < len(f.statements) && m < n+8 && len(all) < 5; m++ {
		s := f.statements[m]
		if f.lang.worded && f.isOperator(s.first, "|") {
			continue // its parameters
		}
		if s.first < head.last || s.head || s.lone || f.quiet[s.first] || open >= 0 && f.tokens[s.first].Up != open || !f.tokens[s.first].Newline || !f.makes(s) {
			break
		}
		all = append(all, s)
	}
	return all
}

// onceIndented moves a line of Python or Ruby.
func (f *file) onceIndented(n int) {
	head := f.statements[n]
	from := f.tokens[head.first].From
	margin := f.margin(from)
	if len(margin) > reach || strings.TrimSpace(margin) != "" {
		return
	}
	for _, s := range f.firstLines(n, -1) {
		a, b := f.bytes(s.first, s.last)
		if f.indent(a) <= f.indent(from) {
			break
		}
		line := f.source[a:b]
		f.add("order", from, b, line+"\n"+margin+f.source[from:a]+f.lang.empty, onceBefore(line, head.key))
	}
}

// onceBlock moves a line of a block in brackets, with a block around both: another one
// may have a variable of that name.
func (f *file) onceBlock(n int) {
	head := f.statements[n]
	mate := f.tokens[head.last].Mate
	if mate < 0 {
		return
	}
	from, to := f.bytes(head.first, mate+1)
	if to-from > span {
		return
	}
	for _, s := range f.firstLines(n, head.last) {
		a, b := f.bytes(s.first, s.last)
		line, end := f.source[a:b], ";"
		if f.lang.bare {
			end = "\n"
		}
		f.add("order", from, to, "{ "+line+end+" "+f.source[from:a]+f.source[b:to]+end+"}", onceBefore(line, head.key))
	}
}

func onceBefore(line, loop string) string {
	return "`" + short(line, 40) + "` once, before the loop"
}

// fresh are values that hold nothing.
var fresh = set(`[] {} "" '' 0 0.0 0n nil null None False false set() dict() list() Counter() collections.Counter() Hash.new Array.new`)

// makes reports whether a statement makes something empty: x = [], var x T, x := T{}.
func (f *file) makes(s statement) bool {
	kind, sign := f.classify(s)
	if kind != assign && kind != declare {
		return false
	}
	if sign < 0 {
		return f.lang.bare && f.isWord(s.first, "var") && f.kindAt(s.first+1) == word && f.at(s.last-1) != ")"
	}
	if op := f.at(sign); op != "=" && op != ":=" || kind == assign && !f.plainTarget(s, sign) {
		return false
	}
	if s.last-sign > 40 || len(f.targets(s, sign)) == 0 {
		return false
	}
	value := f.slice(sign+1, s.last)
	if fresh()[value] {
		return true
	}
	first := sign + 1
	last := s.last - 1
	mate := f.tokens[last].Mate
	switch {
	case f.isWord(first, "new") && f.at(last) == ")" && mate == last-1:
		return f.lang.ended && (strings.HasSuffix(value, ">()") || strings.HasPrefix(value, "new StringBuilder")) || f.lang.tick == 't' && last-first <= 4
	case f.lang.bare && f.at(last) == "}" && mate == last-1:
		return true
	case f.lang.bare && f.isWord(first, "make") && f.at(first+1) == "(" && f.at(first+2) == "map":
		return true
	}
	return false
}
