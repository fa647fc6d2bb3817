package spelling

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/internal/edits"
)

// longestSuggestion bounds the names that are compared: the distance costs the
// product of both lengths, and nobody mistypes a name this long by one letter.
const longestSuggestion = 100

// Nearest returns the known name that given was probably meant to be, "" when
// none is near. Near means that at most a third of the letters, and always two
// of a short name's, have to change, that both are forms of the same words, that
// given is the beginning of the name or its last words, or goes on before it, or is
// a word that others use for it. Of two equally near names the one wins that begins
// alike for longer, and then the earlier one, so callers pass declaration order or
// sorted names.
func Nearest(given string, known []string) string {
	length := utf8.RuneCountInString(given)
	if elsewhere(given) && !slices.Contains(known, given) {
		return sameWords(given, known)
	}
	if length == 0 || length > longestSuggestion {
		return ""
	}
	best, bestDistance, words := "", reach(length)+1, stems(given)
	for _, name := range known {
		if name == given || len(name) > 4*longestSuggestion {
			continue
		}
		d := edits.Between(given, name)
		if words == stems(name) {
			d = min(d, 1)
		}
		if d < length && (d < bestDistance || d == bestDistance && best != "" && common(given, name) > common(given, best)) {
			best, bestDistance = name, d
		}
	}
	if best == "" || bestDistance > 1 {
		if word := otherWord(given, known); word != "" {
			return word
		}
		if word := goesOn(given, known); word != "" {
			return word
		}
	}
	if best == "" && length > 1 {
		return completion(given, known)
	}
	return best
}

// completion is the first known name that goes on from given with another
// word, at_ms for at, or else ends in it after others.
func completion(given string, known []string) string {
	if name := goesOn(given, known); name != "" {
		return name
	}
	if name := begunWith(given, known); name != "" {
		return name
	}
	for _, name := range known {
		if len(given) >= shortestEnd && strings.HasSuffix(name, "_"+given) || len(name) >= shortestEnd && strings.HasSuffix(given, "_"+name) {
			return name
		}
	}
	return ""
}

// goesOn is the first known name that has given and then another word: who left a word
// out mistyped no letter.
func goesOn(given string, known []string) string {
	for _, name := range known {
		if len(given) > 1 && strings.HasPrefix(name, given+"_") {
			return name
		}
	}
	return ""
}

// begunWith is the only known name that begins with given, "" where there are
// several.
func begunWith(given string, known []string) string {
	if len(given) < shortestBeginning {
		return ""
	}
	found := ""
	for _, name := range known {
		if name == given || !strings.HasPrefix(name, given) {
			continue
		}
		if found != "" {
			return ""
		}
		found = name
	}
	return found
}

// stems are the words of a name without their endings of a plural, in alphabetical
// order: base_env_url is made of the same words as base_url_env.
func stems(name string) string {
	words := strings.Split(snake(name), "_")
	for i, w := range words {
		if y, ok := strings.CutSuffix(w, "ies"); ok && len(y) > 1 {
			words[i] = y + "y"
		} else if len(w) > 3 {
			words[i] = strings.TrimSuffix(w, "s")
		}
	}
	slices.Sort(words)
	return strings.Join(words, "_")
}

// sameWords is the first known name that has the words of given in another form, "" for none.
func sameWords(given string, known []string) string {
	words := stems(given)
	for _, name := range known {
		if name != given && stems(name) == words {
			return name
		}
	}
	return ""
}

// common is how many bytes two names begin with alike.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// shortestEnd is how long the end of a name has to be to stand for it, and
// shortestBeginning its beginning.
const shortestEnd, shortestBeginning = 7, 4

// Mistyped reports whether a name differs from a known one by so few letters that hardly
// anything else was meant: one of a short name, and one of each three of a longer one.
func Mistyped(given string, known []string) bool {
	few := max(1, utf8.RuneCountInString(given)/3)
	return len(given) <= longestSuggestion && slices.ContainsFunc(known, func(name string) bool {
		return name != given && edits.Between(given, name) <= few
	})
}

func reach(length int) int { return max(2, length/3) }

// DidYouMean ends a message with the name that given was probably meant to be:
// ` Did you mean "x"?`, or nothing when no known name is near.
func DidYouMean(given string, known []string) string {
	if name := Nearest(given, known); name != "" {
		return fmt.Sprintf(" Did you mean %q?%s", name, otherMeaning(given, name))
	}
	return ""
}

// otherMeaning warns of a word that counts something else than the one that
// others use for it.
func otherMeaning(given, name string) string {
	switch {
	case name == "max_retries" && countsAttempts(given):
		return " It counts what follows the first attempt: one less."
	case name == "failure_rate" && (strings.Contains(snake(given), "threshold") || strings.Contains(snake(given), "percent")):
		return " It is a share from 0 to 1, of the calls in the window: 50 percent are 0.5."
	case name == "delay" && given == "base":
		return " It is the first wait."
	case name == "index" && given == "iteration":
		return " It counts from 0."
	case name == "api_key_env" && !strings.Contains(given, "env"):
		return ` It is the name of an environment variable, such as "SERVICE_API_KEY": the key itself stands in no file.`
	case name == "match" && strings.Contains(snake(given), "_on"):
		return ` It is "strict", "semantic" or "loose"; header fields that must be equal, too, are match_headers.`
	case name == "exhausted" && strings.Contains(given, "repeat"):
		return ` "repeat_last" plays the last answer again.`
	case name == "latency" && strings.HasSuffix(snake(given), "_ms"), name == "latency" && strings.HasSuffix(snake(given), "milliseconds"):
		return ` It is a duration in quotes with its unit, such as "250ms".`
	case name == "to" && given == "duration":
		return " It is the instant at which it ends, as from is the one at which it begins."
	case name == "http" && slices.Contains([]string{"get", "post", "put", "patch", "delete"}, strings.ToLower(given)):
		return fmt.Sprintf(" The method is an attribute: `method = %q`.", strings.ToUpper(given))
	case name == "event" && slices.Contains([]string{"kill", "restart", "drain", "quarantine", "heal"}, given):
		return fmt.Sprintf(" It is written `event \"NAME\" { %s = actor.NAME }`, with the instant at which it happens.", given)
	case name == "uses" && given == "pool":
		return " It is a list of the names of pools."
	case name == "while" && given == "until":
		return " It is the opposite condition: the loop goes on as long as it holds."
	case name == "status" && given == "success":
		return ` It is "success" where all went well.`
	case name == "retry" && given == "retries":
		return " It names a policy, which says how often: max_retries in a retry block of the file."
	}
	return ""
}

// countsAttempts reports whether a word of another tool counts the first attempt, too.
func countsAttempts(given string) bool {
	words := strings.Split(snake(given), "_")
	return !slices.Contains(words, "retry") && (slices.Contains(words, "attempts") || slices.Contains(words, "attempt") || slices.Contains(words, "tries"))
}
