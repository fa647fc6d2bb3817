package inner

import (
	"math"
	"strconv"
	"strings"
)

// A level are the tokens that stand in one bracket, without those in brackets of their
// own.
type level []int

// end is the token behind a part of a level: behind its bracket, if it opens one.
func (p *program) end(own level, k int) int { return p.jump(own[k]) }

// bytes are the first and the last byte of a part of a level.
func (p *program) bytes(own level, a, b int) (from, to int) {
	return p.tokens[own[a]].From, p.tokens[p.end(own, b-1)-1].To
}

// split are the parts of a level between those that end one.
func split(own level, bound func(int) bool) [][2]int {
	var parts [][2]int
	start := 0
	for k := range own {
		if bound(own[k]) {
			if start < k {
				parts = append(parts, [2]int{start, k})
			}
			start = k + 1
		}
	}
	if start < len(own) {
		parts = append(parts, [2]int{start, len(own)})
	}
	return parts
}

// A logic says which tokens join conditions, and how a condition that cannot be left out
// is one that does not decide.
type logic struct {
	and, or, bound func(i int) bool
	// always and never are put behind a condition that stays.
	always, never string
}

// sides leaves out each side of and and or.
func (p *program) sides(own level, l logic) {
	for _, s := range split(own, l.bound) {
		or := p.joined(own, s, l.or)
		p.dropped(own, or, l, false)
		for _, part := range or {
			p.dropped(own, p.joined(own, part, l.and), l, true)
		}
	}
}

// joined are the parts of a part that a sign joins. An and of BETWEEN joins none.
func (p *program) joined(own level, s [2]int, sign func(int) bool) [][2]int {
	var parts [][2]int
	start, between := s[0], false
	for k := s[0]; k < s[1]; k++ {
		if p.is(own[k], "between") && p.grammar.fold {
			between = true
		}
		if !sign(own[k]) {
			continue
		}
		if between && p.is(own[k], "and") {
			between = false
			continue
		}
		parts = append(parts, [2]int{start, k})
		start = k + 1
	}
	return append(parts, [2]int{start, s[1]})
}

func (p *program) dropped(own level, parts [][2]int, l logic, and bool) {
	if len(parts) < 2 {
		return
	}
	for _, part := range parts {
		if part[0] >= part[1] {
			return
		}
	}
	for n, part := range parts {
		from, to := p.bytes(own, part[0], part[1])
		start, end := from, to
		if n == 0 {
			end, _ = p.bytes(own, parts[1][0], parts[1][1])
		} else {
			_, start = p.bytes(own, parts[n-1][0], parts[n-1][1])
		}
		shown := p.text[start:end]
		switch {
		case !p.has(own[part[0]], p.end(own, part[1]-1), given):
			p.leave("condition", start, end, shown)
		case to-from > copied:
		case and:
			p.add("condition", from, to, "("+p.text[from:to]+l.always+")", Without(shown))
		default:
			p.add("condition", to, to, l.never, Without(shown))
		}
	}
}

// phrase are the bytes around a part of a level up to where something else begins.
func (p *program) phrase(own level, k int, stop func(int) bool) (from, to int) {
	a, b := k, k+1
	for a > 0 && k-a < 20 && !stop(own[a-1]) {
		a--
	}
	for b < len(own) && b-k < 20 && !stop(own[b]) {
		b++
	}
	return p.bytes(own, a, b)
}

// another puts a text in the place of a part of a level.
func (p *program) another(operator string, own level, k int, with string, stop func(int) bool) {
	from, to := p.phrase(own, k, stop)
	a, b := p.tokens[own[k]].From, p.tokens[own[k]].To
	p.add(operator, a, b, with, Within(p.text, from, to, a, b, with))
}

// glue reports whether a sign is a part of an operand.
func glue(sign string) bool {
	switch sign {
	case ".", "?", "::", "$", "->", "->>":
		return true
	}
	return false
}

// touching reports whether two parts of a level stand together without a space.
func (p *program) touching(own level, k int) bool {
	return k > 0 && k < len(own) && p.tokens[own[k]].From == p.tokens[p.end(own, k-1)-1].To
}

func (p *program) part(i int) bool {
	switch p.kindAt(i) {
	case word:
		return !p.grammar.keywords[p.tokens[i].Name]
	case sign:
		return glue(p.at(i))
	}
	return true
}

