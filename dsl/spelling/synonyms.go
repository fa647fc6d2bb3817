package spelling

import (
	_ "embed" // the table
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/scenario-lang/scenario/faults"
)

// written is the table of synonyms, a line a word. As a table of Go it would be code that
// builds a map, four times its size, in every program that embeds the language.
//
//go:embed synonyms.txt
var written string

// synonyms are words that other tools, or people, use for what the language
// calls by another name, with that name, or several of which one may be known
// where the word stands. A word with none is for what the language does not have:
// whatever it resembles is something else.
var synonyms = sync.OnceValue(func() map[string][]string {
	words := map[string][]string{}
	for word, names := range entries(written) {
		words[word] = strings.Fields(names)
	}
	return words
})

// entries are the lines of a table, each a key and what stands behind its colon; a line
// that begins with # is a remark.
func entries(table string) iter.Seq2[string, string] {
	return func(yield func(key, text string) bool) {
		for line := range strings.Lines(table) {
			key, text, is := strings.Cut(line, ":")
			if is && !strings.HasPrefix(key, "#") && !yield(key, strings.TrimSpace(text)) {
				return
			}
		}
	}
}

// Synonyms are the words of other tools, each with the names that are suggested for it.
func Synonyms() map[string][]string { return maps.Clone(synonyms()) }

// faultWords are words for kinds of faults, which the kinds know themselves.
var faultWords = sync.OnceValue(func() map[string][]string {
	words := map[string][]string{}
	for _, k := range faults.Kinds() {
		for _, word := range k.AlsoCalled {
			words[word] = append(words[word], k.Name)
		}
	}
	return words
})

// otherWord is the known name that differs from given in the size of letters
// or is its synonym, "" where there is none.
func otherWord(given string, known []string) string {
	for _, name := range known {
		if name != given && strings.EqualFold(name, given) {
			return name
		}
	}
	for _, form := range []string{strings.ToLower(given), snake(given)} {
		for _, word := range slices.Concat(synonyms()[form], faultWords()[form]) {
			if word != given && slices.Contains(known, word) {
				return word
			}
		}
	}
	return ""
}

// elsewhere reports whether a word is one of other tools for what the language does not
// have.
func elsewhere(given string) bool {
	names, known := synonyms()[snake(given)]
	return known && len(names) == 0
}

// snake writes a name in the way of the language: fixedDelayMilliseconds is
// fixed_delay_milliseconds, and baseURL is base_url. Capitals in a row are one word, with the
// first letter of the next one: URLBase is urlbase.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '-':
			r = '_'
		case unicode.IsUpper(r) && i > 0 && name[i-1] != '_' && !unicode.IsUpper(rune(name[i-1])):
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}
