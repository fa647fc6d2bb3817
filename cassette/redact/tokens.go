package redact

import (
	"math"
	"regexp"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/scenario-lang/scenario/cassette/internal/forms"
	"github.com/scenario-lang/scenario/cassette/internal/packing"
	"github.com/scenario-lang/scenario/cassette/internal/words"
)

// TokenIDs returns the names of the forms of credentials that are found without
// knowing them, each once and sorted.
func TokenIDs() []string {
	var ids []string
	for _, f := range forms.All() {
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// A compiledForm has the patterns of a form, made when a text has one of its
// words first.
type compiledForm struct {
	*forms.Form
	once    sync.Once
	pattern *regexp.Regexp
	allowed []*regexp.Regexp
}

var compiledForms = sync.OnceValue(func() []compiledForm {
	list := make([]compiledForm, len(forms.All()))
	for i := range list {
		list[i].Form = &forms.All()[i]
	}
	return list
})

// compile makes the patterns, once.
func (c *compiledForm) compile() {
	c.once.Do(func() {
		c.pattern = regexp.MustCompile(c.Pattern)
		for _, a := range c.Allowed {
			c.allowed = append(c.allowed, regexp.MustCompile(a))
		}
	})
}

// A Sighting is a token in a text.
type Sighting struct {
	Start, End int
	// Rule is the name of the form.
	Rule string
}

// Sightings finds the tokens of a text, in order. Placeholders are no tokens,
// and neither is what lies within a longer run of the same letters: an image in
// Base64 holds everything sooner or later.
func Sightings(text string) []Sighting {
	found := slices.Concat(sightings(text), packed(text), begun(text))
	if len(found) > 1 { // sort.SliceStable allocates
		sort.SliceStable(found, func(i, j int) bool { return found[i].Start < found[j].Start })
	}
	return found
}

// sightings are those that are not packed, by rule.
func sightings(text string) []Sighting {
	var found []Sighting
	windows := windowsOf(text)
	if len(windows) > 1 {
		sort.SliceStable(windows, func(i, j int) bool { return windows[i].rule < windows[j].rule })
	}
	all := compiledForms()
	for _, w := range windows {
		c := &all[w.rule]
		c.compile()
		for _, m := range c.pattern.FindAllStringSubmatchIndex(text[w.start:w.end], -1) {
			from, to := secretOf(c.Form, m)
			s := Sighting{w.start + from, w.start + to, c.ID}
			if s.Start < s.End && !withinRun(text, s.Start, s.End) && !HasPlaceholder(text[s.Start:s.End]) && c.takes(text[s.Start:s.End]) {
				found = append(found, s)
			}
		}
	}
	return found
}

// secretOf is the part of a match of a form that is the secret.
func secretOf(r *forms.Form, match []int) (from, to int) {
	if r.Whole {
		return match[0], match[1]
	}
	for i := 2; i+1 < len(match); i += 2 {
		if match[i] >= 0 && match[i+1]-match[i] > to-from {
			from, to = match[i], match[i+1]
		}
	}
	return from, to
}

// takes reports whether what a pattern found is a secret.
func (c *compiledForm) takes(secret string) bool {
	for _, a := range c.allowed {
		if a.MatchString(secret) {
			return false
		}
	}
	return bits(secret) >= c.Entropy
}

// A window is a part of a text in which a rule is tried: what surrounds its
// words. A rule is tried in its windows in their order.
type window struct{ rule, start, end int }

// How far around its word a rule looks. A run of letters that begins there is
// looked at up to its end.
const (
	lookBack  = 192
	lookAhead = 512
	lookFar   = 32 << 10
	runEnd    = 8 << 10
)

func windowsOf(text string) []window {
	index, all := ruleWords(), compiledForms()
	var list []window
	last := map[int]int{} // the last window of a rule
	index.search.Each(text, func(word, end int) {
		for _, i := range index.rules[word] {
			back, ahead := lookBack, lookAhead
			switch all[i].At {
			case forms.InLongText:
				back, ahead = lookFar, lookFar
			case forms.WithinToken:
				if !inRun(text, end) {
					continue
				}
			case forms.BeforeValue:
				if !isAssigned(text, end) {
					continue
				}
			case forms.AtCommand:
				at := end - len(index.search.Words[word])
				if command := forms.CommandAt(text, at); command != "" {
					list = append(list, window{i, at, at + len(command)})
				}
				continue
			}
			start, stop := max(0, end-len(index.search.Words[word])-back), min(len(text), end+ahead)
			if n, seen := last[i]; seen && list[n].end >= start {
				list[n].end = max(list[n].end, stop)
				continue
			}
			last[i] = len(list)
			list = append(list, window{i, start, stop})
		}
	})
	for n := range list {
		w := &list[n]
		if all[w.rule].At == forms.AtCommand {
			continue
		}
		for limit := w.end + runEnd; w.end < min(len(text), limit) && isRunByte(text[w.end-1]); {
			w.end++
		}
	}
	return list
}

// shortestToken is how long what a rule finds is at least.
const shortestToken = 12

// inRun reports whether a word that ends at a place stands in a run that is long
// enough to be a token.
func inRun(text string, end int) bool {
	before, after := end, end
	for before > 0 && isTokenByte(text[before-1]) && end-before < shortestToken {
		before--
	}
	for after < len(text) && isTokenByte(text[after]) && after-before < shortestToken {
		after++
	}
	return after-before >= shortestToken
}

func isTokenByte(c byte) bool { return isRunByte(c) || c == '.' || c == '~' || c == ':' || c == '%' }

// isAssigned reports whether behind a word there is a sign of assignment, and
// behind that a run that is long enough to be a secret.
func isAssigned(text string, end int) bool {
	sign := strings.IndexAny(text[end:min(len(text), end+32)], "=:>|,")
	if sign < 0 {
		return false
	}
	at := end + sign
	rest := strings.TrimLeft(text[at:min(len(text), at+48)], "=:>|,?`'\" \t\r\n\\")
	n := 0
	for n < len(rest) && isTokenByte(rest[n]) {
		n++
	}
	return n >= min(shortestToken, len(rest)) && n >= 8
}

// runMax is how far letters may go on beside a token: a prefix that somebody
// put before it, but no image.
const runMax = 32

// runSample is how many of these letters tell what they are.
const runSample = 96

func withinRun(text string, start, end int) bool {
	before, after := start, end
	for before > 0 && isRunByte(text[before-1]) && start-before < runSample {
		before--
	}
	for after < len(text) && isRunByte(text[after]) && after-end < runSample {
		after++
	}
	return isImage(text[before:start]) || isImage(text[end:after])
}

// isImage reports whether letters are more than a prefix, and mixed as those of
// Base64 are, a seventh at least of either case: a path, a name or a rule of signs
// beside a token is none, and hides nothing.
func isImage(run string) bool {
	if len(run) <= runMax {
		return false
	}
	upper, lower, digits := 0, 0, 0
	for i := range len(run) {
		switch c := run[i]; {
		case 'A' <= c && c <= 'Z':
			upper++
		case 'a' <= c && c <= 'z':
			lower++
		case '0' <= c && c <= '9':
			digits++
		}
	}
	return upper*7 >= len(run) && lower*7 >= len(run) && digits > 0
}

func isRunByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("+/=_-", c) >= 0
}

// bits is the entropy of a text in bits a character (Shannon).
func bits(text string) float64 {
	var count [256]int
	for i := range len(text) {
		count[text[i]]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(text))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// tokenRegions are the tokens of a text as parts to be hidden.
func tokenRegions(text string) []region {
	var found []region
	for _, s := range Sightings(text) {
		found = merge(found, region{start: s.Start, end: s.End, longest: s.End - s.Start, secret: text[s.Start:s.End]})
	}
	return found
}

// HideTokens puts placeholders for the tokens of a text.
func HideTokens(text string) string {
	var e edits
	for _, g := range tokenRegions(text) {
		e.replace(g.start, g.end, Placeholder(g.secret))
	}
	return e.apply(text)
}

// ruleWords is the search for the words of all rules, and which rules have each.
var ruleWords = sync.OnceValue(func() (index struct {
	search *words.Search
	rules  [][]int
},
) {
	numbers := map[string]int{}
	var list []string
	for i, f := range forms.All() {
		for _, w := range f.Words {
			n, known := numbers[w]
			if !known {
				n = len(list)
				numbers[w], list = n, append(list, w)
				index.rules = append(index.rules, nil)
			}
			index.rules[n] = append(index.rules[n], i)
		}
	}
	index.search = words.New(list)
	return index
})

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
	index, all := ruleWords(), compiledForms()
	index.search.Each(run[:min(len(run), 2*before)], func(word, end int) {
		for _, i := range index.rules[word] {
			if at := end - len(index.search.Words[word]); id == "" && all[i].At == forms.WithinToken && (at == 0 || at <= before && !isLetter(run[at-1])) {
				id = all[i].ID
			}
		}
	})
	return id
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// packedMax bounds the texts in Base64 that are looked into: an image is longer. Those of
// less than [packing.Base64Min] hold no token.
const packedMax = 16 << 10

// packed finds the runs of Base64 that hold a token when they are decoded. All of
// the run is the secret: a part of it would give away the part that it stands
// for.
func packed(text string) []Sighting {
	var found []Sighting
	for i := 0; i < len(text); {
		if !isBase64Byte(text[i]) {
			i++
			continue
		}
		start := i
		for i < len(text) && isBase64Byte(text[i]) {
			i++
		}
		if i-start < packing.Base64Min || i-start > packedMax {
			continue
		}
		if plain := packing.FromBase64(text[start:i]); plain != "" {
			if inner := sightings(plain); len(inner) > 0 {
				end := i
				for end < len(text) && text[end] == '=' && end-i < 2 {
					end++
				}
				found = append(found, Sighting{start, end, inner[0].Rule})
			}
		}
	}
	return found
}

func isBase64Byte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '+' || c == '/' || c == '-' || c == '_'
}