// right is the end of the operand that begins at a part of a level, 0 for none.
func (p *program) right(own level, k int) int {
	if k < len(own) && p.isSign(own[k], "-") {
		k++
	}
	if k >= len(own) || !p.part(own[k]) {
		return 0
	}
	for k++; k < len(own) && p.part(own[k]) && p.touching(own, k); k++ {
	}
	return k
}

// left is the first part of the operand that ends before a part of a level, -1 for none.
func (p *program) left(own level, k int) int {
	if k < 1 || !p.part(own[k-1]) {
		return -1
	}
	for k--; k > 0 && p.touching(own, k) && p.part(own[k-1]); k-- {
	}
	return k
}

// factors are the parts around a sign that multiplying joins: those of + and -.
func (p *program) factors(own level, k int) (first, last int) {
	first, last = p.left(own, k), p.right(own, k+1)
	for n := 0; n < 10 && first > 0 && (p.isSign(own[first-1], "*") || p.isSign(own[first-1], "/")); n++ {
		if first = p.left(own, first-1); first < 0 {
			return -1, 0
		}
	}
	for n := 0; n < 10 && last > 0 && last < len(own) && (p.isSign(own[last], "*") || p.isSign(own[last], "/")); n++ {
		if last = p.right(own, last+1); last == 0 {
			return -1, 0
		}
	}
	return first, last
}

// calculated is the sign that takes the place of one that computes, "" for others.
func calculated(sign string) string {
	switch sign {
	case "+":
		return "-"
	case "-":
		return "+"
	case "/", "%":
		return "*"
	case "*":
		return "/"
	}
	return ""
}

// arithmetic changes signs that compute, and leaves out what is multiplied or added.
func (p *program) arithmetic(own level, k int) {
	s := p.at(own[k])
	with := calculated(s)
	if with == "" || p.kindAt(own[k]) != sign || k == 0 || k+1 >= len(own) || !p.operandEnds(p.end(own, k-1)-1) {
		return
	}
	first, last := p.left(own, k), p.right(own, k+1)
	if s == "+" || s == "-" {
		first, last = p.factors(own, k)
	}
	if first < 0 || last <= k+1 {
		return
	}
	for _, i := range own[first:last] {
		if p.kindAt(i) == text || p.kindAt(i) == opening && p.at(i) == "{" {
			return // texts are put together, and objects
		}
	}
	from, to := p.bytes(own, first, last)
	a, b := p.tokens[own[k]].From, p.tokens[own[k]].To
	p.add("arithmetic", a, b, with, Within(p.text, from, to, a, b, with))
	_, before := p.bytes(own, first, k)
	behind, _ := p.bytes(own, k+1, last)
	if !p.has(own[k+1], p.end(own, last-1), given) {
		p.leave("arithmetic", before, to, p.text[a:to])
	}
	if (s == "*" || s == "+") && !p.has(own[first], p.end(own, k-1), given) && (first == 0 || !p.isSign(own[first-1], "/") && !p.isSign(own[first-1], "-")) {
		p.leave("arithmetic", from, behind, p.text[from:b])
	}
}

// increased is another number for the one that a token is, "" for none.
func increased(digits string) string {
	if len(digits) > 1 && digits[0] == '0' && digit(digits[1]) {
		return ""
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n < math.MaxInt64 {
		return strconv.FormatInt(n+1, 10)
	}
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || x > 1e12 {
		return ""
	}
	if x == 0 {
		return "1"
	}
	out := strconv.FormatFloat(2*x, 'g', -1, 64)
	if !strings.ContainsAny(out, ".e") {
		out += ".0"
	}
	return out
}

// emptied is a text without what is in it, or with something where it is empty. A text
// that is long, or that is computed, stays as it is.
func emptied(s string) string {
	if len(s) < 2 || len(s) > 60 {
		return ""
	}
	if len(s) == 2 {
		return s[:1] + "other" + s[:1]
	}
	return s[:1] + s[:1]
}

// names are words as a set.
func names(list string) map[string]bool {
	all := map[string]bool{}
	for _, w := range strings.Fields(list) {
		all[w] = true
	}
	return all
}

// swaps are words with what takes the place of each.
func swaps(list string) map[string]string {
	all := map[string]string{}
	for w := strings.Fields(list); len(w) > 1; w = w[2:] {
		all[w[0]] = w[1]
	}
	return all
}
