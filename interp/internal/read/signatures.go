package read

import (
	"slices"
	"strings"
	"unicode"
)

// signatures are the words of names for what a request is signed with.
var signatures = []string{"signature", "sig", "sign", "hmac", "digest", "hash"}

// IsSignature reports whether a name says that what it names is a signature: X-Hub-Signature-256, hmac.
func IsSignature(name string) bool {
	return slices.ContainsFunc(WordsIn(name), func(w string) bool { return slices.Contains(signatures, w) })
}

// WordsIn are the words of a name, in small letters.
func WordsIn(name string) []string {
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
