package sized

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/scenario-lang/scenario/internal/pattern"
)

// A lexicon has the words by which names are read.
type lexicon struct {
	// without says that something has no limit.
	without func() *regexp.Regexp
	// meant are about limits that are meant, and digits about how a number is written.
	meant func() *regexp.Regexp
	// aside is about what is no data: how long something takes, how often it is tried again, a plan that one buys.
	aside func() *regexp.Regexp
	// none begins "no number of folders is too much", which excess ends. Without it, it is about a number that is not there.
	none, excess func() *regexp.Regexp
	// stated is a size that a name says, and unlike says that the data need not have it: it is a limit, a speed or a store.
	stated, unlike func() *regexp.Regexp
	// about are the words of a name that say of which kind it is, the first that fits.
	about []about
	// chosen are the kinds that a phrase may be about, by its words, and the one that it is about where the rest of the
	// name says none: "however long it gets" is said of conversations as well as of lines, and "however large" of amounts
	// as well as of files. A phrase with none of these words may be about any kind.
	chosen []chosen
	// great are phrases that say that there is much of something. They count where the data have at least some of it: a
	// scenario of three numbers is about other things.
	great []great
}

type about struct {
	kind  kind
	words func() *regexp.Regexp
}

type chosen struct {
	words  func() *regexp.Regexp
	of     []kind
	orElse kind
}

type great struct {
	kind  kind
	some  int64
	words func() *regexp.Regexp
}

// endless says of what is not counted that it has no limit.
const endless = `(?:unlimited|unbounded|limitless|without (?:a |any )?(?:upper )?(?:limit|bound)|no (?:upper )?limit)`

// newLexicon is made when a run asks for it, so that a program that never does is smaller.
func newLexicon() *lexicon {
	return &lexicon{
		without: pattern.New(`(?i)\b(?:(?:at|of|with|in) )?any (?:size|length|depth)\b|\b(?:at|of|with|in|for) any (?:number|amount|count|quantity)\b|\bany (?:number|amount|count|quantity) of\b|\bhowever (?:many|much|long|deep|deeply|large|big|high)\b|\bno matter how (?:many|much|long|deep|deeply|large|big|high)\b|` +
			`\bwhatever (?:its|the|their) (?:size|length|depth|number|amount)s?\b|\b(?:unlimited|unbounded|limitless)\b|\barbitrar(?:ily|y) (?:many|long|deep|deeply|large|big|size|length|depth|number|amount)s?\b|` +
			`\bwithout (?:a |any )?(?:upper )?(?:limit|bound)\b|\bno (?:upper )?limit\b|\bnever too (?:many|much|long|deep|large|big)\b|\bno (?:number|amount|length|size|depth) of\b|` +
			`\ball that (?:was|is|has been) said\b|\b(?:whole|entire|full) (?:conversation|history|dialogue|chat)\b`),
		meant: pattern.New(`(?i)\b(?:digits|rate|limit of|at most|refuse[sd]?|refusal|rejected|rejects)\b`),
		aside: pattern.New(`(?i)\b(?:(?:however|no matter how|arbitrarily) long|any length) (?:\w+ ){0,3}(?:takes?|lasts?|lasted|waits?|waited|waiting|outages?|down|downtime|time|delays?|pauses?)\b|` +
			`\b(?:lasts?|waits?|waited|waiting|outages?|down|downtime|delays?|pauses?) (?:\w+ ){0,2}(?:(?:however|no matter how|arbitrarily) long|any length)\b|` +
			`\b(?:however many|no matter how many|arbitrarily many|any (?:number|amount|count) of|` + endless + `) (?:\w+ )?(?:retry|retries|attempts|tries)\b|` +
			`\b(?:retry|retries|retried|retrying|attempts|tries|tried) (?:\w+ ){0,3}` + endless + `\b|` +
			`\b(?:unlimited|unbounded|limitless) (?:\w+ )?(?:plans?|quotas?)\b|\b(?:plans?|quotas?) (?:is|are) ` + endless + `\b`),
		none:   pattern.New(`(?i)\bno (?:number|amount|length|size|depth) of\b`),
		excess: pattern.New(`(?i)\b(?:too|at which|from which)\b`),
		stated: pattern.New(`\b([0-9][0-9,]{0,8}(?:\.[0-9]+)?) ?([kKMG])i?B\b`),
		unlike: pattern.New(`(?i)\b(?:below|under|less than|at most|up to|limit|smaller than|no more than|never more than)\b|\b(?:over|above|more than|larger than|greater than|bigger than) [0-9]|` +
			`B(?:/s| per second| a second)\b|B (?:of )?(?:memory|RAM)\b|\b(?:memory|RAM) of [0-9]|B (?:\w+ )?(?:plans?|quotas?)\b|\b(?:plans?|quotas?) (?:of|with|has|have) [0-9]`),
		about: []about{
			{nesting, pattern.New(`(?i)\b(?:deep|deeply|depth|nested|nesting|levels?|recursive|recursively|recursion)\b`)},
			{requests, pattern.New(`(?i)\bpages?\b`)},
			{elements, pattern.New(`(?i)\b(?:conversations?|histor(?:y|ies)|dialogues?|chats?|said|threads?|lists?|tables?)\b`)},
			{line, pattern.New(`(?i)\blines?\b`)},
			{numbers, pattern.New(`(?i)\b(?:exact|exactly|amounts?|sums?|totals?|balances?|numbers?|cents?|billions?|trillions?|gigabytes|terabytes)\b`)},
			{text, pattern.New(`(?i)\b(?:characters|letters|texts?|words?|prompts?|names?)\b`)},
			{size, pattern.New(`(?i)\b(?:bytes|body|bodies|files?|exports?|downloads?|uploads?|memory|heap)\b`)},
		},
		chosen: []chosen{
			{pattern.New(`(?i)\b(?:deep|deeply|depth)\b`), []kind{nesting}, nesting},
			{pattern.New(`(?i)\b(?:many|number|numbers|count|quantity)\b`), []kind{requests}, many},
			{pattern.New(`(?i)\b(?:said|conversation|history|dialogue|chat)\b`), []kind{elements}, elements},
			{pattern.New(`(?i)\b(?:long|length|lengths)\b`), []kind{elements, line, text}, text},
			{pattern.New(`(?i)\b(?:large|big|high|size|sizes|amount|amounts|much)\b`), []kind{elements, numbers, text, size}, size},
		},
		great: []great{
			{nesting, 8, pattern.New(`(?i)\b(?:deep|deeply nested|depth|nested|nesting|recursively)\b`)},
			{line, 500, pattern.New(`(?i)\b(?:(?:very |extremely )?long (?:\w+ )?lines?|lines? (?:\w+ ){0,2}(?:is|are) (?:very )?long|characters in one line)\b`)},
			{numbers, 1e8, pattern.New(`(?i)\b(?:billions|trillions|gigabytes|terabytes|exact to the cent|not a cent is lost)\b|\b(?:large|huge|big|great) (?:amounts|sums|numbers|totals)\b`)},
			{size, 16 << 10, pattern.New(`(?i)\b(?:large|huge|big|giant|enormous) (?:\w+ )?(?:files?|body|bodies|answers?|repl(?:y|ies)|responses?|exports?|uploads?|downloads?|documents?|messages?)\b`)},
			{text, 1000, pattern.New(`(?i)\b(?:long|huge|large|big|giant|enormous) (?:\w+ )?(?:texts?|documents?|messages?|answers?|prompts?|mails?|articles?)\b`)},
			{elements, 20, pattern.New(`(?i)\b(?:long|huge|large|big|giant|enormous) (?:\w+ )?(?:lists?|tables?|conversations?|histor(?:y|ies)|threads?|results?)\b|\b(?:thousands|hundreds|dozens) of\b`)},
			{text, 100, pattern.New(`(?i)\b(?:quadratic|quadratically|exponential time|linear time|backtracking|backtracks|redos|keeps? (?:it|them) busy)\b`)},
		},
	}
}

