package tokens

import (
	"bytes"
	"strings"
)

// An Item is a word or a sign of a shell script. The text of a sign such as ; or &&
// is its name; a line's end is "\n", a redirection "<".
type Item struct {
	From, To int
	Sign     string // "" for a word
	// Plain is a word without quotes and without anything that is computed.
	Plain bool
	// Document says that the text of a redirection stands on the next lines, and which
	// of the documents it is: the first one is 1.
	Document int
}

// A Document is the text of a redirection that stands on the next lines.
type Document struct {
	From, To int
	// Quoted says that nothing is computed in it.
	Quoted bool
	End    string
}

// A Script is what a script of a shell consists of.
type Script struct {
	Items []Item
	// Subs are the items of each $(…), Sums what stands in $((…)) and ((…)), Docs all
	// texts of redirections.
	Subs [][]Item
	Sums [][2]int
	Docs []Document
}

// span is how many bytes a sum may have.
const span = 4 << 10

// OfShell are the words of a script, and whether it can be read.
func OfShell(text []byte) (Script, bool) {
	l := &shellLexer{text: text}
	items := l.items(false)
	return Script{items, l.subs, l.sums, l.docs}, !l.broken
}

// A shellLexer reads the words of a script, and those of what it computes: $(…).
type shellLexer struct {
	text []byte
	at   int
	// subs are the items of each $(…), sums what stands in $((…)) and ((…)).
	subs [][]Item
	sums [][2]int
	// documents are the texts that begin on the next line, and docs all of them.
	documents []int
	docs      []Document
	depth     int
	broken    bool
}

// Part is the end of what begins at a byte of a word: one character, or what is computed.
// It is 0 where that does not end.
func Part(text []byte, at int) int {
	l := &shellLexer{text: text, at: at}
	if l.part(text[at]); l.broken {
		return 0
	}
	return l.at
}

// nested bounds how deep a $( may stand in others.
const nested = 40

// items are those up to the ) that closes what is computed, or to the end.
func (l *shellLexer) items(sub bool) []Item {
	var all []Item
	var open []byte // ( and the c of a case, whose patterns end with )
	top := func(c byte) bool { return len(open) > 0 && open[len(open)-1] == c }
	start := true // a word such as `case` begins a command here
	for l.at < len(l.text) && !l.broken {
		c := l.text[l.at]
		from := l.at
		sign := ""
		switch {
		case c == ' ' || c == '\t' || c == '\r':
			l.at++
			continue
		case c == '\\' && l.has("\\\n"):
			l.at += 2
			continue
		case len(all) > 0 && string(l.text[all[len(all)-1].From:all[len(all)-1].To]) == "=~":
			all = append(all, l.expression())
			continue
		case c == '#':
			for l.at < len(l.text) && l.text[l.at] != '\n' {
				l.at++
			}
			continue
		case c == '\n':
			l.at++
			l.skipDocuments()
			all = append(all, Item{From: from, To: from + 1, Sign: "\n"})
			start = true
			continue
		case l.has("((") && start:
			if end := l.sum(l.at + 2); end > 0 {
				l.at = end
				all = append(all, Item{From: from, To: end})
				start = false
				continue
			}
			sign = "("
		case c == '<' || c == '>' || Digit(c) && l.redirects():
			all = append(all, l.redirection())
			continue
		case l.has(";;&"), l.has("&>>"):
			sign = string(l.text[l.at : l.at+3])
		case l.has(";;"), l.has(";&"), l.has("&&"), l.has("||"), l.has("|&"):
			sign = string(l.text[l.at : l.at+2])
		case l.has("&>"):
			all = append(all, l.redirection())
			continue
		case strings.IndexByte(";&|()", c) >= 0:
			sign = string(c)
		}
		if sign == "" {
			w := l.word()
			if l.broken {
				return nil
			}
			switch string(l.text[w.From:w.To]) {
			case "case":
				if start {
					open = append(open, 'c')
				}
			case "esac":
				if start && top('c') {
					open = open[:len(open)-1]
				}
			case "then", "do", "else", "elif", "if", "while", "until", "{", "!", "in":
				all = append(all, w)
				start = true
				continue
			}
			all = append(all, w)
			start = false
			continue
		}
		start = true
		if sign == "(" {
			open = append(open, '(')
		}
		if sign == ")" {
			if len(open) == 0 {
				if !sub {
					l.broken = true
				}
				return all
			}
			if top('(') {
				open = open[:len(open)-1]
			}
		}
		l.at += len(sign)
		all = append(all, Item{From: from, To: l.at, Sign: sign})
	}
	if sub || top('(') || len(l.documents) > 0 {
		l.broken = true
	}
	return all
}

func (l *shellLexer) has(s string) bool { return bytes.HasPrefix(l.text[l.at:], []byte(s)) }

// redirects reports whether digits are the number of what is redirected: 2>.
func (l *shellLexer) redirects() bool {
	i := l.at
	for i < len(l.text) && i < l.at+3 && Digit(l.text[i]) {
		i++
	}
	return i < len(l.text) && (l.text[i] == '<' || l.text[i] == '>')
}

