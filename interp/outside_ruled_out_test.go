package interp

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
)

// Shows that a check is told of which rules out a model with != where the program asked one that begins
// so, unless the scenario names that, the check rules it out itself, or the name is another one.
func TestValuesThatBeginWithWhatIsRuledOut(t *testing.T) {
	const source = `provider "openai" "llm" { base_url = "https://llm.test/v1" }
scenario "s" {
  sut {
    command = ["agent"]
    env     = { MODEL = %q }
  }
  on "llm" {
    reply { content = "Rayleigh." }
  }
  assert "x" { condition = %s }
}
`
	const each = `alltrue([for a in endpoint.llm.attempts : a.request.json.model != "gpt-4"])`
	for _, c := range []struct {
		condition, env, model string
		told                  bool
	}{
		{each, "", "gpt-4-turbo", true},
		{each, "", "gpt-4-0613", true},
		{`endpoint.llm.attempts[0].request.json.model != "gpt-4"`, "", "gpt-4-turbo", true},
		{`"gpt-4" != endpoint.llm.attempts[0].request.json.model`, "", "gpt-4-turbo", true},
		{`length([for a in endpoint.llm.attempts : a if a.request.json.model != "gpt-4"]) == 1`, "", "gpt-4-turbo", true},
		{`!startswith(endpoint.llm.attempts[0].request.headers["content-type"], "text") && endpoint.llm.attempts[0].request.headers["content-type"] != "application/json"`, "", "o1", true},
		{each, "", "gpt-4o-mini", false},
		{each, "", "gpt-4.1-mini", false},
		{each, "", "gpt-3.5-turbo", false},
		{each, "gpt-4-turbo", "gpt-4-turbo", false},
		{each + ` && endpoint.llm.attempts[0].request.json.model == "gpt-4-turbo"`, "", "gpt-4-turbo", false},
		{`endpoint.llm.attempts[0].request.json.model != "gpt-4" || length(endpoint.llm.attempts) == 1`, "", "gpt-4-turbo", false},
		{`endpoint.llm.attempts[0].request.json.model == "gpt-4-turbo"`, "", "gpt-4-turbo", false},
	} {
		synctest.Test(t, func(t *testing.T) {
			d := drivenBy(t, fmt.Sprintf(source, c.env, c.condition))
			if _, err := d.run.Start(Addresses{}); err != nil {
				t.Fatal(err)
			}
			d.asks("https://llm.test/v1/chat/completions", strings.Replace(chatOf("why"), `"m"`, fmt.Sprintf("%q", c.model), 1), "Content-Type", "application/json; charset=utf-8").End(false)
			if r, _ := d.run.Finish("success"); r.Verdict != Pass {
				t.Errorf("%s: %s", c.condition, told(r))
			}
			if said := d.run.RuledOut(); strings.Contains(said, "which begins with that") != c.told || !c.told && said != "" {
				t.Errorf("%s of %q: %q, want one: %v", c.condition, c.model, said, c.told)
			}
		})
	}
}
