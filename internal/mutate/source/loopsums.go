package source

import (
	"slices"
	"strings"
)

// loopSums round what a loop adds up after the loop, and not what each turn adds.
func (f *file) loopSums() {
	for n, s := range f.statements {
		if s.head || s.member || f.quiet[s.first] {
			continue
		}
		sort, sign := f.classify(s)
		if sort != assign || sign < 0 {
			continue
		}
		target := f.slice(s.first, sign)
		first := sign + 1
		switch {
		case f.at(sign) == "+=":
		case f.at(sign) == "=" && f.isOperator(2*sign-s.first+1, "+") && f.slice(first, 2*sign-s.first+1) == target:
			first = 2*sign - s.first + 2 // total = total + …
		default:
			continue
		}
		if r, ok := f.rounds(first, s.last); ok && f.path(s.first, sign) && fixed(r.names) && (!f.lang.ended || r.own || strings.Contains(r.after, ".")) {
			// In Java, Math.round(x) / 100.0 is no whole number, so neither is the total.
			f.afterLoop(n, r, target, first)
		}
	}
}

// path reports whether some tokens are a name or a member of one, such as self.total.
func (f *file) path(first, last int) bool {
	for i := first; i < last; i++ {
		if (i-first)%2 == 0 && f.kindAt(i) != word || (i-first)%2 == 1 && !f.isOperator(i, ".") {
			return false
		}
	}
	return (last-first)%2 == 1
}

// fixed reports whether names are those of constants and classes, which are the same behind a loop.
func fixed(names []string) bool {
	for _, n := range names {
		if n[0] < 'A' || n[0] > 'Z' {
			return false
		}
	}
	return true
}

// afterLoop adds the rounding of a target behind the loop around a statement. The rounded value begins at a token.
func (f *file) afterLoop(n int, r rounded, target string, first int) {
	head, end := f.loopAround(n)
	if head < 0 || f.tokens[end-1].To-f.tokens[f.statements[head].first].From > span {
		return
	}
	for m := n; m >= 0 && f.statements[m].first > f.statements[head].first; m-- {
		if f.sets(m, target) {
			return // each turn begins a sum of its own
		}
	}
	for m := n + 1; m < len(f.statements) && f.statements[m].last <= end; m++ {
		if f.sets(m, target) {
			return
		}
	}
	from, to := f.bytes(first, f.statements[n].last)
	stop := f.tokens[end-1].To
	after := "\n" + f.blank(f.tokens[f.statements[head].first].From) + target + " = " + r.before + target + r.after
	if !f.lang.bare && !f.lang.indented {
		after += ";"
	}
	f.roundLater(r, from, stop, "("+r.value+")"+f.source[to:stop]+after)
}

// blank is the space at the beginning of the line of a byte.
func (f *file) blank(at int) string {
	line := f.margin(at)
	for i := range line {
		if line[i] != ' ' && line[i] != '\t' {
			return line[:i]
		}
	}
	return line
}

// sets reports whether a statement gives a target a value that does not begin with its own.
func (f *file) sets(n int, target string) bool {
	s := f.statements[n]
	if s.head {
		return false
	}
	sort, sign := f.classify(s)
	if sort == declare {
		return slices.Contains(f.targets(s, sign), target)
	}
	return sort == assign && sign > 0 && f.at(sign) == "=" && f.slice(s.first, sign) == target && f.slice(sign+1, min(2*sign-s.first+1, s.last)) != target
}

// loopAround is the head of the loop around a statement, and the first token behind the loop; -1 where there is none,
// or it ends in a way of its own.
func (f *file) loopAround(n int) (head, end int) {
	if f.lang.indented {
		return f.indentedLoop(n)
	}
	for i := f.tokens[f.statements[n].first].Up; i > 0 && f.at(i) == "{" && f.tokens[i].Mate > i; i = f.tokens[i].Up {
		h := f.owner[i-1]
		if h < 0 || !f.statements[h].head {
			return -1, -1
		}
		switch f.statements[h].key {
		case "for", "while":
			return h, f.tokens[i].Mate + 1
		case "if", "else", "try":
		default:
			return -1, -1
		}
	}
	return -1, -1
}

func (f *file) indentedLoop(n int) (head, end int) {
	limit := f.indent(f.tokens[f.statements[n].first].From)
	head = -1
	for m := n - 1; m >= max(0, n-reach) && head < 0; m-- {
		s := f.statements[m]
		if at := f.indent(f.tokens[s.first].From); s.head && at < limit {
			limit = at
			switch s.key {
			case "for", "while":
				head = m
			case "def", "class":
				return -1, -1
			}
		}
	}
	if head < 0 {
		return -1, -1
	}
	for m := n + 1; m < len(f.statements) && m < n+reach; m++ {
		s := f.statements[m]
		if f.tokens[s.first].Newline && f.indent(f.tokens[s.first].From) <= limit {
			if s.key == "else" {
				return -1, -1
			}
			return head, s.first
		}
	}
	if len(f.statements) > n+reach {
		return -1, -1
	}
	return head, len(f.tokens)
}
