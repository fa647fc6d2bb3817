package redact

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
	"unicode/utf16"
)

// Shows that a secret is found whichever of its characters a writer escapes, and how: by
// percent signs with digits in either case, by the escapes of JSON, by those of two
// digits, by references of HTML, and by one of them within another. The ways are drawn
// for each character, so that no list of forms has them.
func TestSecretsWithAnyEscapes(t *testing.T) {
	secrets := []string{`canary-Zq7xWv9pLmT3/e+nd="x`, `wJalrXUtnFEMI/K7MDENG+bPxRfiCY==`, `pä$$w&rd<'%>/\q`, "two words 🔑 and more"}
	rng := rand.New(rand.NewPCG(1, 2))
	for _, secret := range secrets {
		r := New([]string{secret})
		for range 2000 {
			text := secret
			for range 1 + rng.IntN(3) {
				text = escapedAnyhow(rng, text)
			}
			in := "before " + text + " after"
			if out := r.Values(in); out != "before "+Placeholder(secret)+" after" {
				t.Fatalf("%q is shown as %q", in, out)
			}
			if !r.Finds(in) {
				t.Fatalf("%q passes the check of what is written", in)
			}
		}
	}
}

// escapedAnyhow escapes some characters of a text in one style, and those that the style
// has to. Nobody escapes letters and digits.
func escapedAnyhow(rng *rand.Rand, s string) string {
	style, often := rng.IntN(3), rng.IntN(4)
	var b strings.Builder
	for _, c := range s {
		drawn := rng.IntN(4) < often && !unicode.IsLetter(c) && !unicode.IsDigit(c)
		switch {
		case style == 0 && (c == '%' || drawn):
			for _, x := range []byte(string(c)) {
				fmt.Fprintf(&b, []string{"%%%02x", "%%%02X"}[rng.IntN(2)], x)
			}
		case style == 1 && (c == '\\' || drawn):
			for _, u := range utf16.Encode([]rune{c}) {
				fmt.Fprintf(&b, []string{`\u%04x`, `\u%04X`}[rng.IntN(2)], u)
			}
		case style == 2 && (c == '&' || drawn):
			fmt.Fprintf(&b, []string{"&#%d;", "&#x%x;", "&#x%X;"}[rng.IntN(3)], c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// Shows that a text in which nothing is hidden stays as it is, whatever its escapes.
func TestEscapesOfNoSecret(t *testing.T) {
	r := New([]string{"canary-Zq7xWv9pLmT3"})
	for _, text := range []string{`100 %`, `%zz%4`, `\u12`, `\ud83d`, `a\`, `&amp;&nothing;&#x;`, `{"a":"b\nc"}`, `%2Fcanary%2DZq7x`} {
		if got := r.Values(text); got != text {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
