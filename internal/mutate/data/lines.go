package data

import (
	"strings"
	"unicode"
)

// A line is from its first byte to its last that is no space, and next is where the next one begins.
type line struct {
	text           string
	from, to, next int
}

func (l line) blank() bool { return l.text == "" }

// comment reports whether a line says nothing to a program.
func (l line) comment() bool {
	for _, sign := range []string{"#", "//", ";", "--", "<!--", "/*", "*/", "{#", "%"} {
		if strings.HasPrefix(l.text, sign) {
			return true
		}
	}
	return false
}

// lines are all lines of the text; from is where the line begins, and text is without spaces around it.
func (f *file) lines() (list []line) {
	for at := 0; at < len(f.source); {
		next := len(f.source)
		if i := strings.IndexByte(f.source[at:], '\n'); i >= 0 {
			next = at + i + 1
		}
		whole := f.source[at:next]
		list = append(list, line{strings.TrimSpace(whole), at, at + len(strings.TrimRightFunc(whole, unicode.IsSpace)), next})
		at = next
	}
	return list
}

// settings makes the changes of a file of names and values.
func (f *file) settings() {
	depth := 0
	for _, l := range f.lines() {
		if l.blank() || depth == 0 && l.comment() {
			continue
		}
		section := depth == 0 && l.text[0] == '[' && strings.HasSuffix(l.text, "]")
		by := nesting(l.text)
		alone := depth == 0 && by == 0
		inside := depth > 0 && by == 0
		depth = max(0, depth+by)
		if section || !alone && !inside {
			continue
		}
		f.add(LeftOut, l.from, l.next, "", nil)
		if _, at := assignment(l); at > 0 && alone {
			f.setting(l, at)
		} else {
			f.numbers(l.from, l.to)
		}
	}
}

// nesting is how many brackets a line opens that it does not close.
func nesting(text string) (n int) {
	quote := byte(0)
	for i := range len(text) {
		switch c := text[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'' && (i == 0 || !letter(text[i-1])):
			quote = c
		case c == '#':
			return n
		case c == '[' || c == '{' || c == '(':
			n++
		case c == ']' || c == '}' || c == ')':
			n--
		}
	}
	return n
}

func letter(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// assignment is the name that a line gives a value, and where the value begins, 0 where it gives none.
func assignment(l line) (name string, at int) {
	text := l.text
	offset := l.to - len(text)
	i := strings.IndexAny(text, "=:")
	if i <= 0 || i+1 == len(text) || strings.ContainsAny(text[i+1:i+2], "=~/:") || strings.ContainsAny(text[i-1:i], "<>!:~") {
		return "", 0
	}
	name = strings.TrimSpace(strings.TrimPrefix(text[:i], "export "))
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-./ \"'", r) {
			return "", 0
		}
	}
	value := strings.TrimLeft(text[i+1:], " \t")
	if value == "" {
		return "", 0
	}
	return name, offset + len(text) - len(value)
}

// setting makes the changes of a value that a line gives to a name.
func (f *file) setting(l line, at int) {
	to := l.to
	value := f.source[at:to]
	if i := strings.Index(value, " #"); i >= 0 && strings.Count(value[:i], `"`)%2 == 0 {
		value = strings.TrimRight(value[:i], " \t")
		to = at + len(value)
	}
	switch n, ok := f.json(at, to); {
	case ok && (n.kind == array || n.kind == object):
		name, _ := assignment(l)
		root := &node{kind: object, below: []*node{n}}
		n.up, n.key = root, name
		f.tree(n)
	case flipped(value) != value:
		f.add(Boolean, at, to, flipped(value), nil)
	case len(around(value)) > 0:
		for _, text := range around(value) {
			f.add(Number, at, to, text, nil)
		}
	default:
		f.elements(at, to)
		f.numbers(at, to)
		if len(value) >= 2 && (value[0] == '"' || value[0] == '\'') && value[len(value)-1] == value[0] {
			f.add(Text, at+1, to-1, "", nil)
		} else {
			f.add(Text, at, to, "", nil)
		}
	}
}

