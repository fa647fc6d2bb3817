package data

import "strings"

// table makes the changes of a table: a row is left out, but for the head, and a number or a bool is another one.
func (f *file) table() {
	lines := f.lines()
	row := 0
	for i := 0; i < len(lines); i++ {
		first := lines[i]
		if first.blank() {
			continue
		}
		quotes := strings.Count(first.text, `"`)
		for quotes%2 == 1 && i+1 < len(lines) { // a cell that goes on
			i++
			quotes += strings.Count(lines[i].text, `"`)
		}
		last := lines[i]
		if row++; row == 1 {
			continue
		}
		f.add(LeftOut, first.from, last.next, "", nil)
		f.cells(first.from, last.to)
	}
}

// cells makes the changes of the cells of a row.
func (f *file) cells(from, to int) {
	quoted := false
	begin := from
	for i := from; i <= to; i++ {
		if i < to && f.source[i] == '"' {
			quoted = !quoted
		}
		if i < to && (quoted || strings.IndexByte(",;\t|", f.source[i]) < 0) {
			continue
		}
		cell := f.source[begin:i]
		value := strings.Trim(cell, "\" \t\r")
		if at := begin + strings.Index(cell, value); value != "" {
			for _, text := range around(value) {
				f.add(Number, at, at+len(value), text, nil)
			}
			f.add(Boolean, at, at+len(value), flipped(value), nil)
		}
		begin = i + 1
	}
}
