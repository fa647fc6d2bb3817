package nearly

import (
	"slices"
	"strings"
	"unicode"

	"github.com/scenario-lang/scenario/internal/edits"
	"github.com/scenario-lang/scenario/internal/names"
)

// A way is one in which a text is nearly another one.
type way int

const (
	// alike: only the case of letters differs, and the signs between words.
	alike way = 1 << iota
	// digits: one number, with other signs before it.
	digits
	// typed: one letter differs, of a long word two, and the first one does not.
	typed
	// longer: one goes on behind the other with a number of some digits, such as a date.
	longer
)

// What a word has at least where it is nearly another one: letters and digits, and letters of those that were typed;
// and how many words of a text are looked at, and together.
const (
	signsLeast  = 3
	numberLeast = 2
	typedLeast  = 6
	typedTwice  = 9
	dateLeast   = 3
	runMost     = 3
	piecesMost  = 16
)

// words are texts, each with the words in it.
type words struct {
	whole []string
	known map[string]bool
	parts []string
	// cut says that there were more than are kept.
	cut bool
}

func (w *words) add(list ...string) {
	if w.known == nil {
		w.known = map[string]bool{}
	}
	for _, text := range list {
		if text == "" || slices.Contains(w.whole, text) {
			continue
		}
		if len(w.whole) == textsMost {
			w.cut = true
			return
		}
		w.whole = append(w.whole, text)
		w.known[text] = true
		for _, run := range runs(text) {
			if !w.known[run] && !isNumber(run) { // a number is what it is together with what stands before it
				w.known[run] = true
				w.parts = append(w.parts, run)
			}
		}
	}
}

// with are the words here and there.
func (w *words) with(o *words) *words {
	all := &words{known: map[string]bool{}}
	for _, list := range []*words{w, o} {
		all.whole, all.parts = append(all.whole, list.whole...), append(all.parts, list.parts...)
		for text := range list.known {
			all.known[text] = true
		}
	}
	return all
}

// has reports whether a text is one of the words.
func (w *words) has(text string) bool { return w.known[text] }

// near is the first word that a text is nearly, "" for none. It looks at no more than are left.
func (w *words) near(text string, ways way, left *int) string {
	for _, list := range [][]string{w.whole, w.parts} {
		for _, word := range list {
			if *left--; *left < 0 {
				return ""
			}
			if nearly(text, word)&ways != 0 {
				return word
			}
		}
	}
	return ""
}

// runs are a text and the words of it that stand together, shorter ones first, as far as signs part them.
func runs(text string) (list []string) {
	var from, to []int
	inside := false
	for i, c := range text {
		switch is := !isSign(c); {
		case is && !inside:
			from, inside = append(from, i), true
		case !is && inside:
			to, inside = append(to, i), false
		}
	}
	if inside {
		to = append(to, len(text))
	}
	for n := 1; n <= min(len(from), runMost); n++ {
		for i := 0; i+n <= min(len(from), piecesMost); i++ {
			if run := text[from[i]:to[i+n-1]]; run != text {
				list = append(list, run)
			}
		}
	}
	return append(list, text)
}

// nearly are the ways in which a text is nearly a word.
func nearly(text, word string) (ways way) {
	if text == word {
		return 0
	}
	a, b := names.Words(text), names.Words(word)
	one, other := strings.Join(a, ""), strings.Join(b, "")
	has := func(s string, f func(rune) bool) bool { return strings.ContainsFunc(s, f) }
	if one == other && len(one) >= signsLeast && has(one, unicode.IsLetter) {
		ways |= alike
	}
	if n := numberOf(text); len(n) >= numberLeast && n == numberOf(word) && (!has(text, unicode.IsLetter) || !has(word, unicode.IsLetter)) {
		ways |= digits
	}
	short, long := text, word
	if len(short) > len(long) {
		short, long = long, short
	}
	if rest, is := strings.CutPrefix(long, short); is && has(short, unicode.IsLetter) && len(names.Words(short)) > 1 && !has(rest, unicode.IsLetter) && digitsIn(rest) >= dateLeast && !unicode.IsDigit(rune(rest[0])) {
		ways |= longer
	}
	if !has(text+word, isSign) && isTyped(one, other) {
		ways |= typed
	}
	return ways
}

func isSign(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }

// isTyped reports whether one word is the other one with a letter or two that are typed wrong, and no other form of it.
func isTyped(a, b string) bool {
	length := max(len(a), len(b))
	if length < typedLeast || a == b || a[0] != b[0] || digitsIn(a)+digitsIn(b) > 0 || len(a) > longestWord || len(b) > longestWord {
		return false
	}
	least := 1
	if length >= typedTwice {
		least = 2
	}
	return stem(a) != stem(b) && edits.Between(a, b) <= least
}

// longestWord bounds what is compared letter by letter.
const longestWord = 40

// stemLeast is how much of a word is no end of its form.
const stemLeast = 4

// stem is a word without the ends of its form, so that that of orders is that of order.
func stem(word string) string {
	for again := true; again; {
		again = false
		for _, end := range []string{"ing", "able", "ed", "es", "er", "ly", "s", "e"} {
			if rest, is := strings.CutSuffix(word, end); is && len(rest) >= stemLeast {
				word, again = rest, true
				break
			}
		}
	}
	return word
}

// numberOf are the digits with which a text ends, where signs and letters alone stand before them.
func numberOf(text string) string {
	n := strings.TrimLeftFunc(text, func(c rune) bool { return !unicode.IsDigit(c) })
	if !isNumber(n) {
		return ""
	}
	return n
}

func isNumber(text string) bool {
	return text != "" && !strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsDigit(c) })
}

func digitsIn(text string) (n int) {
	for _, c := range text {
		if unicode.IsDigit(c) {
			n++
		}
	}
	return n
}
