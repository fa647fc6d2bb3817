package interp

import (
	"fmt"
	"testing"
)

// Shows that what data says is looked for counts for nothing where the data is empty:
// an empty cell of a table is in every string, and so is what an empty pattern matches.
func TestWhatDataLooksFor(t *testing.T) {
	const source = `
variable "empty" { default = "" }
variable "all" { default = ".*" }
variable "city" { default = "Bern" }
provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  step "http" "a" { path = "/a" }
}
scenario "s" {
  run      = workflow.w
  for_each = { row = { city = "%s", want = %s } }
  on "a" {
    reply { json = { text = "Bern is a city", tags = ["x"] } }
  }
  %s
}
`
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" { condition = %s }", condition) }
	text := "step.a.json.text"
	for _, c := range []struct {
		cell, want, check string
		shows             bool
	}{
		{"", "{}", assert("strcontains(" + text + ", each.value.city)"), false},
		{"Bern", "{}", assert("strcontains(" + text + ", each.value.city)"), true},
		{"", "{}", assert("startswith(" + text + ", each.value.city)"), false},
		{"", "{}", assert("endswith(" + text + ", each.value.city)"), false},
		{"", "{}", assert("regexmatch(each.value.city, " + text + ")"), false},
		{"", "{}", assert("regexmatch(\"${each.value.city}.*\", " + text + ")"), false},
		{"Bern", "{}", assert("regexmatch(\"${each.value.city}.*\", " + text + ")"), true},
		{"", "{}", assert("regexmatch(var.all, " + text + ")"), false},
		{"", "{}", assert("strcontains(" + text + ", var.empty)"), false},
		{"", "{}", assert("strcontains(" + text + ", lower(var.empty))"), false},
		{"", "{}", assert("strcontains(" + text + ", var.city)"), true},
		{"", "{}", assert("strcontains(" + text + ", var.city) && strcontains(" + text + ", each.value.city)"), true},
		{"", "{}", assert("length(regexall(each.value.city, " + text + ")) > 0"), false},
		{"Bern", "{}", assert("length(regexall(each.value.city, " + text + ")) > 0"), true},
		{"", "{}", assert("!word(" + text + ", each.value.city)"), false},
		{"Rome", "{}", assert("!word(" + text + ", each.value.city)"), true},
		{"", "{}", assert("!word(" + text + ", each.value.city, \"Rome\")"), true},
		{"", "{}", assert("alltrue([for c in split(\",\", each.value.city) : strcontains(" + text + ", c)])"), false},
		{"Bern,city", "{}", assert("alltrue([for c in split(\",\", each.value.city) : strcontains(" + text + ", c)])"), true},
		{"", "{}", assert("!strcontains(" + text + ", \"Rome\")"), true},
		{"", "{}", `expect "a" { json = each.value.want }`, false},
		{"", `{ text = "Bern is a city" }`, `expect "a" { json = each.value.want }`, true},
		{"", "{}", "expect \"a\" {\n json = each.value.want\n status_code = 200\n }", true},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.cell, c.want, c.check))[0], RunOptions{})
		if (len(r.Relaxed) == 0) != c.shows || (r.Verdict == Pass) != c.shows {
			t.Errorf("%q %s: %s: that it shows something is %v; %s: %s: %+v", c.cell, c.want, c.check, c.shows, r.Verdict, told(r), r.Relaxed)
		}
	}
}
