package dsl

import (
	"fmt"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/dsl/wording"
	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// Meet says what is wrong where two values are compared, "" where nothing is. A
// text of the file that meets a word of a closed set has to be a member of it,
// and two closed sets need one that both have. The empty text is a mistake only
// where a value is null for none: elsewhere to differ from it is to be there.
func (e *Env) Meet(m stdlib.Meeting) string {
	a, b := m.A, m.B
	if a == nil || b == nil {
		return ""
	}
	if a.Counts && b.NoCount || b.Counts && a.NoCount {
		return "It counts from 1, so it is never this number. Before there is anything to count it is null."
	}
	if a.Filled && isEmptyText(b) || b.Filled && isEmptyText(a) {
		return "It is never \"\": where there is none it is null. Compare it with null."
	}
	x, known := a.Vocabulary(e.members)
	if !known {
		return ""
	}
	y, known := b.Vocabulary(e.members)
	if !known {
		return ""
	}
	switch {
	case m.Holds != nil:
		return noneHolds(x, y, m)
	case x.Closed() && y.Closed():
		return apart(x, y)
	case x.Closed():
		return stranger(x, y.Texts)
	case y.Closed():
		return stranger(y, x.Texts)
	}
	return ""
}

// isEmptyText reports whether a value is the text "" that the file writes out.
func isEmptyText(s *schema.Shape) bool {
	return s.Kind == schema.ShapeString && len(s.Texts) == 1 && s.Texts[0] == "" && len(s.Words)+len(s.Made) == 0
}

func (e *Env) members(domain string) []string {
	if e.Members == nil {
		return nil
	}
	return e.Members(domain)
}

// stranger complains about the first text that is no word.
func stranger(v schema.Vocabulary, texts []string) string {
	for _, t := range texts {
		if t != "" && !v.Has(t) {
			return unknownWord(v, t)
		}
	}
	return ""
}

// apart complains about two closed sets that have no word in common. A set without a word,
// as where nothing is declared that it could name, belongs to a value that is always null,
// and so may the other be.
func apart(x, y schema.Vocabulary) string {
	if len(x.Texts) == 0 || len(y.Texts) == 0 || x.May != nil || y.May != nil || slices.ContainsFunc(x.Texts, y.Has) || slices.ContainsFunc(y.Texts, x.Has) {
		return ""
	}
	return fmt.Sprintf("One side is %s, the other %s: they can never be equal.", oneOf(x), oneOf(y))
}

// noneHolds complains about a text that is in a relation to no word of a set,
// such as a prefix that none has.
func noneHolds(x, y schema.Vocabulary, m stdlib.Meeting) string {
	if !x.Closed() || y.Closed() {
		return ""
	}
	if x.May != nil {
		for _, t := range y.Texts {
			if m.Part && x.Contains != nil && !x.Contains(t) {
				return fmt.Sprintf("It never %s %q. It is made of %s.", m.Verb, t, oneOf(x))
			}
		}
		return ""
	}
	if w := free(x); w != nil {
		for _, t := range y.Texts {
			if m.Part && w.Misspelt(t) {
				return fmt.Sprintf("No %s %s %q: %s", w.Noun, m.Verb, t, spelling(w, t))
			}
		}
		return ""
	}
	for _, t := range y.Texts {
		if !slices.ContainsFunc(x.Texts, func(word string) bool { return m.Holds(word, t) }) {
			return fmt.Sprintf("No %s %s %q.%s", noun(x), m.Verb, t, theWords(x, ""))
		}
	}
	return ""
}

// free is the set of a vocabulary that has more words than are known, nil where
// all are.
func free(v schema.Vocabulary) *schema.Words {
	if i := slices.IndexFunc(v.Of, func(w *schema.Words) bool { return w.Free != nil }); i >= 0 {
		return v.Of[i]
	}
	return nil
}

// spelling says how a word is spelt.
func spelling(w *schema.Words, text string) string {
	return fmt.Sprintf("%s. Write %q.", w.Rule, w.Spelling(text))
}

// unknownWord says that there is no such word, which was meant, and which there
// are.
func unknownWord(v schema.Vocabulary, text string) string {
	if w := free(v); w != nil && w.Misspelt(text) {
		return fmt.Sprintf("It is never %q: %s", text, spelling(w, text))
	}
	if v.Contains != nil {
		return fmt.Sprintf("It is never %q. It is made of %s.", text, oneOf(v))
	}
	if v.Mixed {
		return fmt.Sprintf("It is never %q.%s", text, theWords(v, text))
	}
	return fmt.Sprintf("There is no %s %q.%s", noun(v), text, theWords(v, text))
}

// Words listed in a message: all of a few, and of more only where none of them
// was likely meant.
const (
	fewWords  = 12
	mostWords = 40
)

// theWords ends a message about a text that is no word.
func theWords(v schema.Vocabulary, text string) string {
	meant := Suggest(text, v.Texts)
	hint := ""
	if text != "" && meant != "" && !strings.Contains(meant, "…") {
		hint = fmt.Sprintf(" Did you mean %q?", meant)
	}
	words := slices.Clone(v.Texts)
	if v.Mixed || v.Of[0].Domain != "" {
		slices.Sort(words)
	}
	words = slices.Compact(words)
	words = slices.DeleteFunc(words, func(w string) bool { return w == "" })
	switch n := len(words); {
	case v.Mixed && n <= fewWords:
		return fmt.Sprintf("%s It may be %s.", hint, quotedWords(words, "or"))
	case n == 0:
		return fmt.Sprintf("%s There are no %s here.", hint, plural(v))
	case n > fewWords && hint != "":
		return hint
	case n == 1:
		return fmt.Sprintf("%s The only %s is %q.", hint, noun(v), words[0])
	case n > mostWords:
		return fmt.Sprintf("%s There are %d %s, such as %s.", hint, n, plural(v), quotedWords(words[:fewWords], "and"))
	}
	return fmt.Sprintf("%s The %s are %s.", hint, plural(v), quotedWords(words, "and"))
}

func oneOf(v schema.Vocabulary) string {
	if words := slices.Compact(slices.Clone(v.Texts)); len(words) <= fewWords {
		return quotedWords(words, "or")
	}
	return wording.WithArticle(noun(v))
}

// noun is what one word of a vocabulary is called.
func noun(v schema.Vocabulary) string {
	if v.Mixed {
		return "value"
	}
	return v.Of[0].Noun
}

func plural(v schema.Vocabulary) string {
	if v.Mixed {
		return "values"
	}
	return v.Of[0].PluralNoun()
}

// quotedWords lists words in quotes: "a", "b" or "c".
func quotedWords(list []string, last string) string {
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = fmt.Sprintf("%q", w)
	}
	if len(quoted) < 2 {
		return strings.Join(quoted, "")
	}
	n := len(quoted) - 1
	return strings.Join(quoted[:n], ", ") + " " + last + " " + quoted[n]
}
