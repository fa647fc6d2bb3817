package inner

import (
	"strings"
	"sync"
)

// A scripts is what is known of the words of awk.
type scripts struct {
	grammar
	bounds, functions map[string]bool
	taken, compared   map[string]string
}

var scriptsOfAWK = sync.OnceValue(func() *scripts {
	return &scripts{
		grammar: grammar{
			comment: "#", quotes: `"`, regex: true, lines: true,
			signs:    []string{"**=", "&&", "||", "==", "!=", "<=", ">=", "!~", "++", "--", "+=", "-=", "*=", "/=", "%=", "^=", "**", ">>"},
			keywords: names("print printf return in if else while for do next exit delete getline BEGIN END function func"),
		},
		bounds:    names(", ; ? : = += -= *= /= %= ^= print printf return if else while for do next exit delete"),
		functions: names("int tolower toupper"),
		taken:     swaps("gsub sub sub gsub"),
		compared:  swaps("< <= <= < > >= >= > == != != == ~ !~ !~ ~"),
	}
})

// awk makes the changes of a program of awk.
func (p *program) awk() {
	d := scriptsOfAWK()
	if !p.read(&d.grammar, 0, len(p.text)) {
		return
	}
	p.formattedTexts()
	p.byLine()
	bound := func(i int) bool {
		switch p.kindAt(i) {
		case sign:
			return d.bounds[p.at(i)] || p.at(i) == "\n"
		case word:
			return d.bounds[p.tokens[i].Name]
		case opening:
			return p.at(i) == "{"
		}
		return false
	}
	l := logic{and: func(i int) bool { return p.isSign(i, "&&") }, or: func(i int) bool { return p.isSign(i, "||") }, bound: bound}
	stop := func(i int) bool { return bound(i) || l.and(i) || l.or(i) }
	p.groups(func(open int, own []int) {
		p.sides(own, l)
		switch {
		case open < 0:
			p.rules(own)
		case p.at(open) == "{":
			p.statements(own)
		}
		writes := false // a print whose > is none that compares
		for k, i := range own {
			if p.isSign(i, ";") || p.isSign(i, "\n") {
				writes = false
			}
			writes = writes || p.is(i, "print") || p.is(i, "printf")
			p.action(d, own, k, writes, stop)
		}
	})
}

// byLine takes what is kept of a first file by the number of its line, and not by a key: NR == FNR { price[$1] = $2; next }
// is price[FNR] there, and where it is looked up. That is the same as long as both files have one order.
func (p *program) byLine() {
	first := -1 // where the first file is read
	for i := range p.tokens {
		if p.isSign(i+1, "==") && (p.is(i, "NR") && p.is(i+2, "FNR") || p.is(i, "FNR") && p.is(i+2, "NR")) {
			first = i + 3
			break
		}
	}
	if first < 0 || first >= len(p.tokens) || p.at(first) != "{" || p.tokens[first].Mate < first {
		return
	}
	for i := first + 1; i < p.tokens[first].Mate && i < first+60; i++ {
		if p.at(i) != "[" || p.kindAt(i-1) != word || p.tokens[i].Mate < i || !p.isSign(p.tokens[i].Mate+1, "=") {
			continue
		}
		table := p.tokens[i-1].Name
		var b strings.Builder
		from, at, n := p.tokens[i].To, p.tokens[i].To, 0
		to := from
		for k := i; k < len(p.tokens) && n < 20; k++ {
			if p.at(k) == "[" && p.is(k-1, table) && p.tokens[k].Mate > k {
				b.WriteString(p.text[at:p.tokens[k].To] + "FNR")
				at, n = p.tokens[p.tokens[k].Mate].From, n+1
				to = at
			}
		}
		if n > 1 {
			p.add("related", from, to, b.String(), "`"+table+"` is looked up by the number of the line")
		}
	}
}

// rules leaves out the pattern before each {…}, and lets a pattern that stands alone be
// always met.
func (p *program) rules(own level) {
	start := 0
	for k := 0; k <= len(own); k++ {
		ends := k == len(own) || p.isSign(own[k], "\n") || p.isSign(own[k], ";")
		block := !ends && p.at(own[k]) == "{"
		if !ends && !block {
			continue
		}
		if start < k && !p.is(own[start], "BEGIN") && !p.is(own[start], "END") && !p.is(own[start], "function") && !p.is(own[start], "func") {
			from, to := p.bytes(own, start, k)
			shown := p.text[from:to]
			switch {
			case block:
				a := p.tokens[own[k]].From
				p.leave("condition", from, a, shown)
			case shown != "1":
				p.add("condition", from, to, "1", Without(shown))
			}
		}
		start = k + 1
	}
}

