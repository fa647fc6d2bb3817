package interp

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// What a sensitive variable holds, given or by default, is in no report and in
// no plan, also where JSON writes it in another way.
func TestSensitive(t *testing.T) {
	file, diags := dsl.Parse("test.scenario.hcl", []byte(testWorld+`
variable "key" { sensitive = true }
variable "word" {
  sensitive = true
  default   = "swordfish"
}
variable "longer" {
  sensitive = true
  default   = "swordfish and more"
}
locals { header = "Bearer ${var.key}" }
workflow "w" {
  provider = provider.api
  step "http" "get" {
    path    = "/"
    headers = { x = local.header }
    body    = "${var.word} ${var.longer}"
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    reply { body = "${var.key} ${var.word} ${var.longer}" }
  }
  expect "get" { body = "something else" }
  assert "it" {
    condition     = step.get.body == "another thing"
    error_message = "got ${step.get.body}"
  }
}`))
	mustBeValid(t, diags)
	const key = `a "quoted" key`
	suite, diags := Compile(file, Options{Vars: map[string]string{"key": key}})
	mustBeValid(t, diags)
	p := suite.Plans[0]
	r := Run(p, RunOptions{})
	if len(r.Problems) != 2 {
		t.Fatal(told(r))
	}
	for where, text := range map[string]string{"the report": told(r), "the plan": string(p.JSON())} {
		for _, secret := range []string{key, `a \"quoted\" key`, "swordfish", "and more"} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows %s:\n%s", where, secret, text)
			}
		}
		if !strings.Contains(text, "<REDACTED:sha256=") {
			t.Errorf("%s hides nothing:\n%s", where, text)
		}
	}
}
