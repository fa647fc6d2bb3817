package convert

import (
	"regexp"
	"regexp/syntax"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

var (
	patternParts = pattern.New(`\{[^{}]*\}|\([^()]*\)|\[[^\[\]]*\]|\\[a-zA-Z]|\.`)
	patternSigns = pattern.New(`\\|[*+?^$|()\[\]{}]`)
)

// example is a text that a pattern stands for: a word in the place of what
// varies, or where that does not fit the shortest that does. A pattern that Go
// does not have is taken roughly.
func example(pattern string) string {
	text := strings.ReplaceAll(pattern, `\.`, "\x00")
	text = patternSigns().ReplaceAllString(patternParts().ReplaceAllString(text, "x"), "")
	text = strings.ReplaceAll(text, "\x00", ".")
	re, err := regexp.Compile(`^(?:` + pattern + `)$`)
	if err != nil || re.MatchString(text) {
		return text
	}
	tree, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return text
	}
	if short := shortest(tree); re.MatchString(short) {
		return short
	}
	return text
}

// shortest is a text of the form, without what may be missing.
func shortest(re *syntax.Regexp) string {
	var b strings.Builder
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		return oneOf(re.Rune)
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpAlternate, syntax.OpCapture, syntax.OpPlus:
		return shortest(re.Sub[0])
	case syntax.OpRepeat: // at most 1000 times, as it was parsed
		return strings.Repeat(shortest(re.Sub[0]), re.Min)
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			b.WriteString(shortest(sub))
		}
	}
	return b.String()
}

// oneOf is a character of a class, which is given by its ranges: a plain one if
// it has any.
func oneOf(ranges []rune) string {
	for _, c := range "x1aA-" {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= c && c <= ranges[i+1] {
				return string(c)
			}
		}
	}
	if len(ranges) == 0 {
		return ""
	}
	return string(ranges[0])
}
