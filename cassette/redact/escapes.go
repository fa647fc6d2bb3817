package redact

import (
	"encoding/binary"
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// deepest is how many times a text is looked at without its escapes: a JSON string within
// one, in a query within a URL, of which each may be escaped in part.
const deepest = 8

// escaped finds the regions of a part of a text, which begins at a place, that hold a
// secret once escapes are undone. Every writer of URLs, JSON and HTML decides for itself
// which characters it escapes and in which case it writes the digits, so that the forms
// of a secret are more than can be listed.
func (r *Redactor) escaped(found []region, part string, at int) []region {
	first := strings.IndexAny(part, escapes)
	if len(r.forms) == 0 || first < 0 {
		return found
	}
	some, more := false, false
	for i := first; i < len(part); {
		n, stands := unit(part[i:])
		some, more = some || n > 1, more || n > 1 && mayEscape(stands[0])
		i += n
	}
	switch {
	case !some:
		return found
	case !more:
		return r.searchOnce(found, part, at)
	}
	plain, from := part, []int(nil)
	for range deepest {
		next, places := unescaped(plain)
		if places == nil {
			break
		}
		for i, p := range places {
			if from != nil {
				places[i] = from[p]
			}
		}
		plain, from = next, places
		for _, g := range r.search(nil, plain, 0) {
			g.start, g.end = at+from[g.start], at+from[g.end]
			found = append(found, g)
		}
	}
	return found
}

// escapes are how escapes begin.
const escapes = `%\&`

// mayEscape reports whether a character that an escape stands for can be a part of
// another one.
func mayEscape(c byte) bool {
	return c == '#' || c == ';' || strings.IndexByte(escapes, c) >= 0 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// searchOnce is the search in a text whose escapes stand for nothing that is one again. It
// allocates nothing where it finds nothing.
func (r *Redactor) searchOnce(found []region, part string, at int) []region {
	for i := 0; i < len(part); {
		n, stands := unit(part[i:])
		if r.first[stands[0]] {
			if start, ok := beginning(part[i:]); ok {
				for _, f := range r.starts[start] {
					if f := &r.forms[f]; matchEscaped(part[i:], f.text) > 0 {
						n = matchEscaped(part[i:], f.text)
						found = append(found, region{start: at + i, end: at + i + n, longest: len(f.text), secret: f.secret})
						break
					}
				}
			}
		}
		i += n
	}
	return found
}

// beginning is what a text begins with, as forms are listed by it.
func beginning(text string) (uint32, bool) {
	var b [4]byte
	for n := 0; n < len(b); {
		if text == "" {
			return 0, false
		}
		skip, stands := unit(text)
		n += copy(b[n:], stands)
		text = text[skip:]
	}
	return binary.LittleEndian.Uint32(b[:]), true
}

// matchEscaped is how much of a text is a form once escapes are undone, 0 where it does
// not begin so.
func matchEscaped(text, form string) (n int) {
	for form != "" {
		if n == len(text) {
			return 0
		}
		skip, stands := unit(text[n:])
		if !strings.HasPrefix(form, stands) {
			return 0
		}
		form, n = form[len(stands):], n+skip
	}
	return n
}

// unit is how long the first character of a text is, or the escape that it begins with,
// and what that stands for.
func unit(text string) (n int, stands string) {
	switch text[0] {
	case '%':
		return percentEscape(text)
	case '\\':
		return backslashEscape(text)
	case '&':
		return entity(text)
	}
	return 1, text[:1]
}

// unescaped is a text without its escapes, and for each byte of it, and its end, where
// that stands in the text; nil where it has no escapes.
func unescaped(text string) (plain string, places []int) {
	if !strings.ContainsAny(text, escapes) {
		return text, nil
	}
	out, changed := make([]byte, 0, len(text)), false
	places = make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		n, stands := unit(text[i:])
		changed = changed || n > 1
		for range len(stands) {
			places = append(places, i)
		}
		out = append(out, stands...)
		i += n
	}
	if !changed {
		return text, nil
	}
	return string(out), append(places, len(text))
}

// percentEscape is how long the escape at the beginning of a text is, and the byte that
// it stands for: RFC 3986, 2.1.
func percentEscape(text string) (n int, stands string) {
	if c, ok := hexAt(text, 1, 2); ok {
		return 3, string([]byte{byte(c)})
	}
	return 1, text[:1]
}

// backslashEscape is the same for the escapes of JSON, and for those of two digits that
// Go and Python write.
func backslashEscape(text string) (n int, stands string) {
	if len(text) < 2 {
		return 1, text
	}
	switch text[1] {
	case '"', '\\', '/', '\'':
		return 2, text[1:2]
	case 'n':
		return 2, "\n"
	case 't':
		return 2, "\t"
	case 'r':
		return 2, "\r"
	case 'b':
		return 2, "\b"
	case 'f':
		return 2, "\f"
	case 'x':
		if c, ok := hexAt(text, 2, 2); ok {
			return 4, string([]byte{byte(c)})
		}
	case 'u':
		c, ok := hexAt(text, 2, 4)
		if !ok {
			break
		}
		if !utf16.IsSurrogate(c) {
			return 6, string(c)
		}
		if len(text) > 7 && text[6:8] == `\u` {
			if low, ok := hexAt(text, 8, 4); ok && utf16.DecodeRune(c, low) != utf8.RuneError {
				return 12, string(utf16.DecodeRune(c, low))
			}
		}
	}
	return 1, text[:1]
}

// entity is the same for the character references of HTML.
func entity(text string) (n int, stands string) {
	end := strings.IndexByte(text[:min(len(text), 12)], ';')
	if end < 0 || strings.ContainsFunc(text[1:end], isNoPartOfEntity) {
		return 1, text[:1]
	}
	if s := html.UnescapeString(text[:end+1]); s != text[:end+1] {
		return end + 1, s
	}
	return 1, text[:1]
}

// isNoPartOfEntity reports whether no character reference has a character behind its first.
func isNoPartOfEntity(c rune) bool {
	return c > 'z' || c != '#' && !mayEscape(byte(c)) || c == '&' || c == '%' || c == '\\' || c == ';'
}

// hexAt is the number of so many hexadecimal digits at a place of a text.
func hexAt(text string, at, n int) (rune, bool) {
	if len(text) < at+n {
		return 0, false
	}
	c, err := strconv.ParseUint(text[at:at+n], 16, 32)
	return rune(c), err == nil && text[at] != '+' && text[at] != '-'
}
