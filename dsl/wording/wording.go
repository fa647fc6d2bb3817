// Package wording writes the small words of messages: articles, numbers of
// things, the ends of sentences.
package wording

import (
	"fmt"
	"strings"
)

// WithArticle puts the article that is spoken before a name: a step, an
// assert, an http step. A name that has one keeps it, and what has no name is
// this object.
func WithArticle(name string) string {
	for _, start := range []string{"a ", "an ", "the ", "this "} {
		if strings.HasPrefix(name, start) {
			return name
		}
	}
	if name == "" {
		return "this object"
	}
	for _, start := range []string{"a", "e", "i", "o", "un", "http", "llm", "mcp", "sql", "sse"} {
		if strings.HasPrefix(name, start) {
			return "an " + name
		}
	}
	return "a " + name
}

// Capital is a sentence with its first letter large.
func Capital(s string) string {
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// Count writes a number of things: no elements, 1 label, 3 labels.
func Count(n int, noun string) string {
	switch n {
	case 0:
		return "no " + noun + "s"
	case 1:
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Elements says how many elements a sequence has, and how they are counted.
func Elements(n int) string {
	if n == 0 {
		return "no elements"
	}
	return Count(n, "element") + "; the first has the index 0"
}

// Sentence makes a sentence of an error. One that begins with the name of a
// file keeps it as it is, and a hint at the end needs no full stop.
func Sentence(s string) string {
	first, _, _ := strings.Cut(s, " ")
	if !strings.ContainsAny(first, "/.:_") {
		s = strings.ToUpper(s[:1]) + s[1:]
	}
	return FullStop(s)
}

// FullStop ends a sentence that is not ended yet.
func FullStop(s string) string {
	lastLine := s[strings.LastIndexByte(s, '\n')+1:]
	if !strings.HasPrefix(lastLine, "hint:") && !strings.HasSuffix(s, ".") && !strings.HasSuffix(s, "?") {
		s += "."
	}
	return s
}

// Series joins names in a sentence: "a, b and c" for the word "and".
func Series(names []string, word string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " " + word + " " + names[last]
}

// Lower is a sentence with a small first letter.
func Lower(s string) string {
	if s == "" {
		return s
	}
	return strings.ToLower(s[:1]) + s[1:]
}

// Listed ends a message with the names there are behind the words of some, as long as a
// reader can take them in; it is none where there are none.
func Listed(names []string, none, some string) string {
	const most = 20
	switch {
	case len(names) == 0:
		return none
	case len(names) > most:
		return some + strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more.", len(names)-most)
	}
	return some + strings.Join(names, ", ") + "."
}
