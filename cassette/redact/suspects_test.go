package redact

import (
	"strings"
	"testing"
)

// What nobody thought of is worth a look, unless it is known what it is.
func TestSuspects(t *testing.T) {
	random := "q8Zr2LmN5vTx9KpW3sYdB7hJ"
	for text, want := range map[string]int{
		`{"handle": "` + random + `"}`:                1,
		"the word is " + random + ".":                 1,
		"a\nb\nword: " + random + "\nagain " + random: 1,
		`{"id": "chatcmpl-` + random + `"}`:           0,
		`{"request_id": "` + random + `"}`:            0,
		`{"encrypted_content":"` + random + `"}`:      0,
		"a: !!binary |\n  " + strings.Repeat("q8Zr2LmN5vTx9KpW", 4) + "\n  " + random + "==\nb: 1": 0,
		"https://a.example/b/" + random:                            0,
		Placeholder(random):                                        0,
		"550e8400-e29b-41d4-a716-446655440000":                     0,
		"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15": 0,
		"someVeryLongIdentifierOfAProgramThatIsThoughtOf":          0,
		"AN_ENVIRONMENT_VARIABLE_WITH_2_DIGITS_3":                  0,
	} {
		found := Suspects(text)
		if len(found) != want {
			t.Errorf("%s: %v", text, found)
		}
		if want == 1 && (found[0].Mark != Placeholder(random) || found[0].Rule != "high-entropy") {
			t.Errorf("%s: %+v", text, found[0])
		}
	}
	if found := Suspects("a\nb\nword: " + random + "\n"); len(found) != 1 || found[0].Line != 3 {
		t.Errorf("%+v", found)
	}
}
