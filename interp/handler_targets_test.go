package interp

import (
	"strings"
	"testing"
)

// What the workflow of a handler calls can be read like any other target, by a
// scenario that reaches the handler and by the invariants of the file.
func TestTargetsOfHandlers(t *testing.T) {
	const file = `
provider "http" "mail" { base_url = "https://mail.example" }
workflow "send" {
  provider = provider.mail
  step "http" "post" { path = "/send" }
}
actor "butler" {
  handler "send" { workflow = workflow.send }
}
invariant "at most one mail" { condition = length(target.mail.attempts) <= LIMIT }
scenario "s" {
  call "send" { target = actor.butler.send }
  on "actor.butler.send.post" {
    reply { status_code = 200 }
  }
  assert "one mail" { condition = length(target.mail.attempts) == 1 }
}
`
	for limit, want := range map[string]Verdict{"1": Pass, "0": Fail} {
		if r := Run(mustCompile(t, strings.ReplaceAll(file, "LIMIT", limit))[0], RunOptions{}); r.Verdict != want {
			t.Errorf("with at most %s the verdict is %s, want %s: %v", limit, r.Verdict, want, r.Problems)
		}
	}
}
