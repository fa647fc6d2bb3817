package aside

import (
	"regexp"
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// verbs begin statements about the session. Those before the empty one are hardly ever part
// of any other statement; the others are, as in UPDATE … SET and CASE … END.
var verbs = []string{"COMMIT", "ROLLBACK", "BEGIN", "SAVEPOINT", "DISCARD", "DEALLOCATE", "", "SET", "RESET", "SHOW", "START", "END", "ABORT", "RELEASE"}

// further are the words that may follow them, as far as they tell such a statement apart.
var further = []string{"TRANSACTION", "WORK", "TO", "LOCAL", "SESSION", "ALL", "ISOLATION", "LEVEL", "SERIALIZABLE", "REPEATABLE", "READ", "COMMITTED", "ONLY", "AND", "NO", "CHAIN", "PREPARED"}

// words are those of a text, in capitals.
func words(text string) []string {
	return strings.FieldsFunc(strings.ToUpper(text), func(r rune) bool { return r != '_' && (r < 'A' || r > 'Z') && (r < '0' || r > '9') })
}

// beginning is the verb of a text with which a statement begins, "" where that is not about
// the session.
func beginning(text string) string {
	if all := words(text); len(all) > 0 && all[0] != "" && slices.Contains(verbs, all[0]) && strings.HasPrefix(strings.ToUpper(strings.TrimSpace(text)), all[0]) {
		return all[0]
	}
	return ""
}

// within is the verb of a text that stands anywhere in a statement, "" where another
// statement may have that, too.
func within(text string) string {
	all := words(text)
	if len(all) == 0 || slices.ContainsFunc(all[1:], func(w string) bool { return !isWord(w) }) {
		return ""
	}
	at := slices.Index(verbs, all[0])
	if at < 0 || at > slices.Index(verbs, "") && len(all) == 1 {
		return ""
	}
	return all[0]
}

func isWord(w string) bool { return slices.Contains(verbs, w) || slices.Contains(further, w) }

var (
	// marks are what a pattern says of a text beside its words.
	marks = pattern.New(`\(\?[a-zA-Z]*:?|\\[bBAzsSwWdD]`)
	// anchored patterns say how a statement begins.
	anchored = pattern.New(`^(\(\?[a-z]+\))?(\^|\\A)`)
)

// matched is the verb of a pattern of which each word is one of statements about the session,
// "" for any other pattern.
func matched(text string) string {
	if re, err := regexp.Compile(text); err != nil || re.MatchString("INSERT INTO t (a) VALUES ($1)") {
		return ""
	}
	all := words(marks().ReplaceAllString(text, " "))
	if len(all) == 0 || slices.ContainsFunc(all, func(w string) bool { return !isWord(w) }) {
		return ""
	}
	if anchored().MatchString(text) {
		return beginning(all[0])
	}
	return within(strings.Join(all, " "))
}
