package dsl

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/agext/levenshtein"
)

// longestSuggestion bounds the names that are compared: the distance costs the
// product of both lengths, and nobody mistypes a name this long by one letter.
const longestSuggestion = 100

// Suggest returns the known name that given was probably meant to be, "" when
// none is near. Near means that at most a third of the letters, and always two
// of a short name's, have to change, that given is its first word or its last ones, or a word that
// others use for it. The
// earlier of two equally near names wins, so callers pass declaration order or
// sorted names.
func Suggest(given string, known []string) string {
	length := utf8.RuneCountInString(given)
	if length == 0 || length > longestSuggestion {
		return ""
	}
	best, bestDistance := "", reach(length)+1
	for _, name := range known {
		if name == given || len(name) > 4*longestSuggestion {
			continue
		}
		if d := levenshtein.Distance(given, name, nil); d < bestDistance && d < length {
			best, bestDistance = name, d
		}
	}
	if best == "" || bestDistance > 1 {
		if word := otherWord(given, known); word != "" {
			return word
		}
	}
	if best == "" && length > 1 {
		return completion(given, known)
	}
	return best
}

// completion is the first known name that goes on from given with another
// word, at_ms for at, or else ends in it after others.
func completion(given string, known []string) string {
	for _, name := range known {
		if strings.HasPrefix(name, given+"_") {
			return name
		}
	}
	if utf8.RuneCountInString(given) < shortestEnd {
		return ""
	}
	for _, name := range known {
		if strings.HasSuffix(name, "_"+given) {
			return name
		}
	}
	return ""
}

// shortestEnd is how long the end of a name has to be to stand for it.
const shortestEnd = 8

func reach(length int) int { return max(2, length/3) }

// DidYouMean ends a message with the name that given was probably meant to be:
// ` Did you mean "x"?`, or nothing when no known name is near.
func DidYouMean(given string, known []string) string {
	if name := Suggest(given, known); name != "" {
		return fmt.Sprintf(" Did you mean %q?%s", name, otherMeaning(given, name))
	}
	return ""
}

// otherMeaning warns of a word that counts something else than the one that
// others use for it.
func otherMeaning(given, name string) string {
	if name == "max_retries" && strings.HasSuffix(given, "attempts") {
		return " It counts what follows the first attempt: one less."
	}
	return ""
}
