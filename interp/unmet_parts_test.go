package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a limit on what a filter chose is marked where it chose nothing, and that a part of a
// condition that is about an empty list is told of unless another part reads that list.
func TestPartsThatNothingMeets(t *testing.T) {
	const source = `provider "http" "crm" { base_url = "https://crm.example" }
workflow "w" {
  provider = provider.crm
  step "http" "list" { path = "/list" }
}
scenario "s" {
  run = workflow.w
  on "list" {
    reply { json = { rows = [{ n = 1 }], none = [] } }
  }
  assert "x" { condition = %s }
  assert "y" { condition = length(step.list.attempts) == 1 }
}
`
	const rows, none = "step.list.json.rows", "step.list.json.none"
	for condition, told := range map[string]string{
		`length([for r in ` + rows + ` : r if r.n > 5]) <= 1`:                        "the filter chose nothing",
		`2 > length([for r in ` + rows + ` : r if r.n > 5])`:                         "the filter chose nothing",
		`length([for r in ` + rows + ` : r if r.n > 5]) == 0`:                        "",
		`length([for r in ` + rows + ` : r if r.n > 5]) <= 0`:                        "",
		`length([for r in ` + rows + ` : r if r.n > 5]) < 1`:                         "",
		`length([for r in ` + rows + ` : r if r.n >= 1]) <= 1`:                       "",
		`length(` + rows + `) == 1 && alltrue([for r in ` + none + ` : r.n > 0])`:    "a part of it holds of 0 of 0",
		`step.list.status_code == 200 && alltrue([for r in ` + none + ` : r.n > 0])`: "a part of it holds of 0 of 0",
		`length(` + rows + `) == 1 && alltrue([for r in ` + rows + ` : r.n > 0])`:    "",
		`length(` + none + `) == 0 && alltrue([for r in ` + none + ` : r.n > 0])`:    "",
		`length(` + rows + `) == 1 && [for r in ` + rows + ` : r if r.n > 5] == []`:  "",
	} {
		r := play(t, fmt.Sprintf(source, condition))
		var said string
		for _, p := range r.Relaxed {
			said += p.Message
		}
		if (said == "") != (told == "") || !strings.Contains(said, told) || r.Verdict != Pass {
			t.Errorf("%s: %s, told %q and not %q", condition, r.Verdict, said, told)
		}
	}
}
