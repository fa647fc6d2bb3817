package texts

import (
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"
)

// OfPiece says why that a pattern is found shows nothing where it is found in a piece of a value.
const OfPiece = "it holds because the pattern has neither ^ nor $, and so is found in a piece of the value: one letter of its class is enough. The whole value does not match, so it shows nothing here.\nhint: begin the pattern with ^ and end it with $"

// IsPiece reports whether a pattern is one class of letters, once or more often, and a text in which it
// is found is one value with other signs in it. A number is looked for in a longer value on purpose, and
// so is a word in a text of several.
func IsPiece(pattern, text string) bool {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return false
	}
	for re.Op == syntax.OpCapture {
		re = re.Sub[0]
	}
	if re.Op != syntax.OpPlus || re.Sub[0].Op != syntax.OpCharClass {
		return false
	}
	class := re.Sub[0].Rune
	in := func(c rune) bool {
		for i := 0; i < len(class); i += 2 {
			if class[i] <= c && c <= class[i+1] {
				return true
			}
		}
		return false
	}
	return slices.ContainsFunc([]rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), in) &&
		!strings.ContainsFunc(text, unicode.IsSpace) && strings.ContainsFunc(text, in) &&
		strings.ContainsFunc(text, func(c rune) bool { return !in(c) })
}
