package redact

import (
	"encoding/binary"
	"sort"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/styles"
)

// A form is one way in which a secret can be written: the nth of its encodings.
type form struct {
	text, secret string
	n            int
}

// A region is a part of a text that gives a secret away.
type region struct {
	start, end int
	longest    int // of the forms found in it
	secret     string
	with       string // what is put in its place, "" for the placeholder of the secret
}

// shown is what is put in the place of a region.
func (g region) shown() string {
	if g.with != "" {
		return g.with
	}
	return Placeholder(g.secret)
}

func startOf(text string) uint32 { return binary.LittleEndian.Uint32([]byte(text[:4])) }

// Values replaces every secret in a text, whichever way it is written. Where
// two overlap, all of both goes and the placeholder is that of the longer one.
func (r *Redactor) Values(text string) string {
	if r == nil {
		return text
	}
	regions := r.regions(text)
	if regions == nil {
		return text
	}
	var b strings.Builder
	done := 0
	for _, g := range regions {
		b.WriteString(text[done:g.start])
		b.WriteString(g.shown())
		done = g.end
	}
	b.WriteString(text[done:])
	return b.String()
}

// Chunks replaces every secret in a text that arrived in pieces, also where it
// is split over several: the placeholder stands in the first of them.
func (r *Redactor) Chunks(chunks []string) []string {
	text := strings.Join(chunks, "")
	regions := underNames(text)
	if r != nil {
		regions = append(regions, r.regions(text)...)
	}
	if regions = sorted(regions); regions == nil {
		return chunks
	}
	out := make([]string, len(chunks))
	at := 0
	for i, c := range chunks {
		out[i] = cutOut(c, at, regions)
		at += len(c)
	}
	return out
}

// cutOut is the chunk that begins at a place of the whole text, without the
// regions.
func cutOut(chunk string, at int, regions []region) string {
	var b strings.Builder
	done := 0
	for _, g := range regions {
		start, end := g.start-at, g.end-at
		if end <= 0 || start >= len(chunk) {
			continue
		}
		b.WriteString(chunk[done:max(start, 0)])
		if start >= 0 {
			b.WriteString(g.shown())
		}
		done = min(end, len(chunk))
	}
	b.WriteString(chunk[done:])
	return b.String()
}

// Exact is the placeholder of a text that is a secret as a whole, such as a
// number; false for every other.
func (r *Redactor) Exact(text string) (string, bool) {
	if r == nil {
		return "", false
	}
	if r.whole(text) {
		return Placeholder(text), true
	}
	if p, ok := r.exact[text]; ok {
		return p, true
	}
	if p, ok := r.received.exact(text); ok {
		return p, true
	}
	return r.derived.exact(text)
}

// Key is the key of an object as it may be shown. A key is part of a
// structure: only a secret too long to be a name by chance is hidden there.
func (r *Redactor) Key(key string) string {
	if r == nil || len(key) < longSecret {
		return key
	}
	for _, g := range r.regions(key) {
		if g.longest >= longSecret {
			return r.Values(key)
		}
	}
	return key
}

// longSecret is how many bytes do not come about by chance, and longInOtherForm how many
// whose digits and letters stand in another order.
const (
	longSecret      = styles.Long
	longInOtherForm = styles.Turned
)

// regions finds what must go, in order and apart from each other. Placeholders
// are left alone.
func (r *Redactor) regions(text string) []region {
	var found, hidden []region
	for at := 0; at < len(text); {
		start, end := nextPlaceholder(text, at)
		found = r.matched(r.search(found, text[at:start], at), text[at:start], at)
		found = r.received.search(r.derived.search(found, text[at:start], at), text[at:start], at)
		hidden = r.escaped(hidden, text[at:start], at)
		at = end
	}
	if len(hidden) > 0 {
		found = sorted(append(found, hidden...))
	}
	if r.tokens {
		found = sorted(append(found, tokenRegions(text)...))
	}
	return found
}

// sorted brings regions into their order, and apart from each other.
func sorted(found []region) []region {
	if len(found) > 1 { // sort.SliceStable allocates
		sort.SliceStable(found, func(i, j int) bool { return found[i].start < found[j].start })
	}
	var apart []region
	for _, g := range found {
		apart = merge(apart, g)
	}
	return apart
}

// search adds the regions of a part of the text that begins at a place.
func (r *Redactor) search(found []region, part string, at int) []region {
	for i := 0; i+ShortestSecret <= len(part); i++ {
		if !r.first[part[i]] {
			continue
		}
		for _, n := range r.starts[startOf(part[i:])] {
			f := &r.forms[n]
			if strings.HasPrefix(part[i:], f.text) {
				found = merge(found, region{start: at + i, end: at + i + len(f.text), longest: len(f.text), secret: f.secret})
				break
			}
			if n := cutAt(part[i:], f.text); n > 0 {
				found = merge(found, region{start: at + i, end: at + i + n, longest: n, secret: f.secret})
			}
		}
	}
	return found
}

// merge adds a region, which begins at or after the last one.
func merge(found []region, g region) []region {
	if len(found) > 0 {
		last := &found[len(found)-1]
		if g.start < last.end {
			last.end = max(last.end, g.end)
			if g.longest > last.longest {
				last.longest, last.secret, last.with = g.longest, g.secret, g.with
			}
			return found
		}
	}
	return append(found, g)
}

// ellipsis says that a message does not show all of a text.
const ellipsis = "…"

// cutAt returns how much of a secret a text begins with before it says that
// the rest is left out, 0 where it does not. Messages show the beginning of an
// answer so.
func cutAt(text, secret string) int {
	n := 0
	for n < len(text) && n < len(secret) && text[n] == secret[n] {
		n++
	}
	if n < ShortestSecret {
		return 0
	}
	rest := strings.TrimPrefix(text[n:], `\`)
	if strings.HasPrefix(rest, ellipsis) || strings.HasPrefix(rest, `"`+ellipsis) {
		return n
	}
	return 0
}