// speaks reports whether a name is about a size.
func (l *lexicon) speaks(title string) bool {
	if _, n := l.sizeIn(title); n > 0 || l.without().MatchString(l.ofData(title)) {
		return true
	}
	for _, g := range l.great {
		if g.words().MatchString(title) {
			return true
		}
	}
	return false
}

// sizeIn is the size that a name says, in bytes.
func (l *lexicon) sizeIn(title string) (phrase string, n int64) {
	found := l.stated().FindStringSubmatch(title)
	if found == nil || l.unlike().MatchString(title) || l.meant().MatchString(title) {
		return "", 0
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(found[1], ",", ""), 64)
	if err != nil {
		return "", 0
	}
	return found[0], int64(f * map[string]float64{"k": 1e3, "K": 1e3, "M": 1e6, "G": 1e9}[found[2]])
}

// ofData is a name without what it says of other things than data.
func (l *lexicon) ofData(title string) string {
	title = l.aside().ReplaceAllString(title, "")
	if !l.excess().MatchString(title) {
		title = l.none().ReplaceAllString(title, "")
	}
	return title
}

// limitless is what a name says that has no limit, and its kind: that of its words, or else that of which the data come
// nearest to enough.
func (l *lexicon) limitless(title string, m *measures) (phrase string, k kind, is bool) {
	title = l.ofData(title)
	phrase = l.without().FindString(title)
	if phrase == "" || l.meant().MatchString(title) {
		return "", 0, false
	}
	for _, c := range l.chosen {
		if !c.words().MatchString(phrase) {
			continue
		}
		for _, a := range l.about {
			if a.kind != c.orElse && slices.Contains(c.of, a.kind) && a.words().MatchString(title) {
				return phrase, a.kind, true
			}
		}
		return phrase, c.orElse, c.orElse != nesting || m.of[nesting] >= deepAtLeast
	}
	for _, a := range l.about {
		if a.words().MatchString(title) {
			return phrase, a.kind, true
		}
	}
	for other := range kind(len(kinds)) {
		if share(m, other) > share(m, k) {
			k = other
		}
	}
	return phrase, k, true
}

// deepAtLeast is how deep data are that are about depth: what is nested in another form is not seen.
const deepAtLeast = 3

// share is how near the data come to enough.
func share(m *measures, k kind) float64 { return float64(m.of[k]) / float64(kinds[k].enough) }

// much is what a name says that there is much of.
func (l *lexicon) much(title string, m *measures) (phrase string, k kind, is bool) {
	if l.meant().MatchString(title) {
		return "", 0, false
	}
	for _, g := range l.great {
		if phrase := g.words().FindString(title); phrase != "" && m.of[g.kind] >= g.some {
			return phrase, g.kind, true
		}
	}
	return "", 0, false
}
