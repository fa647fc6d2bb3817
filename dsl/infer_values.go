package dsl

import (
	"fmt"
	"slices"

	"github.com/scenario-lang/scenario/schema"
)

// NeverEqual says why two strings can never be equal although both are strings:
// one comes from the run and is one of a few words, and the other is none of
// them. It is "" where they may be equal. The empty text is never a mistake: to
// differ from it is to be there.
func (e *Env) NeverEqual(a, b *schema.Shape) string {
	if a.Kind != schema.ShapeString || b.Kind != schema.ShapeString {
		return ""
	}
	x, y := e.valuesOf(a), e.valuesOf(b)
	if x == nil || y == nil || slices.ContainsFunc(x, func(v string) bool { return slices.Contains(y, v) }) {
		return ""
	}
	if !b.Written {
		a, x, y = b, y, x
	}
	switch {
	case !a.Observed || len(y) == 1 && y[0] == "":
		return ""
	case len(y) > 1:
		return fmt.Sprintf("One side is %s, the other %s: they can never be equal.", quotedWords(x), quotedWords(y))
	}
	hint := DidYouMean(y[0], x)
	if hint == "" && len(x) > maxValuesListed {
		hint = " The reference lists them."
	}
	if len(x) > maxValuesListed {
		return fmt.Sprintf("No value here is ever %q.%s", y[0], hint)
	}
	return fmt.Sprintf("It is never %q, but %s.%s", y[0], quotedWords(x), hint)
}

// maxValuesListed is how many words a message lists.
const maxValuesListed = 12

// quotedWords lists words in quotes: "a", "b" or "c".
func quotedWords(list []string) string {
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	return schema.Or(quoted...)
}

// valuesOf are those that a string is known to be one of, nil where nothing is.
func (e *Env) valuesOf(s *schema.Shape) []string {
	switch {
	case s.Written:
		return []string{s.Text}
	case s.Domain != "":
		return e.Values[s.Domain]
	}
	return s.OneOf
}
