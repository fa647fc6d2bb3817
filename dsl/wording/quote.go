package wording

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Quote is a string as a file has it. See [AppendQuoted].
func Quote(s string) string { return string(AppendQuoted(nil, s)) }

// Quoted are strings as a file has them, with commas between.
func Quoted(list []string) string {
	var text []byte
	for i, s := range list {
		if i > 0 {
			text = append(text, ", "...)
		}
		text = AppendQuoted(text, s)
	}
	return string(text)
}

// AppendQuoted appends a string as a file has it, so that it reads back as itself.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i, r := range s {
		switch {
		case r == '"' || r == '\\':
			dst = append(dst, '\\', byte(r))
		case r == '\n':
			dst = append(dst, `\n`...)
		case r == '\r':
			dst = append(dst, `\r`...)
		case r == '\t':
			dst = append(dst, `\t`...)
		case (r == '$' || r == '%') && strings.HasPrefix(s[i+1:], "{"):
			dst = append(dst, byte(r), byte(r))
		case !strconv.IsPrint(r) && r < 0x10000:
			dst = fmt.Appendf(dst, `\u%04x`, r)
		case !strconv.IsPrint(r):
			dst = fmt.Appendf(dst, `\U%08x`, r)
		default:
			dst = utf8.AppendRune(dst, r)
		}
	}
	return append(dst, '"')
}
