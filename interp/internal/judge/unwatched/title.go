package unwatched

import (
	"slices"
	"strings"

	"github.com/scenario-lang/scenario/internal/names"
)

// negations are the words by which a sentence says that something is not, and hides those that say by themselves that
// something is told to nobody.
var (
	negations = []string{"no", "not", "never", "neither", "nor", "nothing", "nobody", "nowhere", "none", "without", "only", "cannot", "t", "alone", "instead"}
	hides     = []string{"hide", "hides", "hidden", "keeps", "kept", "mask", "masks", "masked", "redact", "redacts", "redacted", "strips", "stripped", "conceals", "withholds", "withheld", "drops", "dropped", "private", "secret"}
)

// tells are the words by which it says that something is somewhere, or comes there.
var tells = []string{
	"tell", "tells", "told", "send", "sends", "sent", "see", "sees", "seen", "hear", "hears", "heard", "know", "knows", "known", "learn", "learns", "learned",
	"read", "reads", "has", "have", "had", "hold", "holds", "contain", "contains", "include", "includes", "included", "carry", "carries", "carried", "leak", "leaks", "leaked",
	"leave", "leaves", "left", "reach", "reaches", "reached", "show", "shows", "shown", "log", "logs", "logged", "write", "writes", "written", "print", "prints", "printed",
	"pass", "passes", "passed", "forward", "forwards", "forwarded", "share", "shares", "shared", "reveal", "reveals", "revealed", "expose", "exposes", "exposed",
	"disclose", "discloses", "disclosed", "give", "gives", "given", "get", "gets", "go", "goes", "mention", "mentions", "mentioned", "in", "into", "copy", "copies", "copied",
	"appear", "appears", "repeat", "repeats", "repeated", "quote", "quotes", "quoted", "travel", "travels", "without",
}

// A title is what a scenario is named, in words.
type title []string

// titleOf are the words in the name of a scenario, without that of its row, and those in its parts that say that
// something is not; nil where it is about nothing that is not told.
func titleOf(name string) (all, not title) {
	if i := strings.LastIndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") {
		name = name[:i]
	}
	for _, part := range strings.FieldsFunc(strings.ReplaceAll(name, " but ", ", but "), func(c rune) bool { return strings.ContainsRune(",;:.()", c) }) {
		words := title(names.Words(part))
		all = append(all, words...)
		if words.hasAny(hides) || words.hasAny(negations) {
			not = append(not, words...)
		}
	}
	if !not.hasAny(hides) && !all.hasAny(tells) {
		return all, nil
	}
	return all, not
}

func (t title) hasAny(words []string) bool {
	return slices.ContainsFunc(t, func(w string) bool { return slices.Contains(words, w) })
}

// has reports whether one of the words of a name is one of the title, in whichever form.
func (t title) has(name string) bool {
	return slices.ContainsFunc(names.Words(name), func(w string) bool {
		return len(w) >= wordLeast && slices.ContainsFunc(t, func(of string) bool { return isAlike(w, of) })
	})
}

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
