// Package escapes undoes the escapes of URLs, JSON and HTML, and leaves out the escape sequences of terminals.
package escapes

import (
	"html"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Signs are how escapes begin.
const Signs = `%\&`

// MayEscape reports whether a character that an escape stands for can be a part of
// another one.
func MayEscape(c byte) bool {
	return c == '#' || c == ';' || strings.IndexByte(Signs, c) >= 0 || '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Unit is how long the first character of a text is, or the escape that it begins with,
// and what that stands for.
func Unit(text string) (n int, stands string) {
	switch text[0] {
	case '%':
		return Percent(text)
	case '\\':
		return backslashEscape(text)
	case '&':
		return entity(text)
	}
	return 1, text[:1]
}

// Unescaped is a text without its escapes, and for each byte of it, and its end, where
// that stands in the text; nil where it has no escapes.
func Unescaped(text string) (plain string, places []int) {
	if !strings.ContainsAny(text, Signs) {
		return text, nil
	}
	out, changed := make([]byte, 0, len(text)), false
	places = make([]int, 0, len(text)+1)
	for i := 0; i < len(text); {
		n, stands := Unit(text[i:])
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

// Percent is how long the escape at the beginning of a text is, and the byte that
// it stands for: RFC 3986, 2.1.
func Percent(text string) (n int, stands string) {
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
	return c > 'z' || c != '#' && !MayEscape(byte(c)) || c == '&' || c == '%' || c == '\\' || c == ';'
}

// hexAt is the number of so many hexadecimal digits at a place of a text.
func hexAt(text string, at, n int) (rune, bool) {
	if len(text) < at+n {
		return 0, false
	}
	c, err := strconv.ParseUint(text[at:at+n], 16, 32)
	return rune(c), err == nil && text[at] != '+' && text[at] != '-'
}
