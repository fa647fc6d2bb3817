package tokens

import (
	"bytes"
	"strings"
)

// quoted reads a string or another literal, and reports whether there is one.
func (l *lexer) quoted(c byte) bool {
	from := l.at
	switch {
	case l.lang.Indented:
		prefix, is := l.prefix()
		if !is {
			return false
		}
		l.at += len(prefix)
		end := l.quotes()
		l.at += len(end)
		if strings.Contains(prefix, "f") {
			l.begin(from, around{end: end, quote: true, format: true})
			return true
		}
		return l.plain(from, end, Text)
	case c == '`' && l.lang.Tick == 't':
		l.at++
		l.begin(from, around{end: "`", quote: true})
		return true
	case c == '`' && l.lang.Tick == 'r':
		n := bytes.IndexByte(l.text[l.at+1:], '`')
		if n < 0 {
			return false
		}
		l.at += n + 2
		l.put(Text, from)
		return true
	case (c == '"' || c == '`') && l.lang.Hash:
		l.at++
		l.begin(from, around{end: string(c), quote: true})
		return true
	case c == '"' || c == '\'':
		end := l.quotes()
		l.at += len(end)
		if c == '\'' && l.lang.Char {
			return l.plain(from, end, Literal)
		}
		return l.plain(from, end, Text)
	case c == '/' && l.lang.Regex && (!l.operand() || l.lang.Worded && l.command()):
		return l.expression()
	case c == '%' && l.lang.Worded && (!l.operand() || l.command()):
		return l.percent()
	case c == '<' && l.lang.Worded:
		return l.heredoc()
	}
	return false
}

// quotes are those at which the lexer stands: one, or three.
func (l *lexer) quotes() string {
	one := string(l.text[l.at])
	if l.lang.Triple && (l.lang.Indented || one == `"`) && l.has(one+one+one) {
		return one + one + one
	}
	return one
}

// plain reads the rest of a string in which nothing is computed. It fails where the
// line ends before it.
func (l *lexer) plain(from int, end string, k Kind) bool {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at = min(l.at+2, len(l.text))
			if l.text[l.at-1] == '\r' && l.peek(0) == '\n' {
				l.at++
			}
		case l.has(end):
			l.at += len(end)
			l.put(k, from)
			return true
		case c == '\n' && len(end) == 1 && !l.lang.Worded:
			l.at = len(l.text)
			l.open = append(l.open, around{}) // never closed
			return true
		default:
			l.at++
		}
	}
	l.open = append(l.open, around{})
	return true
}

// inString reads a part of a string in which something may be computed: up to its
// end, or to what is computed next.
func (l *lexer) inString(a around) bool {
	from := l.at
	keep := func() {
		if l.at > from {
			l.put(Piece, from)
		}
	}
	for l.at < len(l.text) {
		c := l.text[l.at]
		switch {
		case c == '\\':
			l.at = min(l.at+2, len(l.text))
		case l.has(a.end):
			keep()
			at := l.at
			l.at += len(a.end)
			l.close(at)
			return true
		case a.format && (l.has("{{") || l.has("}}")):
			l.at += 2
		case a.format && c == '{', !a.format && c == '$' && a.end == "`" && l.lang.Tick == 't' && l.peek(1) == '{', l.lang.Hash && c == '#' && l.peek(1) == '{':
			keep()
			at := l.at
			l.at++
			if c != '{' {
				l.at++
			}
			l.begin(at, around{end: "}", computed: true, format: a.format})
			return true
		case a.format && c == '\n' && len(a.end) == 1:
			return false
		default:
			l.at++
		}
	}
	return false
}

// expression reads the literal of a regular expression.
func (l *lexer) expression() bool {
	from, class := l.at, false
	for l.at++; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == '\\':
			l.at++
		case c == '\n':
			l.at = from
			return false
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			for l.at++; l.at < len(l.text) && NameByte(l.text[l.at]); l.at++ {
			}
			l.put(Literal, from)
			return true
		}
	}
	l.at = from
	return false
}

// percent reads Ruby's %w[a b], %q(x) and their like.
func (l *lexer) percent() bool {
	from, n := l.at, 1
	if strings.IndexByte("wWiIqQrx", l.peek(1)) >= 0 && l.peek(1) != 0 {
		n = 2
	}
	open := l.peek(n)
	if open == 0 || NameByte(open) || open == ' ' || open == '\n' || open == '=' {
		return false
	}
	end := open
	if i := strings.IndexByte("([{<", open); i >= 0 {
		end = ")]}>"[i]
	}
	depth := 0
	for at := l.at + n + 1; at < len(l.text); at++ {
		switch c := l.text[at]; {
		case c == '\\':
			at++
		case c == end && depth == 0:
			l.at = at + 1
			l.put(Literal, from)
			return true
		case c == end:
			depth--
		case c == open:
			depth++
		}
	}
	return false
}

// heredoc reads the beginning of a Ruby text that begins on the next line.
func (l *lexer) heredoc() bool {
	if !l.has("<<~") && !l.has("<<-") {
		return false
	}
	from, at := l.at, l.at+3
	quote := byte(0)
	if at < len(l.text) && (l.text[at] == '"' || l.text[at] == '\'') {
		quote = l.text[at]
		at++
	}
	name := at
	for at < len(l.text) && NameByte(l.text[at]) {
		at++
	}
	if at == name || l.text[name] < 'A' || l.text[name] > 'Z' && quote == 0 {
		return false
	}
	l.documents = append(l.documents, string(l.text[name:at]))
	if quote != 0 && at < len(l.text) && l.text[at] == quote {
		at++
	}
	l.at = at
	l.put(Literal, from)
	return true
}

// document passes the texts that begin on this line, to the lines that end them.
func (l *lexer) document() bool {
	for _, end := range l.documents {
		for {
			if l.at >= len(l.text) {
				return false
			}
			line, _, _ := bytes.Cut(l.text[l.at:], []byte("\n"))
			l.at = min(l.at+len(line)+1, len(l.text))
			if string(bytes.TrimSpace(line)) == end {
				break
			}
		}
	}
	l.documents = nil
	return true
}