// elements leaves out each element of a list such as a,b,c.
func (f *file) elements(from, to int) {
	text := f.source[from:to]
	if text == "" || strings.ContainsAny(text, ".;!?(){}") && strings.Contains(text, " ") {
		return
	}
	if q := text[0]; len(text) > 2 && (q == '"' || q == '\'') && text[len(text)-1] == q {
		from, text = from+1, text[1:len(text)-1]
	}
	parts := strings.Split(text, ",")
	if len(parts) < 2 {
		return
	}
	for _, p := range parts {
		if p = strings.TrimSpace(p); p == "" || strings.Count(p, " ") > 2 {
			return
		}
	}
	at := from
	for i, p := range parts {
		if i+1 < len(parts) {
			f.add(LeftOut, at, at+len(p)+1, "", nil)
		} else {
			f.add(LeftOut, at-1, at+len(p), "", nil)
		}
		at += len(p) + 1
	}
}

// numbers makes the changes of numbers that stand in a part of the text as words of their own.
func (f *file) numbers(from, to int) {
	for i := from; i < to; {
		if c := f.source[i]; c < '0' || c > '9' {
			i++
			continue
		}
		j := i
		for j < to && (f.source[j] >= '0' && f.source[j] <= '9' || f.source[j] == '.' && j+1 < to && f.source[j+1] >= '0' && f.source[j+1] <= '9') {
			j++
		}
		if f.alone(i, j, to) {
			for _, text := range around(f.source[i:j]) {
				f.add(Number, i, j, text, nil)
			}
		}
		for i = j; i < to && letter(f.source[i]); i++ { // the rest of a word such as 3rd
		}
	}
}

// alone reports whether digits are a number: no part of a name, a date, a version or a code. A unit may follow, as in
// 10s.
func (f *file) alone(i, j, to int) bool {
	if i > 0 && (letter(f.source[i-1]) || strings.IndexByte(".-/:", f.source[i-1]) >= 0) {
		return false
	}
	unit := j
	for unit < to && unit-j < 4 && letter(f.source[unit]) {
		unit++
	}
	switch f.source[j:unit] {
	case "st", "nd", "rd", "th":
		return false
	}
	return unit-j < 4 && (unit == to || strings.IndexByte("-/:.", f.source[unit]) < 0 || f.source[unit] == '.' && unit+1 >= to)
}

// prose makes the changes of any other text: a line is left out, a number is another one, and so is what a line gives
// to a name.
func (f *file) prose() {
	for _, l := range f.lines() {
		if l.blank() || l.comment() || !strings.ContainsFunc(l.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			continue
		}
		if control(l.text) || nesting(l.text) != 0 || tags(l.text) != 0 {
			f.numbers(l.from, l.to)
			continue
		}
		f.add(LeftOut, l.from, l.next, "", nil)
		if _, at := assignment(l); at > 0 && flipped(f.source[at:l.to]) != f.source[at:l.to] {
			f.add(Boolean, at, l.to, flipped(f.source[at:l.to]), nil)
		} else if at > 0 && !strings.Contains(f.source[at:l.to], " ") {
			f.elements(at, l.to)
		}
		f.numbers(l.from, l.to)
	}
}

// control reports whether a line of a template begins or ends a part of it.
func control(text string) bool {
	text = strings.TrimLeft(text, " \t")
	for _, sign := range []string{"{%", "<%"} {
		if strings.HasPrefix(text, sign) {
			return true
		}
	}
	rest, is := strings.CutPrefix(text, "{{")
	if !is {
		return false
	}
	rest = strings.TrimLeft(rest, "- #/^~")
	for _, w := range []string{"if", "else", "end", "range", "with", "define", "block", "each", "unless"} {
		if strings.HasPrefix(rest, w) {
			return true
		}
	}
	return strings.HasPrefix(text, "{{#") || strings.HasPrefix(text, "{{/") || strings.HasPrefix(text, "{{^")
}

// tags is how many tags of XML a line opens that it does not close, not 0 where it has any that do not fit.
func tags(text string) (n int) {
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 || i+1 >= len(text) {
			return n
		}
		text = text[i+1:]
		if c := text[0]; !(c == '/' || c == '!' || c == '?' || letter(c)) {
			continue
		}
		end := strings.IndexByte(text, '>')
		switch {
		case end < 0:
			return n // `a <b`, a comparison
		case text[0] == '/':
			n--
		case text[end-min(end, 1)] == '/' || text[0] == '!' || text[0] == '?':
		default:
			n++
		}
		text = text[end+1:]
	}
}
