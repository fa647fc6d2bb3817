package redact

import "strings"

// A table is what the head of a table says of the lines below it: user,password. Its
// cells are parted by commas, semicolons, tabs or bars.
type table struct {
	sep string
	// escapes are the backslashes of the string of JSON that the table stands in.
	escapes string
	kinds   []nameKind
}

// The bounds of a head.
const (
	columnsMax = 64
	columnMax  = 32
)

// mayBeHead is a quick look whether the head of a table begins at a place: behind the first
// name stands what parts two. Most lines are left behind their first words.
func mayBeHead(text string, at int) bool {
	at = spacesEnd(text, at)
	if at < len(text) && text[at] == '|' {
		at++
	}
	name, end := columnName(text, at)
	return name != "" && end < len(text) && strings.IndexByte(",;|\t\\", text[end]) >= 0
}

// headAt is the table whose head begins at a place where a line does, and where its head
// ends; nil where none begins.
func headAt(text string, at int) (t *table, end int) {
	begin, sep := spacesEnd(text, at), ""
	at = begin
	if at < len(text) && text[at] == '|' {
		sep = "|"
		at++
	}
	n, known := 0, false
	for more := true; more && n <= columnsMax; n++ {
		name, next := columnName(text, at)
		if name == "" {
			return nil, at
		}
		if sep, at, more = columnSep(text, next, sep); at < 0 {
			return nil, next
		}
		known = known || columnKind(name) != plain
	}
	if !known || n < 2 || n > columnsMax {
		return nil, at
	}
	t = &table{sep: sep, escapes: text[at : at+backslashes(text[at:])], kinds: make([]nameKind, n)}
	if text[begin] == '|' {
		begin++
	}
	for i := range t.kinds {
		name, next := columnName(text, begin)
		t.kinds[i] = columnKind(name)
		_, begin, _ = columnSep(text, next, sep)
	}
	return t, at + newlineAt(text[at:])
}

// columnSep is what parts columns at a place, which is to be as it was before, and where the
// next column begins if there is one, else where the line ends; less than 0 where neither is.
func columnSep(text string, at int, before string) (sep string, next int, more bool) {
	if at == len(text) {
		return before, -1, false
	}
	if newlineAt(text[at:]) > 0 {
		return before, at, false
	}
	sep = text[at : at+1]
	switch text[at] {
	case ',', ';', '|', '\t':
	case '\\':
		tab := at + backslashes(text[at:])
		if tab == len(text) || text[tab] != 't' {
			return before, -1, false
		}
		sep = text[at : tab+1]
	default:
		return before, -1, false
	}
	if before != "" && before != sep {
		return before, -1, false
	}
	at += len(sep)
	if last := spacesEnd(text, at); sep == "|" && last < len(text) && newlineAt(text[last:]) > 0 { // the bar that ends a line
		return sep, last, false
	}
	return sep, at, true
}

// spacesEnd is where spaces end that begin at a place.
//
//go:noinline
func spacesEnd(text string, at int) int {
	for at < len(text) && text[at] == ' ' {
		at++
	}
	return at
}

// columnKind is what the name of a column tells, which may have several words: API Key.
func columnKind(name string) nameKind {
	if strings.IndexByte(name, ' ') >= 0 {
		name = strings.ReplaceAll(name, " ", "_")
	}
	return kindOf(name)
}

// columnName is the name of a column that begins at a place, which may be quoted, and
// where what stands behind it begins; "" for what is none.
func columnName(text string, at int) (name string, end int) {
	at = spacesEnd(text, at)
	begin := at
	for at < len(text) && (text[at] == '\\' || text[at] == '"') && at-begin < 8 {
		at++
	}
	start, spaces := at, 0
	if at == len(text) || !isLetter(text[at]) {
		return "", at
	}
	for limit := min(len(text), start+columnMax); at < limit; at++ {
		if c := text[at]; !isNameByte(c) && c != '.' {
			if spaces++; c != ' ' || spaces > 2 {
				break
			}
		}
	}
	end = at
	for text[end-1] == ' ' {
		end--
	}
	name = text[start:end]
	if mark := text[begin:start]; mark != "" {
		if !strings.HasPrefix(text[at:], mark) {
			return "", at
		}
		at += len(mark)
	}
	return name, spacesEnd(text, at)
}

