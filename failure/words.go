package failure

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Word reports whether text contains one of the phrases as whole words,
// ignoring case. Letters, digits and the underscore make words, so neither
// "boom" nor "timeout_ms" contains what it looks like. A space in a phrase
// stands for any run of spaces, or for one hyphen.
func Word(text string, phrases ...string) bool {
	for _, phrase := range phrases {
		if hasPhrase(text, strings.TrimSpace(phrase)) {
			return true
		}
	}
	return false
}

func hasPhrase(text, phrase string) bool {
	if phrase == "" {
		return false
	}
	first, _ := utf8.DecodeRuneInString(phrase)
	first = unicode.ToLower(first)
	before := ' '
	for i, r := range text {
		inside := isWordRune(before) && isWordRune(r)
		if !inside && unicode.ToLower(r) == first && startsWithPhrase(text[i:], phrase) {
			return true
		}
		before = r
	}
	return false
}

// startsWithPhrase reports whether text starts with phrase and does not go on
// inside its last word.
func startsWithPhrase(text, phrase string) bool {
	last := ' '
	for phrase != "" {
		want, size := utf8.DecodeRuneInString(phrase)
		phrase = phrase[size:]
		if unicode.IsSpace(want) {
			phrase = strings.TrimLeftFunc(phrase, unicode.IsSpace)
			gap := gapLen(text)
			if gap == 0 {
				return false
			}
			text = text[gap:]
			continue
		}
		got, size := utf8.DecodeRuneInString(text)
		if size == 0 || unicode.ToLower(got) != unicode.ToLower(want) {
			return false
		}
		text, last = text[size:], got
	}
	next, size := utf8.DecodeRuneInString(text)
	return size == 0 || !isWordRune(last) || !isWordRune(next)
}

// gapLen is the length of the hyphen or the run of spaces that text starts
// with.
func gapLen(text string) int {
	if strings.HasPrefix(text, "-") {
		return 1
	}
	return len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
}

func isWordRune(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)
}
