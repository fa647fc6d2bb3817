package cli

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Plural is a number with a noun that takes an s.
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Readable spells out what a terminal would act on: escape sequences and other
// characters that are not seen.
func Readable(s string) string {
	var b strings.Builder
	for _, c := range s {
		if c == '\n' || c == '\t' || unicode.IsPrint(c) {
			b.WriteRune(c)
			continue
		}
		quoted := strconv.QuoteRune(c)
		b.WriteString(quoted[1 : len(quoted)-1])
	}
	return b.String()
}

// Cell is Readable for a text that stands on one line.
func Cell(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(Readable(s))
}

// Visible is a name on one line of a terminal: what cannot be seen in it is
// written as in a regular expression.
func Visible(name string) string {
	var b strings.Builder
	for _, r := range name {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\x{%x}`, r)
		}
	}
	return b.String()
}
