package mutate

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/mutate/inner"
)

// plainVerb is the verb that shows a value as it is where another one makes something of it. An integer is the same
// with %d and with %v, so that %d stays.
func plainVerb(verb string) string {
	switch verb {
	case "f", "F", "e", "E", "g", "G":
		return "v"
	case "q":
		return "s"
	case "x", "X", "o", "b":
		return "d"
	}
	return verb
}

// formatChanges leave out what a format says of how a value is shown, as is done in the source of a program, and
// beside that a verb alone, a # and the zeros before a number.
func formatChanges(text string) []change {
	var list []change
	put := func(from, to int, with string) {
		what := text[from:to] + " → " + with
		if with != text[from:to] && !slices.ContainsFunc(list, func(c change) bool { return c.from == from && c.with == with }) {
			list = append(list, change{what: what, from: from, to: to, with: with})
		}
	}
	inner.Formats(text, "%v", put)
	for _, d := range inner.Directives(text) {
		plain := d
		plain.Kind = plainVerb(d.Kind)
		if plain.Kind == "v" {
			plain.Precision = ""
		}
		put(d.From, d.To, plain.String())
		for _, flag := range []string{"0", "#"} {
			without := d
			without.Flags = strings.ReplaceAll(d.Flags, flag, "")
			put(d.From, d.To, without.String())
		}
	}
	slices.SortStableFunc(list, func(a, b change) int { return a.from - b.from })
	return list
}

// dateChanges leave out one part of the pattern of a date after the other, and take the hours of half a day for those
// of a day. What stands between apostrophes is text.
func dateChanges(text string) []change {
	var list []change
	for i := 0; i < len(text); {
		if text[i] == '\'' {
			end := strings.IndexByte(text[i+1:], '\'')
			if end < 0 {
				return list
			}
			i += end + 2
			continue
		}
		from := i
		for i < len(text) && text[i] == text[from] {
			i++
		}
		part := text[from:i]
		if strings.IndexByte("YMDEhHAamsZ", part[0]) < 0 {
			continue
		}
		if part != text { // nothing would be left
			list = append(list, change{what: part + " left out of " + brief(text), from: from, to: i})
		}
		if part[0] == 'h' {
			to := strings.ToUpper(part)
			list = append(list, change{what: part + " → " + to + " in " + brief(text), from: from, to: i, with: to})
		}
	}
	return list
}
