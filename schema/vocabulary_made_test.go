package schema

import (
	"slices"
	"strings"
	"testing"
)

// texts are all strings over an alphabet up to a length.
func texts(alphabet string, most int) []string {
	all, last := []string{""}, []string{""}
	for range most {
		var longer []string
		for _, t := range last {
			for _, c := range alphabet {
				longer = append(longer, t+string(c))
			}
		}
		all, last = append(all, longer...), longer
	}
	return all
}

func noMembers(string) []string { return nil }

// Shows that a joined list may be, and may contain, exactly what lists of up to six
// words make, for every text of up to five characters.
func TestJoinedListsAreWhatTheirWordsMake(t *testing.T) {
	words := []string{"ab", "bc"}
	var lists []string
	for last, n := []string{""}, 0; n < 6; n++ {
		var longer []string
		for _, l := range last {
			for _, w := range words {
				longer = append(longer, strings.TrimPrefix(l+","+w, ","))
			}
		}
		lists, last = append(lists, longer...), longer
	}
	s := Joined(TupleOf(OneOf(&Words{Noun: "word", Members: words})), Written(","))
	v, known := s.Vocabulary(noMembers)
	if !known || !v.Closed() {
		t.Fatalf("%+v is not known", v)
	}
	for _, text := range texts("abc,", 5) {
		if got, want := v.Has(text), slices.Contains(lists, text); got != want {
			t.Errorf("it may be %q: %t, want %t", text, got, want)
		}
		want := slices.ContainsFunc(lists, func(l string) bool { return strings.Contains(l, text) })
		if got := v.Contains(text); got != want {
			t.Errorf("it may contain %q: %t, want %t", text, got, want)
		}
	}
}

// Shows that a string of words and unknown parts may be exactly what some value
// of the unknown parts makes of it.
func TestUnknownPartsMayBeAnything(t *testing.T) {
	word := OneOf(&Words{Noun: "word", Members: []string{"a", "ba"}})
	for _, parts := range [][]*Shape{
		{word, StringShape}, {StringShape, word}, {word, Written("b"), NumberShape}, {StringShape, word, StringShape}, {word, StringShape, word}, {StringShape, Written("b"), word, StringShape, Written("a")},
	} {
		v, known := Computed(nil, parts...).Vocabulary(noMembers)
		if !known || !v.Closed() {
			t.Fatalf("%+v is not known", v)
		}
		made := []string{""}
		for _, p := range parts {
			var options []string
			if part, ok := p.Vocabulary(noMembers); ok {
				options = part.Texts
			} else {
				options = texts("ab", 4)
			}
			var longer []string
			for _, m := range made {
				for _, o := range options {
					if len(m+o) <= 4 {
						longer = append(longer, m+o)
					}
				}
			}
			made = longer
		}
		for _, text := range texts("ab", 4) {
			if got, want := v.Has(text), slices.Contains(made, text); got != want {
				t.Errorf("%d parts, it may be %q: %t, want %t", len(parts), text, got, want)
			}
		}
	}
	if _, known := Computed(nil, StringShape, Written("a")).Vocabulary(noMembers); known {
		t.Error("something is known of a string without a word")
	}
	if _, known := Computed(strings.ToUpper, Computed(nil, word, StringShape)).Vocabulary(noMembers); known {
		t.Error("something is known of a function of an unknown part")
	}
}