// rows finds what the rows hold that begin at a place, up to the first line that is none,
// and returns where that begins. Rest says that no line is left.
func (t *table) rows(text string, at int) (list []edit, end int, rest bool) {
	for at < len(text) {
		row, next, is := t.row(text, at)
		if !is {
			return list, at, false
		}
		list = append(list, row...)
		if next == at {
			break
		}
		at = next
	}
	return list, at, true
}

// row finds what the line holds that begins at a place, and where the next one begins.
func (t *table) row(text string, at int) (list []edit, next int, is bool) {
	mark := t.escapes + `"`
	if ruler := t.ruler(text, at); ruler > at {
		return nil, ruler, true
	}
	at = spacesEnd(text, at)
	if t.sep == "|" && at < len(text) && text[at] == '|' {
		at++
	}
	for n := 0; ; n++ {
		at = spacesEnd(text, at)
		from := at
		to := from
		if strings.HasPrefix(text[at:], mark) {
			from, to = at+len(mark), at+len(mark)
			for to < len(text) && newlineAt(text[to:]) == 0 && !strings.HasPrefix(text[to:], mark) || strings.HasPrefix(text[to:], mark+mark) {
				if strings.HasPrefix(text[to:], mark) {
					to += len(mark)
				}
				to++
			}
			to = min(to, len(text))
			at = to
			if strings.HasPrefix(text[at:], mark) {
				at += len(mark)
			}
			at = spacesEnd(text, at)
		} else {
			for at < len(text) && !strings.HasPrefix(text[at:], t.sep) && !t.ends(text, at) {
				at++
			}
			to = from + len(strings.TrimRight(text[from:at], " "))
		}
		ends := t.ends(text, at)
		if n == len(t.kinds) && from == to && ends && t.sep == "|" {
			n-- // behind the last bar
		} else if n < len(t.kinds) && takesCell(t.kinds[n], text[from:to]) {
			list = append(list, edit{from, to, Placeholder(unescape(text[from:to]))})
		}
		if ends {
			return list, at + newlineAt(text[at:]), n+1 == len(t.kinds)
		}
		if n >= len(t.kinds) || !strings.HasPrefix(text[at:], t.sep) {
			return nil, at, false
		}
		at += len(t.sep)
	}
}

func (t *table) ends(text string, at int) bool { return endsLine(text, at, t.escapes) }

// endsLine reports whether a line ends at a place, or the string of JSON that has it, in
// which the end of a line has so many backslashes.
func endsLine(text string, at int, escapes string) bool {
	if at == len(text) || newlineAt(text[at:]) > 0 {
		return true
	}
	return escapes != "" && strings.HasPrefix(text[at:], escapes[1:]+`"`)
}

// ruler is where the line ends that begins at a place, if it parts the head from the rows:
// ---+---; the same place for any other.
func (t *table) ruler(text string, at int) int {
	if t.sep != "|" {
		return at
	}
	end := at
	for end < len(text) && strings.IndexByte("-+|: ", text[end]) >= 0 {
		end++
	}
	if n := newlineAt(text[end:]); n > 0 && strings.Contains(text[at:end], "--") {
		return end + n
	}
	return at
}

// takesCell reports whether a value in a column is hidden, whose name is of such a kind. A
// word stays, as it does behind a name without quotes.
func takesCell(kind nameKind, value string) bool {
	switch {
	case kind == plain, len(value) < ShortestSecret && !kind.isCode(), strings.ContainsAny(value, " \t"), HasPlaceholder(value), isNothing(value), isDate(value):
		return false
	case kind == credential:
		return isBareSecret(value) || digits(value) == len(value) || len(value) >= longInOtherForm && !isWord(value) && !isSetting(value)
	}
	return kind.fits(value)
}

// findTable finds what the rows of the table hold whose head begins at a place, and where
// they end; the same place where there is none. Open is the table if it goes on behind
// the text.
func findTable(text string, at int) (list []edit, end int, open *table) {
	t, begin := headAt(text, at)
	if t == nil {
		return nil, at, nil
	}
	list, end, rest := t.rows(text, begin)
	if rest && t.escapes == "" {
		return list, end, t
	}
	return list, end, nil
}

// follows takes the lines that a text begins with and that are rows of the table, which may
// be nil, and returns the text without what their cells hide, and whether these are all.
func (t *table) follows(text string) (shown string, whole bool) {
	if t == nil {
		return text, false
	}
	var e edits
	var rest bool
	e.list, _, rest = t.rows(text, 0)
	return e.apply(text), rest
}
