package jsontext

import "encoding/hex"

// AppendString appends a string as JSON with the shortest escapes (RFC 8785
// §3.2.2.2).
func AppendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := range len(s) {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' {
			continue
		}
		b = append(append(b, s[start:i]...), Escape(c)...)
		start = i + 1
	}
	return append(append(b, s[start:]...), '"')
}

// Escape is the shortest escape of a byte that JSON does not take as it is.
func Escape(c byte) string {
	switch c {
	case '"':
		return `\"`
	case '\\':
		return `\\`
	case '\b':
		return `\b`
	case '\t':
		return `\t`
	case '\n':
		return `\n`
	case '\f':
		return `\f`
	case '\r':
		return `\r`
	}
	return `\u00` + hex.EncodeToString([]byte{c})
}
