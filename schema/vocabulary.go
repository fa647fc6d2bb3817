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
}

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
}

// Closed reports whether the run decides which of the texts it is.
func (v Vocabulary) Closed() bool { return len(v.Of) > 0 }

// Has reports whether the string may be a text.
func (v Vocabulary) Has(text string) bool {
	return slices.Contains(v.Texts, text) || slices.ContainsFunc(v.Of, func(w *Words) bool { return w.Free != nil && w.Free(text) })
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
	}
	return v, true
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
	v.Texts = []string{""}
	for _, p := range m.Parts {
		part, ok := p.Vocabulary(members)
		if !ok || len(v.Texts)*len(part.Texts) > maxMade {
			return v, false
		}
		longer := make([]string, 0, len(v.Texts)*len(part.Texts))
		for _, a := range v.Texts {
			for _, b := range part.Texts {
				longer = append(longer, a+b)
			}
		}
		v.Texts = longer
		for _, w := range part.Of {
			if w.Free != nil {
				return v, false // what is made of the others cannot be listed
			}
			v.Of = append(v.Of, w)
		}
	}
	if m.Map != nil {
		for i, t := range v.Texts {
			v.Texts[i] = m.Map(t)
		}
	}
	return v, true
}

// limited reports whether anything is known of what a string may be.
func (s *Shape) limited() bool {
	return len(s.Texts) > 0 || len(s.Words) > 0 || len(s.Made) > 0
}

// Computed is the shape of a string that is computed of others, [StringShape]
// where nothing is known of one of them.
func Computed(apply func(string) string, parts ...*Shape) *Shape {
	s := &Shape{Kind: ShapeString, Made: []Made{{parts, apply}}}
	for _, p := range parts {
		if !p.limited() {
			return StringShape
		}
		s.Observed = s.Observed || p.Observed
	}
	return s
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
