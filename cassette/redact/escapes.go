package redact

import (
	"encoding/binary"
	"strings"

	"github.com/scenario-lang/scenario/cassette/internal/escapes"
)

// deepest is how many times a text is looked at without its escapes: a JSON string within
// one, in a query within a URL, of which each may be escaped in part.
const deepest = 8

// escaped finds the regions of a part of a text, which begins at a place, that hold a
// secret once escapes are undone. Every writer of URLs, JSON and HTML decides for itself
// which characters it escapes and in which case it writes the digits, so that the forms
// of a secret are more than can be listed.
func (r *Redactor) escaped(found []region, part string, at int) []region {
	first := strings.IndexAny(part, escapes.Signs)
	if len(r.forms) == 0 || first < 0 {
		return found
	}
	some, more := false, false
	for i := first; i < len(part); {
		n, stands := escapes.Unit(part[i:])
		some, more = some || n > 1, more || n > 1 && escapes.MayEscape(stands[0])
		i += n
	}
	switch {
	case !some:
		return found
	case !more:
		return r.searchOnce(found, part, at)
	}
	plain, from := part, []int(nil)
	for range deepest {
		next, places := escapes.Unescaped(plain)
		if places == nil {
			break
		}
		for i, p := range places {
			if from != nil {
				places[i] = from[p]
			}
		}
		plain, from = next, places
		for _, g := range r.search(nil, plain, 0) {
			g.start, g.end = at+from[g.start], at+from[g.end]
			found = append(found, g)
		}
	}
	return found
}

// searchOnce is the search in a text whose escapes stand for nothing that is one again. It
// allocates nothing where it finds nothing.
func (r *Redactor) searchOnce(found []region, part string, at int) []region {
	for i := 0; i < len(part); {
		n, stands := escapes.Unit(part[i:])
		if r.first[stands[0]] {
			if start, ok := beginning(part[i:]); ok {
				for _, f := range r.starts[start] {
					if f := &r.forms[f]; matchEscaped(part[i:], f.text) > 0 {
						n = matchEscaped(part[i:], f.text)
						found = append(found, region{start: at + i, end: at + i + n, longest: len(f.text), secret: f.secret})
						break
					}
				}
			}
		}
		i += n
	}
	return found
}

// beginning is what a text begins with, as forms are listed by it.
func beginning(text string) (uint32, bool) {
	var b [4]byte
	for n := 0; n < len(b); {
		if text == "" {
			return 0, false
		}
		skip, stands := escapes.Unit(text)
		n += copy(b[n:], stands)
		text = text[skip:]
	}
	return binary.LittleEndian.Uint32(b[:]), true
}

// matchEscaped is how much of a text is a form once escapes are undone, 0 where it does
// not begin so.
func matchEscaped(text, form string) (n int) {
	for form != "" {
		if n == len(text) {
			return 0
		}
		skip, stands := escapes.Unit(text[n:])
		if !strings.HasPrefix(form, stands) {
			return 0
		}
		form, n = form[len(stands):], n+skip
	}
	return n
}
