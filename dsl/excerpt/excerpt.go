// Package excerpt cuts lines of source to what a terminal shows, and measures them.
//
//	shown, left := excerpt.Around(line, from, 160)
//	fmt.Println(shown)
//	fmt.Println(excerpt.Blank(left) + "^")
package excerpt

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Around cuts a very long line to the part around a byte of it, of at most so many
// characters. It returns that part and what of it is before the byte, as a terminal
// may show them. Its work does not grow with the line.
func Around(line []byte, from, maxLine int) (shown, left string) {
	most := (maxLine + 1) * utf8.UTFMax // bytes of what is too long in any case: a line may have a mistake in each word
	begin := max(from-most, 0)
	for begin > 0 && begin < from && !utf8.RuneStart(line[begin]) {
		begin++
	}
	before, after := []rune(Visible(string(line[begin:from]))), []rune(Visible(string(Prefix(line[from:], most))))
	start, end := "", ""
	if len(before)+len(after) > maxLine {
		if len(before) > maxLine/4 {
			start, before = "… ", before[len(before)-maxLine/4:]
		}
		if room := maxLine - len(before); len(after) > room {
			after, end = after[:room], " …"
		}
	}
	left = start + string(before)
	return left + string(after) + end, left
}

// Prefix is at most so many bytes of a text, and no part of a character.
func Prefix(text []byte, most int) []byte {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}

// Blank is white space as wide as text; a tab stays one, as its width is the
// terminal's business.
func Blank(text string) string {
	var b strings.Builder
	for _, r := range text {
		if r == '\t' {
			b.WriteByte('\t')
			continue
		}
		b.WriteString(strings.Repeat(" ", columnsOf(r)))
	}
	return b.String()
}

// Columns is how wide a terminal shows a text.
func Columns(text string) int {
	n := 0
	for _, r := range text {
		n += columnsOf(r)
	}
	return n
}

// columnsOf is how wide a terminal shows a character: none for one that
// combines with the one before, two for those of East Asia and most symbols
// beyond the basic plane.
func columnsOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana), r >= 0x1f300 && r <= 0x1faff, r >= 0xff01 && r <= 0xff60:
		return 2
	}
	return 1
}

// Visible replaces what a terminal would obey instead of show, and bytes that
// are no text.
func Visible(text string) string {
	return strings.Map(func(r rune) rune {
		if r == utf8.RuneError || unicode.IsControl(r) && r != '\t' || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069 {
			return '�'
		}
		return r
	}, text)
}
