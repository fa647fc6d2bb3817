package redact

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/scenario-lang/scenario/cassette/internal/styles"
)

// derived is what was made of the secrets of a [Redactor]. Its methods take nil.
type derived struct {
	mu    sync.RWMutex
	known Redactor
	texts []string
	// twins are the encodings of the twins of secrets, by the secret.
	twins map[string][]string
}

// Learning is a redactor of the same secrets, and of what r has learned so far,
// that can learn what is made of them. What it learns, r does not know.
func (r *Redactor) Learning() *Redactor {
	if r == nil {
		return nil
	}
	out := *r
	out.derived = &derived{known: Redactor{starts: map[uint32][]int{}, exact: map[string]string{}}, twins: map[string][]string{}}
	for _, text := range r.Learned() {
		out.Learn(text)
	}
	return &out
}

// Knows reports whether there are secrets that are known by value.
func (r *Redactor) Knows() bool { return r != nil && len(r.forms) > 0 }

// Learn hides a text from now on as the secrets are hidden. Only a redactor that
// [Redactor.Learning] made learns anything, and only what is not too short.
func (r *Redactor) Learn(text string) {
	if r == nil || r.derived == nil || len(text) < ShortestSecret {
		return
	}
	d := r.derived
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, known := d.known.exact[text]; !known {
		d.known.add(text)
		d.texts = append(d.texts, text)
	}
}

// Learned is what was learned, in that order.
func (r *Redactor) Learned() []string {
	if r == nil || r.derived == nil {
		return nil
	}
	r.derived.mu.RLock()
	defer r.derived.mu.RUnlock()
	return slices.Clone(r.derived.texts)
}

// Twin is a text as it would be if every secret in it, in whatever form, were
// another one of the same length and with the same kinds of characters at the
// same places. A text without secrets is its own twin. Only a redactor that
// [Redactor.Learning] made has twins.
func (r *Redactor) Twin(text string) string {
	if r == nil || r.derived == nil {
		return text
	}
	d := r.derived
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	done := 0
	for i := 0; i+ShortestSecret <= len(text); {
		f := d.known.formAt(text[i:])
		if g := r.formAt(text[i:]); g != nil && (f == nil || len(g.text) > len(f.text)) {
			f = g
		}
		if f == nil {
			i++
			continue
		}
		b.WriteString(text[done:i])
		b.WriteString(d.twin(f))
		i += len(f.text)
		done = i
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// formAt is the longest form that a text begins with, nil for none.
func (r *Redactor) formAt(text string) *form {
	if !r.first[text[0]] {
		return nil
	}
	for _, n := range r.starts[startOf(text)] {
		if f := &r.forms[n]; strings.HasPrefix(text, f.text) {
			return f
		}
	}
	return nil
}

// twin is a form of a secret as its twin has it.
func (d *derived) twin(f *form) string {
	list, known := d.twins[f.secret]
	if !known {
		list = styles.Of(TwinOf(f.secret))
		d.twins[f.secret] = list
	}
	return list[f.n]
}

// TwinOf is another text of the same length, with letters, digits and other
// characters where the text has such.
func TwinOf(text string) string {
	if text == "" {
		return ""
	}
	var b strings.Builder
	for _, c := range text {
		b.WriteRune(other(c))
	}
	if twin := b.String(); twin != text && len(twin) == len(text) {
		return twin
	}
	return strings.Repeat(strings.Trim("#+", text[:1])[:1], len(text)) // no letters, no digits
}

// other is another character of the same kind; of what is neither a letter nor a
// digit the same one, as texts are taken apart by those.
func other(c rune) rune {
	switch {
	case '0' <= c && c <= '9':
		return '1' + (c-'0')%9
	case 'a' <= c && c <= 'z':
		return 'a' + (c-'a'+1)%26
	case 'A' <= c && c <= 'Z':
		return 'A' + (c-'A'+1)%26
	case c > unicode.MaxASCII && unicode.IsLetter(c) && unicode.IsLetter(c+1) && utf8.RuneLen(c) == utf8.RuneLen(c+1):
		return c + 1
	}
	return c
}

func (d *derived) exact(text string) (string, bool) {
	if d == nil {
		return "", false
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	p, known := d.known.exact[text]
	return p, known
}

// search adds the regions of a part of the text that begins at a place.
func (d *derived) search(found []region, part string, at int) []region {
	if d == nil {
		return found
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if len(d.known.forms) == 0 {
		return found
	}
	return sorted(append(found, d.known.search(nil, part, at)...))
}

// begun lists the beginnings, up to the end of a line, of secrets with several.
func (r *Redactor) begun() []string {
	if r.derived == nil {
		return r.received.begun(r.lines)
	}
	r.derived.mu.RLock()
	defer r.derived.mu.RUnlock()
	return r.received.begun(slices.Concat(r.lines, r.derived.known.lines))
}
