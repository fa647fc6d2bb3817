package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// However a text is cut into pieces, what comes out is the same, and no secret is
// in it: neither one that was declared, of one line or of several, nor a token, nor
// what stands under a name.
func TestWriterWhateverThePieces(t *testing.T) {
	several := "-----BEGIN THING-----\nq8Zr2LmN5vTx9KpW\nshort\n3sYdB7hJ4cFg6nRt\n-----END THING-----"
	key := "-----BEGIN PRIVATE KEY-----\n" + strings.Repeat("MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQ\n", 8) + "-----END PRIVATE KEY-----"
	token := "ghp_" + "aZ09bYcX18dW27eV36fU45gT54hS63iR72jQ"
	secrets := []string{"hunter2-of-mine", several, "q8Zr2LmN5vTx9KpW", "3sYdB7hJ4cFg6nRt", token, "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcw", "fresh-under-a-name"}
	r := New([]string{"hunter2-of-mine", several}).Recording()
	draw := rand.New(rand.NewPCG(5, 6))
	parts := []string{
		"a line\n", "pass  a.scenario.hcl  \r\n", "hunter2-of-mine", several, "said: " + token + ".", key, `{"api_key":` + "\n" + `  "fresh-under-a-name"}`,
		"\n", "\n\n", "a half of -----BEGIN THING-----\n", "the end:\n", strings.Repeat("long ", 9000), strings.Repeat("x", 70_000) + "\n",
	}
	for range 60 {
		var text strings.Builder
		for range 2 + draw.IntN(12) {
			text.WriteString(parts[draw.IntN(len(parts))])
			if draw.IntN(2) == 0 {
				text.WriteString(" and ")
			}
		}
		whole := writtenIn(t, r, []string{text.String()})
		for _, s := range secrets {
			if strings.Contains(whole, s) {
				t.Fatalf("%q stands in what was written of %.300q", s, text.String())
			}
		}
		for range 5 {
			var pieces []string
			for rest := text.String(); rest != ""; {
				n := min(len(rest), 1+draw.IntN(1+draw.IntN(5000)))
				pieces, rest = append(pieces, rest[:n]), rest[n:]
			}
			if got := writtenIn(t, r, pieces); got != whole {
				t.Fatalf("in %d pieces %.300q becomes %.300q and not %.300q", len(pieces), text.String(), got, whole)
			}
		}
	}
}

// A line that is too long to be held back is cut, and never within a secret.
func TestWriterCutsLongLines(t *testing.T) {
	for _, secret := range []string{"hunter2-of-mine", "correct horse battery staple", strings.Repeat("a phrase ", aheadMax/10)} {
		for _, cut := range []int{heldMax, heldMax - aheadMax} {
			for before := cut - min(len(secret), 40) - 1; before <= cut; before++ {
				text := strings.Repeat("a ", before/2) + strings.Repeat("b", before%2) + secret + strings.Repeat(" c", heldMax)
				if got := writtenIn(t, New([]string{secret}), []string{text}); got != strings.Replace(text, secret, Placeholder(secret), 1) {
					t.Fatalf("behind %d bytes the secret is written as %.100q", before, got[before-50:])
				}
			}
		}
	}
}

// Nor is it cut between the name of a secret and its value, or within that, in whatever form the two
// stand together: wherever the long line has them, it is shown as a short one is.
func TestWriterCutsNoNameOff(t *testing.T) {
	const value = "Gs6zAw1vHd38KqTy"
	for _, c := range carriers {
		text := strings.NewReplacer("‹n›", "password", "‹v›", value).Replace(c.text)
		if c.shown != "" || strings.Contains(text, "\n") {
			continue
		}
		want := (*Redactor)(nil).Text(", " + text + " ,")
		for _, cut := range []int{heldMax, heldMax - aheadMax} {
			for n := 0; n <= len(text)+2; n += 1 + len(text)/6 {
				got := writtenIn(t, nil, []string{strings.Repeat("a, ", cut/3-n/3)[n%3:] + text + strings.Repeat(" ,c", aheadMax)})
				if !strings.Contains(got, want) {
					at := max(0, cut-len(text)-20)
					t.Fatalf("%s: cut behind %d bytes of it, it is written as %.300q", c.name, n, got[at:])
				}
			}
		}
	}
}

// A line is handed on as soon as it has ended, unless a secret may go on in the
// next.
func TestWriterHoldsBackNoMore(t *testing.T) {
	var out strings.Builder
	w := New([]string{"first half\nsecond half"}).Writer(&out)
	for _, step := range []struct{ in, out string }{
		{"pass  a", ""},
		{"bc\n", "pass  abc\n"},
		{"first half\n", "pass  abc\n"},
		{"other\n", "pass  abc\n" + Placeholder("first half") + "\nother\n"},
		{"api_key:\n", "pass  abc\n" + Placeholder("first half") + "\nother\n"},
	} {
		if _, err := w.Write([]byte(step.in)); err != nil || out.String() != step.out {
			t.Fatalf("after %q: %q, %v, want %q", step.in, out.String(), err, step.out)
		}
	}
	if err := w.Close(); err != nil || !strings.HasSuffix(out.String(), "api_key:\n") {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func writtenIn(t *testing.T, r *Redactor, pieces []string) string {
	t.Helper()
	var out strings.Builder
	w := r.Writer(&out)
	for _, p := range pieces {
		if n, err := w.Write([]byte(p)); err != nil || n != len(p) {
			t.Fatal(n, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// Shows that it does not matter either where a text is cut that is longer than what is held back, with lines behind
// which a secret goes on at many places, among them where it is cut.
func TestWriterOfMuch(t *testing.T) {
	const part = "user,password\nann,Gs6zAw1vHd38KqTy\n\nlevel=info path=/orders\npassword:\n  Gs6zAw1vHd38KqTy\n{\"password\": {\n\"old\": \"Gs6zAw1vHd38KqTy\"}}\n"
	text := strings.Repeat(part, 3*heldMax/len(part))
	want := ""
	for _, size := range []int{100, 1, heldMax - 1, heldMax, heldMax + 1, len(text)} {
		var pieces []string
		for rest := text; rest != ""; {
			n := min(len(rest), size)
			pieces, rest = append(pieces, rest[:n]), rest[n:]
		}
		got := writtenIn(t, nil, pieces)
		if strings.Contains(got, "Gs6zAw1vHd38KqTy") {
			t.Errorf("in pieces of %d: a secret is left", size)
		}
		if want == "" {
			want = got
		} else if got != want {
			t.Errorf("in pieces of %d it is another text than in pieces of 100", size)
		}
	}
}
