package source

import (
	"strconv"
	"strings"
)

// joined leaves out each element of a list that is put together to one text or hashed:
// what tells two keys apart is one of them.
func (f *file) joined() {
	for i, t := range f.tokens {
		if f.quiet[i] || t.Kind != opening || t.Mate <= i+1 {
			continue
		}
		switch {
		case f.at(i) == "[" && !f.operandEnds(i-1) && f.isMember(t.Mate+2) && f.at(t.Mate+2) == "join" && (f.lang.tick == 't' || f.lang.worded):
			f.withoutEach(i, f.chain(t.Mate+2))
		case f.at(i) == "(" && f.kindAt(i-1) == word:
			f.joinedCall(i)
		case f.at(i) == "(" && f.isOperator(i-1, "%") && f.kindAt(i-2) == text && f.lang.indented:
			f.formatted(i-2, i, f.args(i), f.tokens[i].Mate)
		}
	}
}

// joinedCall is for a call that is given such a list.
func (f *file) joinedCall(open int) {
	name, mate := f.at(open-1), f.tokens[open].Mate
	if f.inHead(open) || f.told(open+1) && !f.isMember(open-1) {
		return
	}
	first := f.chain(open - 1)
	list := open + 1
	only := f.kindAt(list) == opening && (f.tokens[list].Mate == mate-1 || f.tokens[list].Mate == mate-2 && f.isOperator(mate-1, ","))
	switch {
	case f.lang.indented && name == "join" && f.isMember(open-1) && only && (f.at(list) == "[" || f.at(list) == "("),
		f.lang.indented && name == "hash" && !f.isMember(open-1) && only && f.at(list) == "(",
		f.lang.indented && f.slice(first, open) == "json.dumps" && f.bracket(list, "["),
		f.lang.tick == 't' && f.slice(first, open) == "JSON.stringify" && only && f.bracket(list, "["):
		f.withoutEach(list, first)
	case f.lang.indented && name == "format" && f.isMember(open-1) && f.kindAt(open-3) == text:
		f.formatted(open-3, open, f.args(open), mate)
	case f.lang.bare && f.slice(first, open) == "strings.Join":
		if a := f.args(open); len(a) == 2 && f.at(a[0][1]-1) == "}" {
			if list := f.tokens[a[0][1]-1].Mate; list > open && f.slice(a[0][0], list) == "[]string" {
				f.withoutEach(list, first)
			}
		}
	case f.lang.bare && f.slice(first, open) == "fmt.Sprintf":
		if a := f.args(open); len(a) > 2 && a[0][1]-a[0][0] == 1 && f.kindAt(a[0][0]) == text {
			f.formatted(a[0][0], open, a[1:], mate)
		}
	case f.lang.ended && f.slice(first, open) == "String.join":
		a := f.args(open)
		if len(a) < 3 || len(a) > 8 {
			return
		}
		from, to := f.bytes(first, mate+1)
		for n, p := range a[1:] {
			if f.kindAt(p[0]) == text && p[1]-p[0] == 1 {
				continue
			}
			start, end := f.tokens[a[n][1]-1].To, f.tokens[p[1]-1].To
			f.add("related", start, end, "", "`"+short(f.brief(from, to), 44)+"` without `"+short(f.slice(p[0], p[1]), 20)+"`")
		}
	}
}

// withoutEach leaves out each element of a list of two to eight that is no text. The
// expression around begins at a token.
func (f *file) withoutEach(open, first int) {
	mate := f.tokens[open].Mate
	a := f.args(open)
	if len(a) < 2 || len(a) > 8 {
		return
	}
	for _, p := range a {
		if w := f.at(p[0]); w == "*" || w == "**" || w == "..." || f.generates(p) {
			return
		}
	}
	if first < 0 || first > open {
		first = open
	}
	around := "`" + short(f.brief(f.bytes(first, mate+1)), 44) + "` without `"
	for n, p := range a {
		if f.kindAt(p[0]) == text && p[1]-p[0] == 1 {
			continue
		}
		from, to := f.bytes(p[0], p[1])
		with, shown := "", around+short(f.source[from:to], 20)+"`"
		switch {
		case f.lang.bare: // its names stay in use
			f.add("related", from, to, "("+f.source[from:to]+")[:0]", shown)
			continue
		case n+1 < len(a):
			to = f.tokens[a[n+1][0]].From
		default:
			from = f.tokens[a[n-1][1]-1].To
			if len(a) == 2 && f.at(open) == "(" {
				with = "," // of one element
			}
			if f.isOperator(p[1], ",") {
				to = f.tokens[p[1]].To
			}
		}
		if n == 0 && len(a) == 2 && f.at(open) == "(" && !f.isOperator(a[1][1], ",") {
			to = f.tokens[a[1][1]-1].To
			with = f.slice(a[1][0], a[1][1]) + ","
		}
		f.add("related", from, to, with, shown)
	}
}

// formatted leaves out each place of a format in which something is put: %s of Go and of
// Python, {} of Python's format. All that is put in has a place of its own.
func (f *file) formatted(format, open int, args [][2]int, mate int) {
	if len(args) < 2 || len(args) > 5 || f.told(open) || f.told(format) {
		return
	}
	for _, p := range args {
		if w := f.at(p[0]); w == "*" || w == "**" || w == "..." || f.isOperator(p[0]+1, "=") {
			return
		}
	}
	s := f.at(format)
	if strings.ContainsAny(s, " \n`") || strings.Contains(s, "://") || strings.Contains(s, `\n`) {
		return // a sentence, or where something is sent to
	}
	var places []int
	braces := f.at(open-1) == "format"
	for i := 0; i+1 < len(s); i++ {
		switch {
		case braces && s[i] == '{':
			if s[i+1] != '}' {
				return
			}
			places = append(places, i)
		case !braces && s[i] == '%':
			if s[i+1] != 's' && s[i+1] != 'd' && s[i+1] != 'v' && s[i+1] != 'q' && s[i+1] != 'x' {
				return
			}
			places = append(places, i)
		}
	}
	if len(places) != len(args) {
		return
	}
	from, to := f.bytes(format, mate+1)
	for n := range places {
		var b strings.Builder
		at := 0
		for m, p := range places {
			b.WriteString(s[at:p])
			at = p + 2
			switch {
			case m == n:
			case braces:
				b.WriteString("{" + strconv.Itoa(m) + "}")
			case f.lang.bare:
				b.WriteString("%[" + strconv.Itoa(m+1) + "]" + s[p+1:p+2])
			default:
				b.WriteString(s[p:at])
			}
		}
		b.WriteString(s[at:])
		what := short(f.slice(args[n][0], args[n][1]), 24)
		shown := "`" + short(f.source[from:to], 44) + "` without `" + what + "`"
		if f.lang.bare || braces {
			a, z := f.bytes(format, format+1)
			f.add("related", a, z, b.String(), shown)
			continue
		}
		var rest []string
		for m, p := range args {
			if m != n {
				rest = append(rest, f.slice(p[0], p[1]))
			}
		}
		f.add("related", from, to, b.String()+" % ("+strings.Join(rest, ", ")+",)", shown)
	}
}
