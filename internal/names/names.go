// Package names reads the names that people give to things, however these part their words.
//
//	names.Words("X-Hub-Signature-256") // x, hub, signature, 256
//	names.Mentioned([]string{"all order ids"}, "orderId") // true
package names

import (
	"slices"
	"strings"
	"unicode"
)

// Words are the words of a name or a sentence, in small letters: what stands between signs, and
// between a small letter and a capital.
func Words(name string) []string {
	var b strings.Builder
	small := false
	for _, c := range name {
		if unicode.IsUpper(c) && small {
			b.WriteByte(' ')
		}
		small = unicode.IsLower(c)
		b.WriteRune(unicode.ToLower(c))
	}
	return strings.FieldsFunc(b.String(), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

// Mentioned reports whether one of some sentences has all words of a name, each alone or with an
// s behind it. A name without a word is never mentioned.
func Mentioned(sentences []string, name string) bool {
	words := Words(name)
	return len(words) > 0 && slices.ContainsFunc(sentences, func(sentence string) bool {
		in := Words(sentence)
		return !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(in, w) && !slices.Contains(in, w+"s") })
	})
}
