package lie

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/schema"
)

// Contradiction answers another question than was asked.
var Contradiction = &Lie{
	Name:           "contradiction",
	Summary:        "A well-formed answer that contradicts what was asked: where it repeats an argument of the tool, a value of the statement, or a part of the address, the query or the body of a request, it has another value of the same form.",
	AlsoCalled:     []string{"contradicts_arguments", "wrong_argument", "mismatched_result"},
	For:            []string{"http", "mcp tool", "sql"},
	Tried:          []schema.Values{{}},
	Words:          "This answers another question.",
	NeedsArguments: true,
	Tell:           contradict,
}

func contradict(_ schema.Values, c *Content) error {
	asked := func(text string) bool { return slices.Contains(c.Arguments, text) }
	words := map[string]string{}
	for _, argument := range c.Arguments {
		if utf8.RuneCountInString(argument) < 2 {
			continue
		}
		if other, ok := OtherArgument(argument); ok {
			words[argument] = other
		}
	}
	changed := 0
	for _, doc := range c.Documents {
		if _, err := Scan(*doc); err != nil {
			if with := replaceWords(*doc, words); with != *doc {
				*doc, changed = with, changed+1
			}
			continue
		}
		changed += scalars(doc, func(s *Span, text string) (string, bool) {
			if !asked(text) {
				return "", false
			}
			return otherScalar(s.Kind, "", text)
		})
	}
	changed += otherCells(c.Table, func(_ int, text string) bool { return asked(text) })
	if changed == 0 {
		return Powerless("the answer repeats nothing of what was asked, so nothing in it could contradict that")
	}
	return nil
}

// OtherArgument is another value of the form of an argument.
func OtherArgument(text string) (string, bool) {
	if other, ok := otherNumber(text); ok {
		return other, true
	}
	return otherText(text)
}

// replaceWords replaces texts where they stand as whole words, the longest first.
func replaceWords(doc string, with map[string]string) string {
	list := make([]string, 0, len(with))
	for text := range with {
		list = append(list, text)
	}
	slices.SortFunc(list, func(a, b string) int {
		if len(a) != len(b) {
			return len(b) - len(a)
		}
		return strings.Compare(a, b)
	})
	var b strings.Builder
	for i := 0; i < len(doc); {
		n := slices.IndexFunc(list, func(text string) bool { return strings.HasPrefix(doc[i:], text) && isWhole(doc, i, i+len(text)) })
		if n >= 0 {
			b.WriteString(with[list[n]])
			i += len(list[n])
			continue
		}
		_, size := utf8.DecodeRuneInString(doc[i:])
		b.WriteString(doc[i : i+size])
		i += size
	}
	return b.String()
}

// isWhole reports whether a part of a text is not the part of a word.
func isWhole(doc string, start, end int) bool {
	before, _ := utf8.DecodeLastRuneInString(doc[:start])
	after, _ := utf8.DecodeRuneInString(doc[end:])
	return !isWordRune(before) && !isWordRune(after)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }
