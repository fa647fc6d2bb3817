package inner

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Short is a text on one line of at most n characters, or … where n is less.
func Short(text string, n int) string {
	s := Flat(text)
	if utf8.RuneCountInString(s) <= n {
		return strings.TrimSpace(s)
	}
	return strings.TrimSpace(string([]rune(s)[:max(n-1, 0)])) + "…"
}

// Flat is a text with one space for all that is not shown, and without what is half a
// character. Of a long text it is the beginning.
func Flat(text string) string {
	if len(text) > 1000 {
		text = text[:1000]
	}
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(text, "") {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// Without says that a text is left out.
func Without(text string) string { return "`" + Short(text, 68) + "` left out" }

// side is how many characters of a change are shown before and after it.
const side = 36

// Instead says that a text stands in the place of another one.
func Instead(before, after string) string {
	return "`" + Short(before, side) + "` → `" + Short(after, side) + "`"
}

// Within says that a part of an expression is another one: the bytes from a to b of
// those of a text from `from` to `to`.
func Within(text string, from, to, a, b int, with string) string {
	from, to = min(from, a), max(to, b)
	old := Short(text[a:b], side)
	with = Short(with, side)
	room := side - max(utf8.RuneCountInString(old), utf8.RuneCountInString(with))
	before := []rune(Flat(text[max(from, a-500):a]))
	after := []rune(Flat(text[b:min(to, b+500)]))
	if len(before)+len(after) > room {
		keep := min(len(after), max(room/2, room-len(before)))
		if keep < len(after) {
			after = append(after[:max(keep-1, 0):max(keep-1, 0)], '…')
		}
		if keep = max(room-len(after), 0); keep < len(before) {
			before = append([]rune("…"), before[min(len(before)-keep+1, len(before)):]...)
		}
		if room < 3 {
			before, after = nil, nil
		}
	}
	return Instead(string(before)+old+string(after), string(before)+with+string(after))
}
