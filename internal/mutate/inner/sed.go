package inner

import "strings"

// sed makes the changes of commands of sed.
func (p *program) sed() {
	s := p.text
	var commands [][2]int
	for at := 0; at < len(s); {
		if strings.IndexByte(" \t\n;{}", s[at]) >= 0 {
			at++
			continue
		}
		start := at
		at = p.address(start)
		if at < len(s) && s[at] == ',' {
			at = p.address(at + 1)
		}
		for at < len(s) && (s[at] == ' ' || s[at] == '!') {
			at++
		}
		if at >= len(s) {
			return
		}
		address := strings.TrimSpace(s[start:at])
		command := at
		switch s[at] {
		case 's':
			if at = p.substitution(at); at < 0 {
				return
			}
		case '{':
			at++
			continue
		case '#':
			for at < len(s) && s[at] != '\n' {
				at++
			}
			continue
		case 'd', 'p', 'q', 'D', 'P', 'n', 'N', 'g', 'G', 'h', 'H', 'x', '=':
			at++
		default:
			return // a text, a label or what is not known
		}
		if address != "" && s[command] != 'q' {
			p.leave("condition", start, command, address)
		}
		commands = append(commands, [2]int{start, at})
	}
	if len(commands) < 2 {
		return
	}
	for _, c := range commands {
		p.leave("statement", c[0], c[1], s[c[0]:c[1]])
	}
}

// address is the end of an address.
func (p *program) address(at int) int {
	s := p.text
	if at >= len(s) {
		return at
	}
	switch {
	case s[at] == '/':
		if n := slashed(s[at:]); n > 0 {
			p.expression(at, at+n)
			return at + n
		}
	case s[at] == '$':
		return at + 1
	case digit(s[at]):
		end := at
		for end < len(s) && digit(s[end]) {
			end++
		}
		if with := increased(s[at:end]); with != "" {
			p.add("number", at, end, with, Within(s, at, end, at, end, with))
		}
		return end
	}
	return at
}

func (p *program) expression(from, to int) {
	Patterns(p.text[from:to], true, func(a, b int, with string) {
		p.add("related", from+a, from+b, with, Within(p.text, from, to, from+a, from+b, with))
	})
}

// substitution changes s/a/b/g, and is its end, -1 where it has none.
func (p *program) substitution(at int) int {
	s := p.text
	if at+1 >= len(s) || nameByte(s[at+1]) || s[at+1] == '\n' || s[at+1] == ' ' {
		return -1
	}
	sign := s[at+1]
	var ends []int
	end := at + 2
	for ; end < len(s) && len(ends) < 2; end++ {
		switch {
		case s[end] == '\\':
			end++
		case s[end] == sign:
			ends = append(ends, end)
		}
	}
	if len(ends) < 2 {
		return -1
	}
	if sign == '/' {
		p.expression(at+1, ends[0]+1)
	} else if !strings.Contains(s[at+2:ends[0]], "/") {
		from := at + 2
		Patterns("/"+s[from:ends[0]]+"/", true, func(a, b int, with string) {
			p.add("related", from+a-1, from+b-1, with, Within(s, from, ends[0], from+a-1, from+b-1, with))
		})
	}
	for ; end < len(s) && strings.IndexByte("gpiIeE0123456789", s[end]) >= 0; end++ {
		if c := s[end]; c == 'g' || c == 'i' || c == 'I' || digit(c) {
			p.add("related", end, end+1, "", Within(s, at, ends[1]+2, end, end+1, ""))
		}
	}
	return min(end, len(s))
}
