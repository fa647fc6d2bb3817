package dsl

import (
	"fmt"
	"strconv"

	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/dsl/mistakes"
	words "github.com/scenario-lang/scenario/dsl/spelling"
	"github.com/scenario-lang/scenario/schema"
)

// Suggest is [spelling.Nearest].
func Suggest(given string, known []string) string { return words.Nearest(given, known) }

// AsObject is [mistakes.AsObject].
func AsObject(text string) string { return mistakes.AsObject(text) }

// DidYouMean is [spelling.DidYouMean].
func DidYouMean(given string, known []string) string { return words.DidYouMean(given, known) }

// Instead is [DidYouMean], or else says which names there are.
func Instead(given string, known []string) string {
	if hint := DidYouMean(given, known); hint != "" {
		return hint
	}
	return whatThereIs(known)
}

// HowCompared ends a message about a value that was meant to be compared, with how that
// is written; it is "" for one that is written out.
func HowCompared(e hclsyntax.Expression, s *schema.Shape) string {
	if _, literal := Literal(e); literal {
		return ""
	}
	other := "…"
	if v, known := s.Vocabulary(func(string) []string { return nil }); known && s.Kind == schema.ShapeString && len(v.Texts) > 0 {
		other = strconv.Quote(v.Texts[0])
	} else if s.Kind == schema.ShapeNumber {
		other = "1"
	}
	return fmt.Sprintf(" Compare it: %s == %s.", Excerpt(e), other)
}
