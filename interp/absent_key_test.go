package interp

import (
	"fmt"
	"testing"
)

// Shows that a program which has no key of a form has nothing to keep to itself, however
// the file looks for it, and that one which was given such a key has.
func TestKeysThatAProgramNeverHad(t *testing.T) {
	const source = `provider "openai" "llm" {}
scenario "s" {
  sut {
    command = ["agent"]
    %s
  }
  on "llm" {
    reply { content = %q }
  }
  assert "x" { condition = %s }
}
`
	const env = `env = { OPENAI_API_KEY = "sk-test" }`
	for _, c := range []struct {
		env, content, condition string
		shows                   bool
	}{
		{"", "hi", `!strcontains(sut.stderr, "sk-")`, false},
		{"", "hi", `!strcontains(lower(sut.stderr), "sk-proj-")`, false},
		{"", "hi", `!regexmatch("sk-[A-Za-z0-9]+", sut.stderr)`, false},
		{"", "hi", `!regexmatch("\\bghp_", "${sut.stdout}${sut.stderr}")`, false},
		{"", "hi", `length(regexall("sk-", sut.stderr)) == 0`, false},
		{"", "hi", `!strcontains(sut.stderr, "AIza") && !strcontains(sut.stderr, "sk-")`, false},
		{"", "hi", `!strcontains(sut.stderr, "sk-") && length(endpoint.llm.attempts) == 1`, true},
		{"", "hi", `!strcontains(sut.stderr, "Traceback")`, true},
		{"", "hi", `!strcontains(sut.stderr, "scenario")`, true},
		{"", "your key sk-live", `!strcontains(sut.stderr, "sk-")`, true},
		{env, "hi", `!strcontains(sut.stderr, "sk-")`, true},
		{env, "hi", `!regexmatch("sk-[A-Za-z0-9]+", sut.stderr)`, true},
		{env, "hi", `!strcontains(sut.stderr, "ghp_")`, false},
	} {
		r := answeredBy(t, fmt.Sprintf(source, c.env, c.content, c.condition), chatOf("why?"))
		if (countIdle(r) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%s (%s, %s): that it shows something is %v; %s: %s %+v", c.condition, c.env, c.content, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
