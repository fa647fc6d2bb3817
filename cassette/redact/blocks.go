package redact

import (
	"net/url"
	"strings"
)

// blockMax is how many lines of a block are looked at.
const blockMax = 64

// findBlock finds what the lines hold that stand below a name and further to the right, as
// YAML has the members of an object. The name begins in the line of a place, and its line
// ends there.
func findBlock(text string, end int, kind nameKind) (list []edit, next int) {
	type level struct {
		indent int
		below  Below
	}
	levels := []level{{indentOf(text, end), Below{kind: kind}}}
	next = end
	for range blockMax {
		n := newlineAt(text[next:])
		if n == 0 {
			break
		}
		start := next + n
		at := spacesEnd(text, start)
		for strings.HasPrefix(text[at:], "- ") {
			at = spacesEnd(text, at+1)
		}
		if at == len(text) || newlineAt(text[at:]) > 0 { // an empty line
			next = at
			continue
		}
		indent := at - start
		if indent <= levels[0].indent {
			break
		}
		for levels[len(levels)-1].indent >= indent {
			levels = levels[:len(levels)-1]
		}
		below := levels[len(levels)-1].below
		stop := at
		for !endsLine(text, stop, text[next:next+backslashes(text[next:])]) {
			stop++
		}
		name, from := lineName(text[:stop], at)
		if from == stop {
			levels = append(levels, level{indent, below.Under(name)})
		} else if start, to := assignedValue(text[:stop], from); start < to {
			if value, under := unescape(text[start:to]), below.Under(name); under.below(value) || under.belowNumber(value) {
				list = append(list, edit{start, to, Placeholder(value)})
			}
		}
		next = stop
	}
	return list, next
}

// sectionAt is what the head of a section says that is the line which begins at a place,
// as files of settings have it, and where it ends: [credentials].
func sectionAt(text string, at int) (kind nameKind, end int) {
	if at >= len(text) || text[at] != '[' {
		return plain, at
	}
	mark := "]"
	if strings.HasPrefix(text[at:], "[[") { // of several of a name
		at, mark = at+1, "]]"
	}
	end = at + 1
	for end < len(text) && end-at < nameMax && (isNameByte(text[end]) || text[end] == '.') {
		end++
	}
	behind := end + len(mark)
	if !strings.HasPrefix(text[end:], mark) || behind == len(text) || newlineAt(text[behind:]) == 0 {
		return plain, at
	}
	return sectionKind(text[at+1 : end]), behind
}

// sectionKind is what the name of a section tells, of which the last parts may be one: auth.keys.
func sectionKind(name string) nameKind {
	_, kind := nameBefore(name, len(name))
	return kind
}

// findSection finds what the lines of a section hold whose head ends at a place.
func findSection(text string, end int, kind nameKind) (list []edit, next int) {
	next = end
	for range blockMax {
		n := newlineAt(text[next:])
		if n == 0 {
			break
		}
		at := spacesEnd(text, next+n)
		if at == len(text) || newlineAt(text[at:]) > 0 {
			next = at
			continue
		}
		if text[at] == '[' {
			break
		}
		stop := at
		for !endsLine(text, stop, text[next:next+backslashes(text[next:])]) {
			stop++
		}
		if name, rest, is := strings.Cut(text[at:stop], "="); is {
			from, _ := unwrapped(text[:stop], spacesEnd(text[:stop], stop-len(rest)))
			if start, to := assignedValue(text[:stop], from); start < to {
				if value := unescape(text[start:to]); (Below{kind: kind}).Under(strings.TrimSpace(name)).below(value) {
					list = append(list, edit{start, to, Placeholder(value)})
				}
			}
		}
		next = stop
	}
	return list, next
}

// indentOf is how far to the right what stands in the line begins, up to a place.
func indentOf(text string, end int) int {
	line := text[max(0, end-loginMax):end]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	if n := strings.LastIndex(line, `\n`); n >= 0 {
		line = line[n+len(`\n`):]
	}
	before := strings.TrimRight(line, ": \\"+quotes)
	for before != "" && (isNameByte(before[len(before)-1]) || before[len(before)-1] == '.') {
		before = before[:len(before)-1]
	}
	if n := strings.LastIndexByte(strings.TrimRight(before, `\"`), '"'); n >= 0 { // where the string of JSON begins
		line = line[n+1:]
	} else if strings.HasSuffix(before, `"`) && !strings.HasSuffix(strings.TrimRight(line, ": "), `"`) {
		line = line[len(before):]
	}
	at := spacesEnd(line, 0)
	for strings.HasPrefix(line[at:], "- ") {
		at = spacesEnd(line, at+1)
	}
	return at
}

// lineName is the name in a line that begins at a place, and where its value does: the end
// of the text where nothing follows. A value alone has no name.
func lineName(line string, at int) (name string, value int) {
	end := at
	for end < len(line) && (isNameByte(line[end]) || line[end] == '.' || isQuote(line[end])) {
		end++
	}
	if end == len(line) || line[end] != ':' || end+1 < len(line) && line[end+1] != ' ' {
		return "", at
	}
	return strings.Trim(line[at:end], quotes), spacesEnd(line, end+1)
}

// elementsMax is how much of an element of XML is looked at.
const elementsMax = 4096

// findElements finds what the elements hold that stand in one of such a kind, whose first
// mark ends at a place: <password><old>…</old></password>.
func findElements(text string, at int, kind nameKind) (list []edit) {
	limit := min(len(text), at+elementsMax)
	for below := (Below{kind: kind}); ; {
		at = skipSpace(text[:limit], at)
		if at+1 >= limit || text[at] != '<' || !isLetter(text[at+1]) {
			return list
		}
		end := strings.IndexByte(text[at:limit], '>')
		if end < 0 {
			return list
		}
		from := at + end + 1
		name := elementName(text, from-1)
		stop := strings.IndexByte(text[from:limit], '<')
		if name == "" || stop < 0 || !strings.HasPrefix(text[from+stop:], "</"+name) {
			return list
		}
		if value := text[from : from+stop]; below.Under(name[strings.LastIndexByte(name, ':')+1:]).below(value) {
			list = append(list, edit{from, from + stop, url.QueryEscape(Placeholder(value))})
		}
		if end = strings.IndexByte(text[from+stop:limit], '>'); end < 0 {
			return list
		}
		at = from + stop + end + 1
	}
}
