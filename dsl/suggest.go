package dsl

import (
	"strconv"

	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/schema"
)

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

// Example is how a value of a shape could be written that is compared with it, "…" where
// none is known.
func Example(s *schema.Shape) string {
	if v, known := s.Vocabulary(func(string) []string { return nil }); known && s.Kind == schema.ShapeString && len(v.Texts) > 0 {
		return strconv.Quote(v.Texts[0])
	}
	if s.Kind == schema.ShapeNumber {
		return "1"
	}
	return "…"
}
