package secrets

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// Shows that what stands in a file under the name of a credential is told of in every format, and that words,
// settings and what has another name are not.
func TestIn(t *testing.T) {
	for name, text := range map[string]string{
		"JSON":            `{"password": "%s", "db": {"host": "a.example"}}`,
		"JSON, nested":    `{"a": [{"b": {"api_key": "%s"}}]}`,
		"JSON in JSON":    `{"a": "{\"passwd\": \"%s\"}"}`,
		"YAML":            "user: a\npassword: %s\nlimit: 5\n",
		"YAML, quoted":    "db:\n  passwd: '%s'\n",
		"YAML, below":     "password:\n  old: %s\n",
		"TOML":            "x = 1\napi_key = \"%s\"\n",
		"INI":             "[db]\npassword = %s\n",
		"an environment":  "A=b\nSTRIPE_KEY=%s\n",
		"quoted":          "export PGPASSWORD='%s'\n",
		"an address":      "DATABASE_URL=postgres://app:%s@db.example/x\n",
		"YAML, address":   "database: postgres://app:%s@db.example/x\n",
		"CSV":             "name,password\nann,%s\n",
		"a source":        "client = Client(api_key=\"%s\")\n",
		"a private thing": "properties.client_secret=%s\n",
	} {
		const secret = "hunter-two-pw77"
		if got := In(fmt.Sprintf(text, secret), false); !slices.Contains(got, secret) {
			t.Errorf("%s: %q", name, got)
		}
		for _, word := range []string{"true", "default", "admin", "none", "5"} {
			if got := In(fmt.Sprintf(text, word), true); slices.Contains(got, word) {
				t.Errorf("%s: a word is a secret: %q", name, got)
			}
		}
	}
	if got := In("name: hunter-two-pw77\nlimit: 12345678\ncity = \"a-place-of-13-letters\"\n", true); got != nil {
		t.Errorf("without a name: %q", got)
	}
}

// Shows that a value of settings needs no digit and no quotes, and that in a source it may be a name.
func TestInOfSettings(t *testing.T) {
	const secret = "correct-horse-battery"
	for _, text := range []string{
		"password: %s\n", "db:\n  - passwd: %s # as ever\n", "export API_KEY=%s\n", "db.client_secret = %s\r\n", "api_key = '%s'\n", "\"passwd\": '%s'\n",
	} {
		if got := In(fmt.Sprintf(text, secret), true); !slices.Equal(got, []string{secret}) {
			t.Errorf("%q: %q", text, got)
		}
	}
	for _, text := range []string{"password = read_the_password_of(user)\n", "password = settings_of_the_password\n"} {
		if got := In(text, false); got != nil {
			t.Errorf("%q: %q", text, got)
		}
	}
	if got := In("password: ${DATABASE_PASSWORD}\nsecret: !vault production\nsecrets:\n  - a\n", true); got != nil {
		t.Errorf("no values: %q", got)
	}
}

// Shows that a file of any size is looked through in time that grows with it, and that no more is told of than is
// a use.
func TestInOfALargeFile(t *testing.T) {
	var b strings.Builder
	for i := 0; b.Len() < 256<<10; i++ {
		fmt.Fprintf(&b, "password_%d: hunter-two-%d\npassword: hunter-two-%dx\n", i, i, i)
	}
	began := time.Now()
	got := In(b.String(), true)
	if len(got) != Most {
		t.Errorf("%d are told of", len(got))
	}
	if took := time.Since(began); took > 10*time.Second {
		t.Errorf("it took %s", took)
	}
}

// Shows that a value of letters alone is known from so many on as the page says, in every form of settings.
func TestInOfWords(t *testing.T) {
	const letters = "mfghgahncjxijdgzqwvb"
	for _, form := range []string{"password: %s\n", "api_key: %s\n", "db: {password: %s}\n", "API_KEY=%s\n", "SECRET='%s'\n", "api_key = \"%s\"\n"} {
		for n := shortestWord - 2; n <= len(letters); n++ {
			got := In(fmt.Sprintf(form, letters[:n]), true)
			if slices.Contains(got, letters[:n]) != (n >= shortestWord) {
				t.Errorf("%d letters in %q: %q", n, form, got)
			}
		}
	}
}
