package interp

import (
	"fmt"
	"testing"
)

// The content of a model's step is null where no answer came: the service refused,
// with a status or inside of a 200, or was not there. An answer of nothing is "",
// and so is a default of "" where there is nothing else.
func TestContentOfNoAnswer(t *testing.T) {
	for _, vendor := range []string{"openai", "anthropic", "gemini", "ollama", "cohere"} {
		for entry, want := range map[string]string{
			`fault "http_error" { status_code = 400 }`: "null",
			`fault "error_in_200" {}`:                  "null",
			`fault "connection_refused" {}`:            "null",
			`reply { content = "" }`:                   `""`,
		} {
			for _, stream := range []bool{false, true} {
				t.Run(fmt.Sprint(vendor, " ", entry, " ", stream), func(t *testing.T) {
					mustPass(t, fmt.Sprintf(`
provider %q "m" { model = "m" }
variable "none" {
  type    = string
  default = ""
}
workflow "w" {
  step "llm" "a" {
    provider = provider.m
    prompt   = "hi"
    stream   = %t
    required = false
  }
  step "value" "text" { value = coalesce(var.none, "") }
}
scenario "s" {
  run = workflow.w
  on "a" {
    %s
  }
  assert "what came" { condition = step.a.content == %s }
  assert "nothing is a string" { condition = step.text.output == "" }
}`, vendor, stream, entry, want))
				})
			}
		}
	}
}
