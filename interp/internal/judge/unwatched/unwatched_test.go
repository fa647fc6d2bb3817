package unwatched

import (
	"encoding/json"
	"strings"
	"testing"
)

// Shows that a value can be put into every spot of a text of JSON, which is JSON then and has it.
func TestSpots(t *testing.T) {
	v := value{key: "e\"mail", parent: "ä", text: "a\"b\\ü\n"}
	for _, text := range []string{`{}`, `{"a":{"b":"x"},"l":["1",{"c":"\u00fc\""}]}`, "[ {\n \"a\" : \"\" } ]", `"x"`} {
		list := spots(text)
		if len(list) == 0 {
			t.Errorf("%s has no spot", text)
		}
		for _, s := range list {
			put := []string{v.quoted()}
			if s.object {
				put = v.members()
			}
			for _, p := range put {
				if s.object && !s.empty {
					p += ","
				}
				var got any
				now := text[:s.at] + p + text[s.at:]
				if err := json.Unmarshal([]byte(now), &got); err != nil {
					t.Errorf("%s at %s: %v", now, s.path, err)
				}
			}
		}
	}
	for _, text := range []string{"", "a=1", "{", `{"a":1} x`, strings.Repeat("[", deepest+2) + strings.Repeat("]", deepest+2)} {
		if list := spots(text); list != nil {
			t.Errorf("%q has spots %v", text, list)
		}
	}
}

// Shows which parts of a title say that something is not told.
func TestTitles(t *testing.T) {
	for _, c := range [][2]string{
		{"a profile has the id, and neither email nor password", "and neither email nor password"},
		{"the warehouse isn't told the card[visa]", "the warehouse isn t told the card"},
		{"it hides the card", "it hides the card"},
		{"the card is sent: to nobody but the bank", "to nobody"},
		{"the card is told to the bank", ""},
		{"no order is paid twice", ""},
	} {
		if _, not := titleOf(c[0]); strings.Join(not, " ") != c[1] {
			t.Errorf("%s: %q, want %q", c[0], strings.Join(not, " "), c[1])
		}
	}
}

// Shows which words are one in two forms.
func TestForms(t *testing.T) {
	for words, want := range map[[2]string]bool{
		{"notes", "noted"}: true, {"note", "noted"}: true, {"remark", "remarks"}: true, {"email", "email"}: true, {"addresses", "address"}: true,
		{"card", "care"}: false, {"id", "ids"}: false, {"sent", "sending"}: false,
	} {
		if isAlike(words[0], words[1]) != want || isAlike(words[1], words[0]) != want {
			t.Errorf("%v: want %v", words, want)
		}
	}
}
