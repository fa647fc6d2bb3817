package secrets

import "strings"

// A lexeme is a word, a sign or a text of a statement of SQL.
type lexeme struct {
	text   string
	quoted bool
}

// lexemes are those of a file, without comments.
func lexemes(text string) (list []lexeme) {
	for at := 0; at < len(text); {
		c := text[at]
		switch {
		case c == '\'':
			end := at + 1
			for end < len(text) && text[end] != '\'' {
				end++
			}
			list = append(list, lexeme{text[at+1 : end], true})
			at = end + 1
		case c == '-' && strings.HasPrefix(text[at:], "--"):
			end := strings.IndexByte(text[at:], '\n')
			if end < 0 {
				return list
			}
			at += end
		case c == '_' || c == '.' || isAlphanumeric(c):
			end := at
			for end < len(text) && (text[end] == '_' || text[end] == '.' || isAlphanumeric(text[end])) {
				end++
			}
			list = append(list, lexeme{strings.ToLower(text[at:end]), false})
			at = end
		default:
			if strings.IndexByte(" \t\r\n\"`[]", c) < 0 {
				list = append(list, lexeme{text[at : at+1], false})
			}
			at++
		}
	}
	return list
}

// rows adds what statements of SQL put into columns that are called as credentials are, where the columns are those of
// CREATE TABLE, and where a SELECT stands in the place of VALUES.
func rows(text string, add func(secret string)) {
	if low := strings.ToLower(text); !strings.Contains(low, "insert into") {
		return
	}
	list := lexemes(text)
	is := func(i int, word string) bool { return i < len(list) && !list[i].quoted && list[i].text == word }
	tables := map[string][]string{}
	for i := range list {
		switch {
		case is(i, "create") && is(i+1, "table"):
			at := i + 2
			if is(at, "if") { // not exists
				at += 3
			}
			if is(at+1, "(") {
				tables[list[at].text], _ = heads(list, at+2)
			}
		case is(i, "insert") && is(i+1, "into") && i+2 < len(list):
			columns, at := tables[list[i+2].text], i+3
			if is(at, "(") {
				columns, at = heads(list, at+1)
			}
			switch {
			case columns == nil:
			case is(at, "select"):
				cells(list, at+1, columns, add)
			case is(at, "values"):
				for at++; is(at, "("); {
					if at = cells(list, at+1, columns, add); !is(at, ")") || !is(at+1, ",") {
						break
					}
					at += 2
				}
			}
		}
	}
}

// heads are the first words of what stands in parentheses between commas, and where that ends.
func heads(list []lexeme, at int) (columns []string, end int) {
	depth, first := 0, true
	for ; at < len(list); at++ {
		switch word := list[at]; {
		case word.quoted:
		case word.text == "(":
			depth++
		case word.text == ")" && depth == 0:
			return columns, at + 1
		case word.text == ")":
			depth--
		case word.text == ",":
			first = first || depth == 0
		case word.text == ";":
			return nil, at
		case first:
			columns, first = append(columns, word.text), false
		}
	}
	return nil, at
}

// cells adds the texts of a row in columns of credentials, and returns where the row ends.
func cells(list []lexeme, at int, columns []string, add func(secret string)) (end int) {
	depth, n := 0, 0
	for ; at < len(list); at++ {
		switch cell := list[at]; {
		case cell.quoted:
			if n < len(columns) && looksSecret(cell.text) && under(columns[n], cell.text) {
				add(cell.text)
			}
		case cell.text == "(":
			depth++
		case cell.text == ")" && depth == 0, cell.text == ";", depth == 0 && cell.text == "from":
			return at
		case cell.text == ")":
			depth--
		case cell.text == "," && depth == 0:
			n++
		}
	}
	return at
}
