package redact

import (
	"strings"
	"testing"
)

// Shows that what is cut out of a secret that was received is hidden in what expressions came to,
// and that words and numbers that it has as well stay.
func TestPieces(t *testing.T) {
	cases := []struct {
		secret, text string
		hidden       []string // nil where the text stays as it is
	}{
		{"Vq7x-tRz9kLm2-Wp5cHd8", `["Vq7x", "tRz9kLm2", "Wp5cHd8\n"]`, []string{"tRz9kLm2", "Wp5cHd8"}},
		{"Vq7x-tRz9kLm2-Wp5cHd8", `"Vq7x-tRz9kLm", want "login"`, []string{"Vq7x-tRz9kLm"}},
		{"Vq7x-tRz9kLm2-Wp5cHd8", `"TRZ9KLM2" and "trz9klm2"`, []string{"TRZ9KLM2", "trz9klm2"}},
		{"Vq7x-tRz9kLm2-Wp5cHd8", `"aWp5cHda"`, []string{"Wp5cHd"}},
		{"Vq7x-tRz9kLm2-Wp5cHd8", `["login", 200, "Wp5cH", "Lm2-"]`, nil},
		{"8f2e91c4-7b3d-4e6a-9c15-d0a7b4e8f326", `"d0a7b4e8f326"`, []string{"d0a7b4e8f326"}},
		{"8f2e91c4-7b3d-4e6a-9c15-d0a7b4e8f326", `"8f2e9-4e6a"`, nil},
		{"github_pat_11ABCdef2GHIjkl3MNOpqr", `endpoint.github.attempts has github_pat_ and "github_api"`, nil},
		{"github_pat_11ABCdef2GHIjkl3MNOpqr", `"ABCdef2GHI"`, []string{"ABCdef2GHI"}},
		{"9fk2mqxwztyvrw8bnc3hydqp6", `"mqxwzt"`, nil}, // of one case and not as mixed: it may be a word
		{"9fK2mQxwztyvrW8bNc3HyDQp6Xa1", `"xwztyvr"`, []string{"xwztyvr"}},
		{"k48392017z5tR9wQ", `48392017 of 392017`, []string{"48392017"}},
		{"MyPassword12", `"password" of Password and my password`, nil},
		{"test-password", `"test-pass", the password of a test`, nil},
		{"hunter2-password-of-test", `"hunter2", "password-of", "hunter"`, []string{"hunter2"}},
		{"ann@example.com", `"https://shop.example.com/ann"`, nil},
		{"correct horse battery staple of it", `"correct horse" and battery`, nil},
		{"a1b2c3d", `"a1b2c3"`, nil}, // is too short
	}
	for _, c := range cases {
		h := NewReceived()
		r := (*Redactor)(nil).Receiving(h)
		if got := r.Pieces(c.text); got != c.text {
			t.Errorf("nothing was received, and %s is shown as %s", c.text, got)
		}
		h.Receive([]string{c.secret})
		got := r.Pieces(c.text)
		if len(c.hidden) == 0 && got != c.text {
			t.Errorf("%s is shown as %s for %s", c.text, got, c.secret)
		}
		for _, piece := range c.hidden {
			if strings.Contains(got, piece) || !strings.Contains(got, Placeholder(c.secret)) {
				t.Errorf("%s is shown as %s for %s, with %s", c.text, got, c.secret, piece)
			}
		}
		if again := r.Pieces(got); again != got {
			t.Errorf("%s is shown as %s when it is hidden once more", got, again)
		}
	}
}

// Shows that what is kept is known by its pieces, too, and that a redactor which listens to nothing
// has none.
func TestPiecesOfKept(t *testing.T) {
	const text = `"tRz9kLm2"`
	h := NewReceived()
	r := New([]string{"another-secret"}).Receiving(h)
	h.Receive([]string{"Zk7-qTx9mRb2N"})
	if got := r.Pieces(text); got != text {
		t.Errorf("%s", got)
	}
	h.Keep([]string{"Vq7x-tRz9kLm2"})
	if got := r.Pieces(text); got == text {
		t.Errorf("%s is shown", got)
	}
	for _, r := range []*Redactor{nil, New([]string{"Vq7x-tRz9kLm2"})} {
		if got := r.Pieces(text); got != text {
			t.Errorf("%s", got)
		}
	}
}
