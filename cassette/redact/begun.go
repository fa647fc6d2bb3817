package redact

import (
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/forms"
)

// begun finds the beginnings of tokens of which a message leaves out the rest, and
// says so: a run that has the word of a rule where it begins, up to an ellipsis.
func begun(text string) []Sighting {
	var found []Sighting
	for at := 0; ; {
		next := strings.Index(text[at:], ellipsis)
		if next < 0 {
			return found
		}
		end := at + next
		at = end + len(ellipsis)
		for end > 0 && (text[end-1] == '"' || text[end-1] == '\\') {
			end--
		}
		start := end
		for start > 0 && isTokenByte(text[start-1]) && end-start < runEnd {
			start--
		}
		if run := text[start:end]; len(run) >= shortestToken && !isWord(run) {
			if id := beginsWith(run); id != "" {
				found = append(found, Sighting{start, end, id})
			}
		}
	}
}

// beginsWith is the rule whose word stands where a run begins, behind at most what
// stands before it in a form; "" where there is none.
func beginsWith(run string) string {
	const before = 14
	id := ""
	index := ruleWords()
	index.search.Each(run[:min(len(run), 2*before)], func(word, end int) {
		for _, i := range index.rules[word] {
			if at := end - len(index.search.Words[word]); id == "" && allForms[i].At == forms.WithinToken && (at == 0 || at <= before && !isLetter(run[at-1])) {
				id = allForms[i].ID
			}
		}
	})
	return id
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
