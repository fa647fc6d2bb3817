package unwatched

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/names"
)

// negations are the words by which a sentence says that something is not, weak those of them that are about what is told
// only beside a verb of telling, flat those that stand before it, and hides those that say by themselves that something is
// told to nobody.
var (
	negations = []string{"no", "not", "never", "neither", "nor", "nothing", "nobody", "nowhere", "none", "without", "only", "cannot", "t", "alone", "instead"}
	weak      = []string{"without", "only", "t"}
	flat      = []string{"not", "never", "only", "cannot", "t"}
	hides     = []string{"hide", "hides", "hidden", "keeps", "kept", "mask", "masks", "masked", "redact", "redacts", "redacted", "strips", "stripped", "conceals", "withholds", "withheld", "drops", "dropped", "private", "secret"}
)

// informs are the words by which it says that something is known somewhere, moves those by which it says that something
// comes there, which may be the thing itself, has those of what has it, and within those by which it says both of a place.
var (
	informs = []string{
		"tell", "tells", "told", "see", "sees", "seen", "hear", "hears", "heard", "know", "knows", "known", "learn", "learns", "learned",
		"read", "reads", "hold", "holds", "contain", "contains", "include", "includes", "included", "carry", "carries", "carried", "leak", "leaks", "leaked",
		"show", "shows", "shown", "log", "logs", "logged", "write", "writes", "written", "print", "prints", "printed", "share", "shares", "shared",
		"reveal", "reveals", "revealed", "expose", "exposes", "exposed", "disclose", "discloses", "disclosed", "mention", "mentions", "mentioned",
		"copy", "copies", "copied", "appear", "appears", "repeat", "repeats", "repeated", "quote", "quotes", "quoted",
	}
	moves = []string{
		"send", "sends", "sent", "leave", "leaves", "left", "reach", "reaches", "reached", "pass", "passes", "passed", "forward", "forwards", "forwarded",
		"give", "gives", "given", "get", "gets", "go", "goes", "travel", "travels",
	}
	has    = []string{"has", "have", "had"}
	within = []string{"in", "into"}
)

// What else is asked of the words around: forms of to be and words that a sentence goes on with, words that begin another
// clause, prepositions, words between a negation and its verb, words that say which thing it is, and what is sent as such.
var (
	be       = []string{"is", "are", "was", "were", "be", "been", "gets", "goes", "has", "have", "can", "may", "must", "does", "do"}
	clauses  = []string{"that", "who", "which", "when", "if", "until", "unless", "after", "before", "for", "as", "while"}
	toward   = []string{"to", "with", "by", "in", "into", "from", "at", "on"}
	between  = []string{"be", "been", "being", "even", "ever", "also", "come", "comes", "end", "ends", "up", "land", "lands"}
	definite = []string{"the", "their", "his", "her", "its"}
	messages = []string{"mail", "email", "message", "notification", "sms", "letter", "reminder", "newsletter", "alert"}
)

// nearest is how many words before a noun a negation stands at most that is about it.
const nearest = 4

// A title is what a scenario is named, in words.
type title []string

// titleOf are the words in the name of a scenario, without that of its row, and those of its parts that say that
// something is not; nil where it is about nothing that is not told.
func titleOf(name string) (all title, not []title) {
	if i := strings.LastIndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	hidden, isTold := false, false
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(name, " but ", ", but "), func(c rune) bool { return strings.ContainsRune(",;:.()", c) }) {
		words := title(names.Words(part))
		all = append(all, words...)
		tells, hide := slices.ContainsFunc(words.all(), words.tells), words.hasAny(hides)
		hidden, isTold = hidden || hide, isTold || tells
		if hide || slices.ContainsFunc(words, func(w string) bool { return slices.Contains(negations, w) && (tells || !slices.Contains(weak, w)) }) {
			not = append(not, words)
		}
	}
	if !hidden && !isTold {
		return all, nil
	}
	return all, not
}

// all are the places of the words.
func (t title) all() (list []int) {
	for i := range t {
		list = append(list, i)
	}
	return list
}

// is reports whether the word at a place is one of some.
func (t title) is(i int, words []string) bool {
	return 0 <= i && i < len(t) && slices.Contains(words, t[i])
}

