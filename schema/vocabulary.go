package schema

import (
	"slices"
	"strings"
)

// Words is a closed set of strings: the statuses of a step, the kinds of fault,
// the targets of a file. What a file writes where such a word is meant has to be
// one of them. It is shared and must not be changed.
type Words struct {
	// Noun is what one of them is called in messages: "step status". Plural is
	// for nouns that do not just take an s.
	Noun, Plural string
	// Members are those that are in every file.
	Members []string
	// Domain names further ones that the file declares, such as its targets, ""
	// where there are none. Who checks a file knows them.
	Domain string
	// Free, where not nil, reports whether a string that is no member may occur
	// all the same.
	Free func(string) bool
	// Spelling, where not nil, is the one way in which such words are spelt: a
	// string that it changes is none of them, nor a part of one. Rule says so.
	Spelling func(string) string
	Rule     string
}

// Misspelt reports whether a string is spelt in a way in which no word is, as a
// whole or in part.
func (w *Words) Misspelt(text string) bool { return w.Spelling != nil && w.Spelling(text) != text }

// PluralNoun is what several of them are called.
func (w *Words) PluralNoun() string {
	if w.Plural != "" {
		return w.Plural
	}
	noun, of, _ := strings.Cut(w.Noun, " of ")
	switch {
	case strings.HasSuffix(noun, "s"):
		noun += "es"
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	if of != "" {
		return noun + " of " + of
	}
	return noun
}

// Made is a string that is computed of others: its parts one after the other,
// and Map of that where it is not nil.
type Made struct {
	Parts []*Shape
	Map   func(string) string
	// List says that the parts are the elements of a list, any number of the
	// first, and what stands between each two of them.
	List bool
}

// A Vocabulary is what a string may be.
type Vocabulary struct {
	// Texts are all that it may be.
	Texts []string
	// Of are the closed sets that these come from, none where all are written in
	// the file.
	Of []*Words
	// Mixed says that it need not be a word as it stands in its set: it was
	// computed, or is one of several sets, or a text of the file.
	Mixed bool
	// May, where not nil, reports whether it may be a text that is none of Texts:
	// it is made of words and of what is not known, which Texts show as "…".
	// Contains says whether a text may be a part of it; nil says that any may.
	May, Contains func(text string) bool
}

// Closed reports whether the run decides which of the texts it is.
func (v Vocabulary) Closed() bool { return len(v.Of) > 0 }

// Has reports whether the string may be a text.
func (v Vocabulary) Has(text string) bool {
	return slices.Contains(v.Texts, text) || v.May != nil && v.May(text) || slices.ContainsFunc(v.Of, func(w *Words) bool { return w.Free != nil && w.Free(text) })
}

// maxMade bounds how many strings are computed of others; of more than that
// nothing is known.
const maxMade = 4096

// Vocabulary is what a string of this shape may be, and whether that is known.
// The function gives the members of a domain, nil for one of which nothing is
// known.
func (s *Shape) Vocabulary(members func(domain string) []string) (v Vocabulary, known bool) {
	if !s.limited() {
		return v, false
	}
	v.Texts, v.Mixed = s.Texts, len(s.Words) != 1 || len(s.Texts)+len(s.Made) > 0
	for _, w := range s.Words {
		list := w.Members
		if w.Domain != "" {
			declared := members(w.Domain)
			if declared == nil {
				return v, false
			}
			list = join(list, declared)
		}
		v.Texts, v.Of = join(v.Texts, list), append(v.Of, w)
	}
	for i := range s.Made {
		made, ok := s.Made[i].vocabulary(members)
		if !ok {
			return v, false
		}
		v.Texts, v.Of = join(v.Texts, made.Texts), append(v.Of, made.Of...)
		v.May, v.Contains = eitherMay(v.May, made.May), eitherMay(v.Contains, made.Contains)
		if len(s.Made)+len(s.Words)+len(s.Texts) > 1 {
			v.Contains = nil
		}
	}
	return v, true
}

func eitherMay(a, b func(string) bool) func(string) bool {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	return func(text string) bool { return a(text) || b(text) }
}

// join is both lists; the result may be one of them and must not be changed.
func join(a, b []string) []string {
	switch {
	case len(a) == 0:
		return b
	case len(b) == 0:
		return a
	}
	return slices.Concat(a, b)
}

func (m *Made) vocabulary(members func(string) []string) (v Vocabulary, known bool) {
	if m.List {
		return m.listed(members)
	}
	v.Texts = []string{""}
	open := false
	for _, p := range m.Parts {
		part, ok := p.Vocabulary(members)
		if !ok || part.May != nil || slices.ContainsFunc(part.Of, func(w *Words) bool { return w.Free != nil }) {
			part, open = Vocabulary{Texts: []string{anything}}, true
		}
		if len(v.Texts)*len(part.Texts) > maxMade {
			return v, false
		}
		longer := make([]string, 0, len(v.Texts)*len(part.Texts))
		for _, a := range v.Texts {
			for _, b := range part.Texts {
				longer = append(longer, a+b)
			}
		}
		v.Texts, v.Of = longer, append(v.Of, part.Of...)
	}
	switch {
	case open && (m.Map != nil || len(v.Of) == 0):
		return v, false
	case open:
		v.May = like(v.Texts)
	case m.Map != nil:
		for i, t := range v.Texts {
			v.Texts[i] = m.Map(t)
		}
	}
	return v, true
}

// anything stands for a part of a string of which nothing is known.
const anything = "…"

// like reports whether a text is one of some with parts that may be anything.
func like(texts []string) func(string) bool {
	return func(text string) bool {
		return slices.ContainsFunc(texts, func(pattern string) bool { return matches(strings.Split(pattern, anything), text) })
	}
}

// matches reports whether a text is the parts one after the other, with anything
// between them.
func matches(parts []string, text string) bool {
	first, last := parts[0], parts[len(parts)-1]
	if len(parts) == 1 {
		return text == first
	}
	if len(text) < len(first)+len(last) || !strings.HasPrefix(text, first) || !strings.HasSuffix(text, last) {
		return false
	}
	text = text[len(first) : len(text)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		i := strings.Index(text, part)
		if i < 0 {
			return false
		}
		text = text[i+len(part):]
	}
	return true
}

// listed is the vocabulary of words with one text between each two of them.
func (m *Made) listed(members func(string) []string) (v Vocabulary, known bool) {
	word, ok := m.Parts[0].Vocabulary(members)
	between := m.Parts[1].Texts
	if !ok || len(word.Of) == 0 || word.May != nil || len(between) != 1 || between[0] == "" ||
		slices.ContainsFunc(word.Of, func(w *Words) bool { return w.Free != nil }) ||
		slices.ContainsFunc(word.Texts, func(t string) bool { return strings.Contains(t, between[0]) }) {
		return v, false
	}
	sep := between[0]
	every := func(text string, fits func(first, last bool, piece string) bool) bool {
		pieces := strings.Split(text, sep)
		for i, piece := range pieces {
			if !fits(i == 0, i == len(pieces)-1, piece) {
				return false
			}
		}
		return true
	}
	v.Of, v.Texts, v.Mixed = word.Of, slices.Clone(word.Texts), true
	v.May = func(text string) bool {
		return every(text, func(_, _ bool, piece string) bool { return slices.Contains(word.Texts, piece) })
	}
	v.Contains = func(text string) bool {
		return every(text, func(first, last bool, piece string) bool {
			return slices.ContainsFunc(word.Texts, func(w string) bool {
				switch {
				case first && last:
					return strings.Contains(w, piece)
				case first:
					return strings.HasSuffix(w, piece)
				case last:
					return strings.HasPrefix(w, piece)
				}
				return w == piece
			})
		})
	}
	return v, true
}

// limited reports whether anything is known of what a string may be.
func (s *Shape) limited() bool {
	return len(s.Texts) > 0 || len(s.Words) > 0 || len(s.Made) > 0
}

// Computed is the shape of a string that is computed of others, [StringShape]
// where nothing is known of any of them, or of one that is computed on.
func Computed(apply func(string) string, parts ...*Shape) *Shape {
	s := &Shape{Kind: ShapeString, Made: []Made{{Parts: parts, Map: apply}}}
	words, all := false, true
	for _, p := range parts {
		words, all = words || len(p.Words)+len(p.Made) > 0, all && p.limited()
		s.Observed = s.Observed || p.Observed
	}
	if !all && (apply != nil || !words) {
		return StringShape
	}
	return s
}

// Joined is the shape of the elements of a list with a text between each two of
// them, [StringShape] where nothing is known of them.
func Joined(list, between *Shape) *Shape {
	if list.Elem == nil || len(list.Elem.Words) == 0 || len(between.Texts) != 1 {
		return StringShape
	}
	return &Shape{Kind: ShapeString, Observed: true, Made: []Made{{Parts: []*Shape{list.Elem, between}, List: true}}}
}

// Written is the shape of a string that the file writes out.
func Written(text string) *Shape { return &Shape{Kind: ShapeString, Texts: []string{text}} }

// OneOf is the shape of an observed string that is one of a closed set.
func OneOf(w *Words) *Shape {
	return &Shape{Kind: ShapeString, Observed: true, Words: []*Words{w}}
}

// Names is the shape of the name of an attribute of an object: of those that the
// run gives, where all are known.
func Names(s *Shape) *Shape {
	switch {
	case s.Keys != nil:
		return s.Keys
	case s.Open || len(s.Attrs) == 0 || !s.Observed && !observedPart(s):
		return StringShape
	}
	noun := "attribute"
	if s.Within != "" {
		noun = s.Name
	}
	members := make([]string, 0, len(s.Attrs))
	for name := range s.Attrs {
		members = append(members, name)
	}
	slices.Sort(members)
	return OneOf(&Words{Noun: noun, Members: members})
}

// observedPart reports whether an object, such as the root step, holds what the
// run gives.
func observedPart(s *Shape) bool {
	for _, a := range s.Attrs {
		if a != nil && a.Observed {
			return true
		}
	}
	return false
}
