package redact_test

import (
	"testing"

	"github.com/scenario-lang/scenario/cassette/redact"
)

// Shows what docs/security.md says is kept: the rules know names and forms, and read no
// sentences.
func TestProseIsKept(t *testing.T) {
	r := redact.New(nil)
	for _, text := range []string{
		"my password is hunter2", "use the PIN 4711", "the code is 493021",
		"passphrase: correct horse battery staple", "password: swordfish",
		"api key: Xk39fjs83kdo3ls", "token is Xk39fjs83kdo3ls",
		"log in as bob with hunter2", "bob / hunter2",
		"the key to the vault is kJ8-2mQ-9xZ",
		"4111 1111 1111 1111", "078-05-1120", "DE89 3704 0044 0532 0130 00", "+49 151 23456789", "bob@example.com",
	} {
		if got := r.Text(text); got != text {
			t.Errorf("%q is hidden as %q: take it out of the table in docs/security.md", text, got)
		}
	}
	for _, text := range []string{"password: sword1fish", "secret: Xk39fjs83", "postgres://bob:hunter2@db/prod"} {
		if r.Text(text) == text {
			t.Errorf("%q is kept, which docs/security.md does not say", text)
		}
	}
}
