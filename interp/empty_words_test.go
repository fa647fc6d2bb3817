package interp

import (
	"fmt"
	"testing"
)

// Shows that what is null in this file, as nothing is declared that it could name, may be compared with what
// may be null: two events are alike where both belong to no call.
func TestWithoutAWordItMayBeAlike(t *testing.T) {
	const source = `provider "http" "a" { base_url = "http://a" }
workflow "w" {
  provider = provider.a
  step "http" "x" { url = "/x" }
}
scenario "s" {
  run = workflow.w
  on "x" {
    reply {}
  }
  assert "x" { condition = %s }
}
`
	for _, condition := range []string{
		`[for a in events({ type = "run_start" }) : 1 if a == events({ type = "run_start" })[0]] == [1]`,
		`[for a in events({ type = "run_start" }) : 1 if a.call == a.actor] == [1]`,
		`[for a in events({ type = "run_start" }) : 1 if a.call == a.step] == [1]`,
	} {
		if _, diags := tryCompile("a.scenario.hcl", fmt.Sprintf(source, condition)); diags.HasErrors() {
			t.Errorf("%s: %s", condition, diags)
		}
	}
}
