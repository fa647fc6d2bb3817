package mutate

import "strings"

// A spec is one directive of a format, such as %-8.2f.
type spec struct {
	from, to              int
	flags, width, precise string
	verb                  byte
	// argument is what says which argument is shown, such as [2].
	argument string
}

// specsOf are the directives of a format, without %%.
func specsOf(text string) []spec {
	var list []spec
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		s := spec{from: i}
		take := func(set string) string {
			from := i
			for i < len(text) && strings.IndexByte(set, text[i]) >= 0 {
				i++
			}
			return text[from:i]
		}
		i++
		s.flags = take("+-# 0")
		s.width = take("0123456789")
		if i < len(text) && text[i] == '.' {
			i++
			s.precise = "." + take("0123456789")
		}
		if i < len(text) && text[i] == '[' {
			end := strings.IndexByte(text[i:], ']')
			if end < 0 {
				return list
			}
			s.argument = text[i : i+end+1]
			i += end + 1
		}
		if i >= len(text) {
			return list
		}
		s.verb, s.to = text[i], i+1
		if s.verb != '%' {
			list = append(list, s)
		}
	}
	return list
}

func (s spec) String() string {
	return "%" + s.flags + s.width + s.precise + s.argument + string(s.verb)
}

// plainVerb is the verb that shows a value as it is where another one makes something of it. An integer is the same
// with %d and with %v, so that %d stays.
func plainVerb(verb byte) byte {
	switch verb {
	case 'f', 'F', 'e', 'E', 'g', 'G':
		return 'v'
	case 'q':
		return 's'
	case 'x', 'X', 'o', 'b':
		return 'd'
	}
	return verb
}

// formatChanges leave out what a format says of how a value is shown: its precision with the verb, its width with the
// zeros or the side, its sign, and its verb alone.
func formatChanges(text string) []change {
	var list []change
	for _, s := range specsOf(text) {
		put := func(to spec) {
			if with := to.String(); with != s.String() {
				list = append(list, change{what: s.String() + " → " + with, from: s.from, to: s.to, with: with})
			}
		}
		plain := s
		plain.precise, plain.verb = "", plainVerb(s.verb)
		put(plain)
		if s.width != "" || strings.ContainsAny(s.flags, "0-") {
			narrow := s
			narrow.width, narrow.flags = "", strings.Trim(s.flags, "0-")
			put(narrow)
			if strings.Contains(s.flags, "0") {
				spaces := s
				spaces.flags = strings.ReplaceAll(s.flags, "0", "")
				put(spaces)
			}
		}
		for _, flag := range []string{"+", " ", "#"} {
			if strings.Contains(s.flags, flag) {
				without := s
				without.flags = strings.ReplaceAll(s.flags, flag, "")
				put(without)
			}
		}
	}
	return list
}

// dateChanges leave out one part of the pattern of a date after the other, and take the hours of half a day for those
// of a day. What stands between apostrophes is text.
func dateChanges(text string) []change {
	var list []change
	for i := 0; i < len(text); {
		if text[i] == '\'' {
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return list
			}
			i += end + 2
			continue
		}
		from := i
		for i < len(text) && text[i] == text[from] {
			i++
		}
		part := text[from:i]
		if strings.IndexByte("YMDEhHAamsZ", part[0]) < 0 {
			continue
		}
		if part != text { // nothing would be left
			list = append(list, change{what: part + " left out of " + brief(text), from: from, to: i})
		}
		if part[0] == 'h' {
			to := strings.ToUpper(part)
			list = append(list, change{what: part + " → " + to + " in " + brief(text), from: from, to: i, with: to})
		}
	}
	return list
}
