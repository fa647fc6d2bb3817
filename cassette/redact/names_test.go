package redact

import "testing"

// A name says by itself that its value is a secret, or says so of values that
// look like one, and of no other.
func TestNames(t *testing.T) {
	random := "q8Zr2LmN5vTx9KpW3sYd"
	for _, c := range []struct {
		name, value string
		secret      bool
	}{
		{"passphrase", "a", true},
		{"db_password", "hunter", true},
		{"AWS_SECRET_ACCESS_KEY", "x", true},
		{"clientSecret", "x", true},
		{"connection_string", "Server=a", true},
		{"csrf_token", "x", true},
		{"Cookie", "a=b", true},
		{"pwd", "x", true},
		{"credentials", "x", true},
		{"token", random, true},
		{"bot_token", random, true},
		{"sessionToken", "x", true},
		{"hook-key", random, true},
		{"sig", "9f86d081884c7d659a2feaa0c55ad015", true},
		{"otp", "493021", true},
		{"user_pin", "4930", true},
		{"sharedSecret", "x", true},

		{"token", " understanding", false},
		{"token", "responsibilities", false},
		{"next_page_token", random, false},
		{"max_tokens", "4096", false},
		{"prompt_cache_key", random, false},
		{"Idempotency-Key", random, false},
		{"primary_key", random, false},
		{"key", random, false},
		{"trace_key", "550e8400-e29b-41d4-a716-446655440000", false},
		{"sort_by_key", "created_at_descending", false},
		{"signature", "EqoDCkYICxgCKkBbUa2TxSz9pQkxOwba97FSWFK2" + random + random + random + random + random, false},
		{"thoughtSignature", random, false},
		{"pin", "13", false},
		{"spin", "1234", false},
		{"laptop", "1234", false},
		{"monkey", "bananas", false},
		{"author", "Jane Doe", false},
	} {
		if got := IsSecretMember(c.name, c.value); got != c.secret {
			t.Errorf("%s = %q: secret %v, want %v", c.name, c.value, got, c.secret)
		}
		text := `{"a":[{"` + c.name + `": "` + c.value + `"}]}`
		if shown := (*Redactor)(nil).Text(text); (shown != text) != c.secret {
			t.Errorf("%s is shown as %s", text, shown)
		}
	}
}

// The quick look at the end of a name leaves none of the names out.
func TestEveryNameIsLookedUp(t *testing.T) {
	for _, n := range secretNames {
		if kindOf(n) != credential {
			t.Errorf("%s is no credential", n)
		}
	}
	for _, n := range secretEnds {
		if kindOf("some_"+n) != credential {
			t.Errorf("some_%s is no credential", n)
		}
	}
}
