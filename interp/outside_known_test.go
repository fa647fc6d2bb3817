package interp

import (
	"strings"
	"testing"
)

// Shows that a program which sends on what an answer gave is told of where it has all of that in its own files, and
// not where the answer gives something else, or the program has a part of it in a longer word.
func TestAnswersThatTheProgramKnows(t *testing.T) {
	const source = `provider "http" "flags" { base_url = "https://flags.test" }
provider "openai" "llm" { base_url = "https://llm.test" }
scenario "s" {
  sut { command = ["agent"] }
  on "flags" {
    reply { json = { model = "gpt-4o-mini", max_tokens = 512 } }
  }
  on "llm" {
    reply { content = "hi" }
  }
  assert "as the flags say" { condition = endpoint.llm.attempts[0].request.json.model == "gpt-4o-mini" }
}
`
	asks := func(body string) []demand {
		return []demand{{method: "GET", url: "https://flags.test/a"}, {method: "POST", url: "https://llm.test/chat/completions", body: body}}
	}
	const sent = `{"model": "gpt-4o-mini", "max_tokens": 512, "messages": [{"role": "user", "content": "hi"}]}`
	for _, c := range []struct {
		what, file, body string
		told             bool
	}{
		{"its defaults", `conf = {"model": "gpt-4o-mini", "max_tokens": 512}`, sent, true},
		{"another default", `conf = {"model": "gpt-4o", "max_tokens": 512}`, sent, false},
		{"a longer word", `conf = {"model": "gpt-4o-mini", "max_tokens": 51200}`, sent, false},
		{"one value is sent on", `conf = {"model": "gpt-4o-mini"}`, `{"model": "gpt-4o-mini", "messages": []}`, true},
		{"no file has it", ``, sent, false},
	} {
		said := ""
		saidAtEnd(t, source, func(o *Outside) string {
			for _, trial := range o.Trials([]string{"agent"}, func() Files { return Files{Sources: []string{c.file}, Whole: true} }) {
				said += trial.Why
			}
			return ""
		}, asks(c.body)...)
		if told := strings.Contains(said, "has all of that in its own files"); told != c.told {
			t.Errorf("%s: told %t: %q", c.what, told, said)
		}
	}
}
