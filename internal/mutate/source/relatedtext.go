package source

import (
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// relatedText changes what texts say to those who read them: a pattern, the format of a
// time, the name of a time zone.
func (f *file) relatedText(i int) {
	from, to := f.bytes(i, i+1)
	if to-from > 400 || to-from < 2 {
		return
	}
	s := f.source[from:to]
	put := func(a, b int, with string) {
		f.add("related", from+a, from+b, with, f.within(from, to, from+a, from+b, with))
	}
	if f.pattern(i) {
		inner.Patterns(s, f.kindAt(i) == literal, put)
		return
	}
	if f.kindAt(i) == literal {
		return
	}
	if f.kindAt(i) == text {
		if at := strings.IndexAny(s, "\"'`"); at >= 0 && at <= 2 && len(s) > at+2 {
			for _, z := range inner.FixedZones(s[at+1 : len(s)-1]) {
				put(at+1, len(s)-1, z)
			}
		}
	}
	for _, l := range f.letters(i) {
		if at := strings.Index(s, l[0]); at >= 0 {
			put(at, at+len(l[0]), l[1])
		}
	}
}

var (
	strftime = [][2]string{{"%V", "%W"}, {"%G", "%Y"}, {"%I", "%H"}, {"%H", "%I"}}
	ofJava   = [][2]string{{"yyyy", "YYYY"}, {"uuuu", "YYYY"}, {"HH", "hh"}, {"hh", "HH"}}
	ofGo     = [][2]string{{"15:04", "03:04"}}
)

// letters are those of the format of a time in a text, with others.
func (f *file) letters(i int) [][2]string {
	call := ""
	if up := f.tokens[i].Up; up > 0 && f.bracket(up, "(") {
		call = f.at(up - 1)
	}
	switch {
	case f.lang.name == "java" && (call == "ofPattern" || call == "SimpleDateFormat"):
		return ofJava
	case f.lang.name == "go" && (call == "Format" || call == "Parse" || call == "ParseInLocation"):
		return ofGo
	case call == "strftime" || call == "strptime", f.kindAt(i) == piece && f.lang.indented:
		return strftime
	}
	return nil
}

// pattern reports whether a token is a regular expression.
func (f *file) pattern(i int) bool {
	if f.kindAt(i) == literal {
		return f.lang.regex && f.at(i)[0] == '/'
	}
	up := f.tokens[i].Up
	if f.kindAt(i) != text || up < 1 || up != i-1 || !f.bracket(up, "(") {
		return false
	}
	name, of := f.at(up-1), f.at(up-3)
	switch f.lang.name {
	case "python":
		return f.isMember(up-1) && (of == "re" || of == "regex")
	case "go":
		return of == "regexp"
	case "java":
		return name == "compile" && of == "Pattern" || name == "matches" || name == "replaceAll"
	}
	return name == "RegExp"
}

// placeholders leaves out each of a few that are put into a text.
func (f *file) placeholders(open int) {
	mate := f.tokens[open].Mate
	if f.told(open) || f.isProgram(open, mate) {
		return
	}
	var all [][2]int
	for i := open + 1; i < mate; i++ {
		if t := f.tokens[i]; t.Kind == opening && t.Mate > i {
			all = append(all, [2]int{i, t.Mate})
			i = t.Mate
		}
		if len(all) > 5 {
			return
		}
	}
	if len(all) < 2 {
		return
	}
	from, to := f.bytes(open, mate+1)
	for n, p := range all {
		inner := strings.ToLower(f.slice(p[0]+1, p[1]))
		if n == 0 && p[0] == open+1 && strings.HasPrefix(f.at(p[1]+1), "/") || strings.Contains(inner, "environ") || strings.Contains(inner, ".env.") || strings.Contains(inner, "base") || inner == "" {
			continue // where it is sent to
		}
		a, b := f.bytes(p[0], p[1]+1)
		f.add("related", a, b, "", f.within(from, to, a, b, ""))
	}
}

// concatenation leaves out each name and call of a chain of texts.
func (f *file) concatenation(i int) {
	if !f.binary(i) || f.told(i) {
		return
	}
	stop := func(n int) bool {
		and, or := f.logic(n)
		return and || or || f.bound(n) || compared()[f.at(n)] != "" || f.isWord(n, "in") || f.isWord(n, "not")
	}
	first, last := f.left(i, stop), f.right(i, stop)
	if first < 0 || last <= i+1 || last > len(f.tokens) || last-first > 60 || !f.hasText(first, last) {
		return
	}
	for n := first; n < last; n++ {
		if t := f.tokens[n]; t.Kind == text && f.isProgram(n, n) {
			return
		} else if t.Kind == opening && t.Mate > n {
			n = t.Mate
		}
	}
	var parts [][2]int
	start, names := first, 0
	for n := first; n <= last; n++ {
		if n < last {
			if t := f.tokens[n]; t.Kind == opening && t.Mate > n {
				n = t.Mate
				continue
			}
		}
		if n < last && f.kindAt(n) == operator && f.at(n) != "+" && f.at(n) != "." && f.at(n) != "?." {
			return
		}
		if n == last || f.isOperator(n, "+") {
			if start == n {
				return
			}
			if f.kindAt(start) == word {
				names++
			}
			parts = append(parts, [2]int{start, n})
			start = n + 1
		}
	}
	if names < 2 || len(parts) > 10 {
		return
	}
	for n, p := range parts {
		operand := strings.ToLower(f.slice(p[0], p[1]))
		if f.kindAt(p[0]) != word || strings.Contains(operand, "environ") || strings.Contains(operand, ".env.") || strings.Contains(operand, "getenv") || strings.Contains(operand, "base") || n == 0 && strings.HasPrefix(strings.Trim(f.at(parts[1][0]), "\"'`"), "/") {
			continue
		}
		from, to := f.bytes(p[0], p[1])
		if n == 0 {
			to = f.tokens[parts[1][0]].From
		} else {
			from = f.tokens[parts[n-1][1]-1].To
		}
		whole, end := f.bytes(first, last)
		f.add("related", from, to, "", instead(f.source[whole:end], f.source[whole:from]+f.source[to:end]))
	}
}