// redirection reads a sign such as 2>&1 or >> with the word behind it.
func (l *shellLexer) redirection() Item {
	it := Item{From: l.at, Sign: "<"}
	for l.at < len(l.text) && (Digit(l.text[l.at]) || l.text[l.at] == '&' && l.at == it.From) {
		l.at++
	}
	sign := l.at
	for l.at < len(l.text) && strings.IndexByte("<>&|-", l.text[l.at]) >= 0 && l.at < sign+3 {
		l.at++
	}
	s := string(l.text[sign:l.at])
	for l.at < len(l.text) && (l.text[l.at] == ' ' || l.text[l.at] == '\t') {
		l.at++
	}
	if l.at < len(l.text) && l.text[l.at] == '(' && (s == "<" || s == ">") { // <(command)
		l.at++
		l.computed()
		it.To = l.at
		return it
	}
	if l.at < len(l.text) && strings.IndexByte(" \t\n;|()<>", l.text[l.at]) < 0 {
		w := l.word()
		if s == "<<" || s == "<<-" {
			name := string(l.text[w.From:w.To])
			end := strings.NewReplacer("'", "", `"`, "", `\`, "").Replace(name)
			l.docs = append(l.docs, Document{End: end, Quoted: end != name})
			it.Document = len(l.docs)
			l.documents = append(l.documents, it.Document)
		}
	}
	it.To = l.at
	return it
}

func (l *shellLexer) skipDocuments() {
	for _, n := range l.documents {
		d := &l.docs[n-1]
		for d.From = l.at; ; {
			if l.at >= len(l.text) {
				l.broken = true
				return
			}
			line, _, _ := bytes.Cut(l.text[l.at:], []byte("\n"))
			d.To = l.at
			l.at = min(l.at+len(line)+1, len(l.text))
			if strings.TrimLeft(strings.TrimRight(string(line), "\r"), "\t") == d.End {
				break
			}
		}
	}
	l.documents = nil
}

// word reads a word with all its parts.
func (l *shellLexer) word() Item {
	it := Item{From: l.at, Plain: true}
	for l.at < len(l.text) && !l.broken {
		switch c := l.text[l.at]; c {
		case ' ', '\t', '\n', '\r', ';', '&', '|', '<', '>', '(', ')':
			if c == '(' && l.at > it.From && (l.text[l.at-1] == '=' || strings.IndexByte("?*+@!", l.text[l.at-1]) >= 0) {
				it.Plain = false // x=(a b), ?(a|b)
				l.skipTo(')')
				continue
			}
			it.To = l.at
			if it.To == it.From {
				l.broken = true
			}
			return it
		case '\'':
			it.Plain = false
			l.skipTo('\'')
		case '"':
			it.Plain = false
			l.at++
			l.double()
		default:
			if c == '$' || c == '`' || c == '\\' || c == '*' || c == '?' || c == '[' && l.at > it.From {
				it.Plain = false
			}
			l.part(c)
		}
	}
	it.To = l.at
	return it
}

// expression reads what stands behind =~: up to a space that is in no bracket.
func (l *shellLexer) expression() Item {
	it := Item{From: l.at}
	for depth := 0; l.at < len(l.text) && !l.broken; {
		c := l.text[l.at]
		switch {
		case c == '\n' || depth == 0 && (c == ' ' || c == '\t'):
			it.To = l.at
			return it
		case c == '(':
			depth++
		case c == ')':
			depth--
		}
		if c == '"' {
			l.at++
			l.double()
		} else {
			l.part(c)
		}
	}
	it.To = l.at
	return it
}

// skipTo passes a sign that ends a part.
func (l *shellLexer) skipTo(end byte) {
	n := bytes.IndexByte(l.text[l.at+1:], end)
	if n < 0 {
		l.broken = true
		return
	}
	l.at += n + 2
}

// double reads the rest of a text in double quotes.
func (l *shellLexer) double() {
	for l.at < len(l.text) && !l.broken {
		c := l.text[l.at]
		if c == '"' {
			l.at++
			return
		}
		l.part(c)
	}
	l.broken = true
}

// part reads one character, or what is computed.
func (l *shellLexer) part(c byte) {
	switch {
	case c == '\\':
		l.at = min(l.at+2, len(l.text))
	case c == '`':
		for l.at++; ; l.at++ {
			if l.at >= len(l.text) {
				l.broken = true
				return
			}
			if l.text[l.at] == '\\' {
				l.at++
			} else if l.text[l.at] == '`' {
				l.at++
				return
			}
		}
	case l.has("$(("):
		if end := l.sum(l.at + 3); end > 0 {
			l.at = end
			return
		}
		l.at += 2
		l.computed()
	case l.has("$("):
		l.at += 2
		l.computed()
	case l.has("${"):
		l.at += 2
		l.braced()
	default:
		l.at++
	}
}

// computed reads what stands in $( up to its ).
func (l *shellLexer) computed() {
	if l.depth++; l.depth > nested {
		l.broken = true
		return
	}
	documents := l.documents
	l.documents = nil
	sub := l.items(true)
	l.documents = documents
	l.depth--
	if l.broken || l.at >= len(l.text) || l.text[l.at] != ')' {
		l.broken = true
		return
	}
	l.at++
	l.subs = append(l.subs, sub)
}

// braced passes ${…}.
func (l *shellLexer) braced() {
	if l.depth++; l.depth > nested {
		l.broken = true
	}
	defer func() { l.depth-- }()
	for l.at < len(l.text) && !l.broken {
		switch c := l.text[l.at]; c {
		case '}':
			l.at++
			return
		case '"':
			l.at++
			l.double()
		default:
			l.part(c)
		}
	}
	l.broken = true
}

// sum is the end of an arithmetic expression that begins at a byte, 0 where it is
// none.
func (l *shellLexer) sum(from int) int {
	depth := 0
	for i := from; i < len(l.text) && i < from+span; i++ {
		switch c := l.text[i]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case c == ')' && i+1 < len(l.text) && l.text[i+1] == ')':
			l.sums = append(l.sums, [2]int{from, i})
			return i + 2
		case c == ')':
			return 0
		}
	}
	return 0
}
