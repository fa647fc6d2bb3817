package data

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// The kinds of nodes.
type nodeKind uint8

const (
	other nodeKind = iota // null, an alias, a block of text
	object
	array
	number
	boolean
	word
)

// A node is a value in a file that is a tree.
type node struct {
	kind nodeKind
	// from and to are where it is written.
	from, to int
	// cutFrom and cutTo are what is left out with it; both are 0 where it cannot be.
	cutFrom, cutTo int
	up             *node
	// key is its name in an object, and index its place in an array.
	key   string
	index int
	below []*node
	// anchored says that another place of a file of YAML stands for it, or for what is in it.
	anchored bool
}

// path is where a node is, such as rules[0].max, "" for the root.
func (n *node) path() string {
	var parts []string
	for at := n; at != nil && at.up != nil && len(parts) < deepest; at = at.up {
		switch {
		case at.up.kind == array:
			parts = append(parts, "["+strconv.Itoa(at.index)+"]")
		case plain(at.key):
			parts = append(parts, "."+inner.Short(at.key, 40))
		default:
			parts = append(parts, "["+strconv.Quote(inner.Short(at.key, 40))+"]")
		}
	}
	var b strings.Builder
	for i := len(parts) - 1; i >= 0; i-- {
		b.WriteString(parts[i])
	}
	return strings.TrimPrefix(b.String(), ".")
}

// plain reports whether a name can stand behind a point.
func plain(name string) bool {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' && r != '-' && r != '$' {
			return false
		}
	}
	return name != ""
}

// deepest is how deep a tree may be that is read.
const deepest = 100

// tree makes the changes of a node and of all below it.
func (f *file) tree(n *node) {
	if n.cutTo > n.cutFrom {
		f.add(LeftOut, n.cutFrom, n.cutTo, "", n)
	}
	switch n.kind {
	case number:
		for _, text := range around(f.source[n.from:n.to]) {
			f.add(Number, n.from, n.to, text, n)
		}
	case boolean:
		f.add(Boolean, n.from, n.to, flipped(f.source[n.from:n.to]), n)
	case word:
		f.word(n)
	}
	for _, b := range n.below {
		f.tree(b)
	}
}

// word makes the changes of a text: it is empty, and what looks as a pattern has no anchor.
func (f *file) word(n *node) {
	text := f.source[n.from:n.to]
	quote := `""`
	from, to := n.from, n.to
	if len(text) >= 2 && (text[0] == '"' || text[0] == '\'') && text[len(text)-1] == text[0] {
		quote = text[:1] + text[:1]
		from, to = from+1, to-1
	}
	if to-from > 1 && f.source[from] == '^' {
		f.add(Text, from, from+1, "", n)
	}
	if to-from > 1 && f.source[to-1] == '$' && f.source[to-2] != '\\' {
		f.add(Text, to-1, to, "", n)
	}
	if to > from {
		f.add(Text, n.from, n.to, quote, n)
	}
}

// flipped is the other one of true and false, in the letters that it is written in.
func flipped(text string) string {
	for _, pair := range [][2]string{{"true", "false"}, {"yes", "no"}, {"on", "off"}} {
		for i, w := range pair {
			o := pair[1-i]
			switch text {
			case w:
				return o
			case strings.ToUpper(w):
				return strings.ToUpper(o)
			case strings.ToUpper(w[:1]) + w[1:]:
				return strings.ToUpper(o[:1]) + o[1:]
			}
		}
	}
	return text
}

// around are the numbers next to one: one more and one less in its last digit. There are none of what has an exponent
// or is no decimal number.
func around(text string) (list []string) {
	digits := strings.TrimPrefix(text, "-")
	whole, fraction, hasFraction := strings.Cut(digits, ".")
	if !allDigits(whole) || hasFraction && !allDigits(fraction) || len(digits) > 16 {
		return nil
	}
	if len(whole) > 1 && whole[0] == '0' { // a code such as 0049
		return nil
	}
	n, err := strconv.ParseInt(whole+fraction, 10, 64)
	if err != nil {
		return nil
	}
	if digits != text {
		n = -n
	}
	for _, by := range []int64{1, -1} {
		v := n + by
		if by < 0 && n == 0 {
			continue
		}
		sign := ""
		if v < 0 {
			sign, v = "-", -v
		}
		s := strconv.FormatInt(v, 10)
		if hasFraction {
			for len(s) <= len(fraction) {
				s = "0" + s
			}
			s = s[:len(s)-len(fraction)] + "." + s[len(s)-len(fraction):]
		}
		list = append(list, sign+s)
	}
	return list
}

func allDigits(s string) bool {
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return s != ""
}

// says is what a change says of itself.
func (f *file) says(c candidate) string {
	if c.said != "" {
		return c.said
	}
	if c.at == nil {
		return f.saysLine(c)
	}
	path := c.at.path()
	if n := utf8.RuneCountInString(path); n > 40 {
		path = "…" + string([]rune(path)[n-39:])
	}
	if path != "" {
		path += " "
	}
	value := f.part(c.at.from, c.at.to)
	if c.kind == LeftOut {
		return "`" + path + inner.Short(value, 66-utf8.RuneCountInString(path)) + "` left out"
	}
	now := f.part(c.at.from, c.from) + c.text + f.part(c.to, c.at.to)
	room := (72 - utf8.RuneCountInString(path)) / 2
	return "`" + path + inner.Short(value, room) + "` → `" + inner.Short(now, room) + "`"
}

// saysLine is that of a change of a line.
func (f *file) saysLine(c candidate) string {
	if c.kind == LeftOut {
		return "`" + inner.Short(f.part(c.from, c.to), 66) + "` left out"
	}
	from := strings.LastIndexByte(f.source[max(0, c.from-1000):c.from], '\n') + 1 + max(0, c.from-1000)
	to := len(f.source)
	if i := strings.IndexByte(f.source[c.to:], '\n'); i >= 0 {
		to = c.to + i
	}
	const side = 34
	before, old, after := []rune(inner.Flat(f.source[from:c.from])), inner.Flat(f.part(c.from, c.to)), []rune(inner.Flat(f.part(c.to, to)))
	room := max(0, side-max(utf8.RuneCountInString(old), utf8.RuneCountInString(c.text)))
	if len(before)+len(after) > room {
		keep := min(len(after), max(room/3, room-len(before)))
		if keep < len(after) {
			after = append(after[:max(0, keep-1):max(0, keep-1)], '…')
		}
		if keep = max(0, room-len(after)); keep < len(before) {
			before = append([]rune("…"), before[min(len(before), len(before)-keep+1):]...)
		}
	}
	show := func(text string) string { return "`" + inner.Short(string(before)+text+string(after), side+2) + "`" }
	return show(old) + " → " + show(c.text)
}

// part is a part of the text, of a long one the beginning: enough to show.
func (f *file) part(from, to int) string {
	to = min(to, from+1000)
	return strings.ToValidUTF8(f.source[from:to], "")
}