// statements leaves out each statement of a block.
func (p *program) statements(own level) {
	parts := split(own, func(i int) bool { return p.isSign(i, ";") || p.isSign(i, "\n") })
	for n, s := range parts {
		from, to := p.bytes(own, s[0], s[1])
		for k := s[0]; k+1 < s[1]; k++ {
			if (p.is(own[k], "if") || p.is(own[k], "while")) && p.at(own[k+1]) == "(" {
				open := own[k+1]
				a, b := p.tokens[open].To, p.tokens[p.tokens[open].Mate].From
				shown := "`" + Short(p.at(own[k])+" ("+p.text[a:b]+")", 68) + "`"
				if p.is(own[k], "if") {
					p.add("condition", a, b, "1", shown+" always")
				}
				p.add("condition", a, b, "0", shown+" never")
			}
		}
		if n+1 < len(parts) && p.is(own[parts[n+1][0]], "else") || p.is(own[s[0]], "do") || p.is(own[s[0]], "else") {
			continue
		}
		if p.is(own[s[0]], "while") && n > 0 && p.is(own[parts[n-1][0]], "do") {
			continue
		}
		p.leave("statement", from, to, p.text[from:to])
	}
}

// action changes one part.
func (p *program) action(d *scripts, own level, k int, writes bool, stop func(int) bool) {
	i := own[k]
	t := p.tokens[i]
	switch s := p.at(i); t.Kind {
	case sign:
		switch {
		case writes && s == ">":
		case d.compared[s] != "" && k > 0 && p.operandEnds(p.end(own, k-1)-1):
			p.another("compare", own, k, d.compared[s], stop)
		case s == "+=":
			p.put("related", own, k, k+1, "=", stop)
			p.put("arithmetic", own, k, k+1, "-=", stop)
		case s == "-=":
			p.put("arithmetic", own, k, k+1, "+=", stop)
		default:
			p.arithmetic(own, k)
		}
	case number:
		with := increased(s)
		switch {
		case with == "" || len(own) == 1 || s == "1" && p.alone(own, k):
		case k > 0 && p.isSign(own[k-1], "$"):
			if s != "0" {
				p.another("related", own, k, with, stop)
			}
		default:
			p.another("number", own, k, with, stop)
		}
	case text:
		switch {
		case p.printed(own, k):
			p.formats(t.From, t.To)
		case writes:
		case k > 0 && d.compared[p.at(own[k-1])] != "" || k+1 < len(own) && d.compared[p.at(own[k+1])] != "":
			if with := emptied(s); with != "" {
				p.another("text", own, k, with, stop)
			}
		}
	case expression:
		Patterns(s, true, func(a, b int, with string) {
			p.add("related", t.From+a, t.From+b, with, Within(p.text, t.From, t.To, t.From+a, t.From+b, with))
		})
	case word:
		if k+1 >= len(own) || p.at(own[k+1]) != "(" {
			return
		}
		if d.functions[t.Name] {
			from, to := p.bytes(own, k, k+2)
			if with := p.slice(own[k+1]+1, p.tokens[own[k+1]].Mate); with != "" && len(with) < copied {
				p.add("call", from, to, "("+with+")", Instead(p.text[from:to], with))
			}
		} else if with := d.taken[t.Name]; with != "" {
			p.another("related", own, k, with, stop)
		}
	}
}

// alone reports whether a part stands on a line of its own, as the 1 does that prints every line.
func (p *program) alone(own level, k int) bool {
	ends := func(i int) bool { return p.isSign(i, "\n") || p.isSign(i, ";") }
	begins := k == 0 || ends(own[k-1]) || p.kindAt(own[k-1]) == opening
	return begins && (k+1 == len(own) || ends(own[k+1]))
}

// printed reports whether a text is the format of printf or sprintf.
func (p *program) printed(own level, k int) bool {
	switch up := p.tokens[own[k]].Up; {
	case k == 0:
		return up > 0 && (p.is(up-1, "sprintf") || p.is(up-1, "printf"))
	case p.at(own[k-1]) == "(":
		return k > 1 && p.is(own[k-2], "printf")
	}
	return p.is(own[k-1], "printf")
}

// formats writes another number of digits, and changes the format as in other languages.
func (p *program) formats(from, to int) {
	s := p.text[from:to]
	Formats(s, "%s", func(a, b int, with string) {
		p.add("format", from+a, from+b, with, Within(p.text, from, to, from+a, from+b, with))
	})
	for i := 0; i+1 < len(s); i++ {
		if s[i] != '%' {
			continue
		}
		end := i + 1
		for end < len(s) && strings.IndexByte("-+ 0#.123456789", s[end]) >= 0 {
			end++
		}
		if end >= len(s) {
			return
		}
		with := ""
		switch {
		case s[end] == 'd' || s[end] == 'i':
			with = s[i:end] + ".2f"
			if strings.Contains(s[i:end], ".") {
				with = "%.2f"
			}
		case s[end] == 'f' && strings.Contains(s[i:end], "."):
			with = "%d"
		}
		if with != "" {
			p.add("related", from+i, from+end+1, with, Within(p.text, from, to, from+i, from+end+1, with))
		}
		i = end
	}
}
