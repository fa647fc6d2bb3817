package dsl

import words "github.com/scenario-lang/scenario/dsl/spelling"

// Suggest is [spelling.Nearest].
func Suggest(given string, known []string) string { return words.Nearest(given, known) }

// DidYouMean is [spelling.DidYouMean].
func DidYouMean(given string, known []string) string { return words.DidYouMean(given, known) }

// Instead is [DidYouMean], or else says which names there are.
func Instead(given string, known []string) string {
	if hint := DidYouMean(given, known); hint != "" {
		return hint
	}
	return whatThereIs(known)
}