// tells reports whether the word at a place says that something is told, or is somewhere: in no answer, is in the log.
func (t title) tells(i int) bool {
	return t.is(i, informs) || t.is(i, moves) || t.is(i, has) || t.is(i, within) && (t.is(i-1, be) || t.is(i-1, negations) || t.is(i-1, between) || t.is(i+1, negations))
}

func (t title) hasAny(words []string) bool {
	return slices.ContainsFunc(t, func(w string) bool { return slices.Contains(words, w) })
}

// denies reports whether it says of the telling that it is not: a negation belongs to a verb of telling, or is in one.
func (t title) denies() bool {
	return t.hasAny(hides) || slices.ContainsFunc(t.all(), func(i int) bool {
		if !t.is(i, negations) {
			return false
		}
		for j := i + 1; j < len(t) && !t.is(j, clauses); j++ {
			if t.tells(j) {
				return true
			}
			if t.is(i, flat) && !t.is(j, between) {
				break
			}
		}
		for j := i - 1; j >= 0 && !t.is(i, flat) && !t.is(j, clauses); j-- {
			if t.tells(j) {
				return true
			}
		}
		return false
	})
}

// isBehind reports whether one of some words is about the noun at a place: it stands before it, in the same clause.
func (t title) isBehind(i int, words ...[]string) bool {
	for k := i - 1; k >= max(0, i-nearest); k-- {
		if t.is(k, slices.Concat(words...)) {
			return true
		}
		if t.is(k, be) || t.is(k, clauses) || t.is(k, toward) {
			break
		}
	}
	return false
}

// toNobody reports whether it is told to no one: the negation stands behind to.
func (t title) toNobody() bool {
	return slices.ContainsFunc(t.all(), func(i int) bool { return t.is(i, negations) && t.is(i-1, toward) })
}

// isAct reports whether the noun at a place is a message that is not sent, and no value that is not told.
func (t title) isAct(i int) bool {
	if !slices.ContainsFunc(messages, func(m string) bool { return isAlike(t[i], m) }) || t.is(i+1, []string{"of"}) || t.toNobody() || t.hasAny(informs) {
		return false
	}
	return t.hasAny(moves) && (t.is(i+1, be) || !t.is(i-1, definite))
}

// hasKey reports whether a part that says that something is not names a value by its key.
func (t title) hasKey(key string) bool {
	return slices.ContainsFunc(t.at(key), func(i int) bool { return !t.isAct(i) && (t.denies() || t.isBehind(i, negations)) })
}

// hasParent is hasKey for the key of the object around a value: not where that is what the sentence is about, as in an
// order that is not sent, unless it is told to someone.
func (t title) hasParent(key string) bool {
	return slices.ContainsFunc(t.at(key), func(i int) bool {
		if i == len(t)-1 || !t.is(i+1, be) && !t.is(i+1, clauses) {
			return t.isBehind(i, negations, hides, informs, moves, has)
		}
		if of := []string{"of"}; !t.isBehind(i, negations) && (t.is(i-1, of) || t.is(i-2, of) && t.is(i-1, definite)) {
			return false // the subject is something of it
		}
		return slices.ContainsFunc(t.all()[i+1:], func(j int) bool {
			return t.is(j, informs) && t.is(j+1, toward) || t.is(j, hides) && t.is(j+1, []string{"from"})
		})
	})
}

// at are the places at which one of the words of a name stands, in whichever form.
func (t title) at(name string) (list []int) {
	for i, of := range t {
		if slices.ContainsFunc(names.Words(name), func(w string) bool { return len(w) >= wordLeast && isAlike(w, of) }) {
			list = append(list, i)
		}
	}
	return list
}

// has reports whether one of the words of a name is one of the title, in whichever form.
func (t title) has(name string) bool { return len(t.at(name)) > 0 }

// wordLeast is how many letters a word has at least that names something.
const wordLeast = 3

// ends are those of the forms of a word, and stemLeast how many letters it has without one.
var ends = []string{"", "s", "es", "d", "ed", "ing"}

const stemLeast = 4

// isAlike reports whether two words are one, but for the ends of their forms.
func isAlike(a, b string) bool {
	for _, end := range ends {
		for _, other := range ends {
			x, is := strings.CutSuffix(a, end)
			y, isOther := strings.CutSuffix(b, other)
			if is && isOther && x == y && (end+other == "" || len(x) >= stemLeast) {
				return true
			}
		}
	}
	return false
}
