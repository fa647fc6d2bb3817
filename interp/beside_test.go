package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that members of a program's output which stand beside those that are expected are told of, in objects of
// lists as well, and not those that a check reads by itself, of a comparison as a whole, or of what a script answers.
func TestMembersBesideThoseExpected(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  output = %s
  step "http" "user" {
    provider = provider.api
    path     = "/users/7"
  }
  step "value" "pair" { value = { a = step.user.json.id, b = step.user.json.email } }
}
scenario "s" {
  run = workflow.w
  on "user" {
    reply { json = { id = 7, email = "ann@example.com", roles = [{ name = "admin", since = 2019 }] } }
  }
  %s
  assert "it is asked" { condition = endswith(step.user.attempts[0].request.url, "/users/7") }
}
`
	for _, c := range []struct{ output, check, want string }{
		{"step.user.json", `expect "run" { output = { id = 7 } }`, `expect "run": output has email, roles, too`},
		{"step.user.json", `expect "run" { output = { id = 7, roles = [{ name = "admin" }] } }`, `expect "run": output has email, roles[].since, too`},
		{"{ who = step.user.json }", `expect "run" { output = { who = { id = 7, email = "ann@example.com", roles = [] } } }`, ""}, // fails
		{"step.user.json", `expect "pair" { output = { a = 7 } }`, `expect "pair": output has b, too`},
		{"{ id = step.user.json.id }", `expect "run" { output = { id = 7 } }`, ""},
		{"step.user.json", `expect "user" { json = { id = 7 } }`, ""}, // of the script
		{"step.user.json", "expect \"run\" { output = { id = 7 } }\n  assert \"e\" { condition = run.output.email != \"\" && length(run.output.roles) == 1 }", ""},
		{"step.user.json", "expect \"run\" { output = { id = 7 } }\n  assert \"e\" { condition = keys(run.output) == [\"email\", \"id\", \"roles\"] }", ""},
		{"step.user.json", `assert "a" { condition = run.output.id == 7 }`, ""},
		{"step.user.json.id", `expect "run" { output = 7 }`, ""},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.output, c.check))[0], RunOptions{Unread: true})
		got := slices.DeleteFunc(slices.Clone(r.Unread), func(part string) bool { return !strings.HasPrefix(part, "expect ") })
		if (c.want == "" && len(got) > 0) || c.want != "" && !slices.Equal(got, []string{c.want}) {
			t.Errorf("%s, %s: told of %q, want %q (%s)", c.output, c.check, got, c.want, r.Verdict)
		}
	}
}

// Shows that a step which failed without a fault in a run that succeeds is told of where no check reads whether it
// did.
func TestStepsThatFailedUnread(t *testing.T) {
	const source = `provider "http" "api" { base_url = "https://api.test" }
workflow "w" {
  provider = provider.api
  output   = step.item.json
  step "http" "item" { path = "/items/7" }
  step "http" "reviews" {
    path     = "/items/7/reviews"
    required = false
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "item" {
    reply { json = { name = "kettle" } }
  }
  on "reviews" {
    %s
  }
  expect "run" { output = { name = "kettle" } }
  %s
}
`
	const (
		missing = `reply { status_code = 404 }`
		url     = `assert "a" { condition = endswith(step.reviews.attempts[0].request.url, "/items/7/reviews") }`
	)
	for _, c := range []struct {
		expects, reply, check string
		told                  bool
	}{
		{"", missing, url, true},
		{"", missing, "", true},
		{"expect_status = [200, 404]", missing, url, false},
		{"", "reply { json = {} }", url, false},
		{"", `fault "http_error" { status_code = 404 }`, url, false},
		{"", missing, `expect "reviews" { status = "failed" }`, false},
		{"", missing, `assert "a" { condition = step.reviews.error.status_code == 404 }`, false},
		{"", missing, `assert "a" { condition = step.reviews.attempts[0].outcome == "failure" }`, false},
		{"", missing, `assert "a" { condition = length(run.partial.failed_steps) == 1 }`, false},
		{"", missing, `assert "a" { condition = length([for s in steps : s if s.status == "failed"]) == 1 }`, false},
	} {
		r := RunTold(compileAt(t, "a.scenario.hcl", fmt.Sprintf(source, c.expects, c.reply, c.check))[0], RunOptions{Unread: true})
		if r.Verdict != Pass {
			t.Errorf("%s, %s: %s\n%s", c.reply, c.check, r.Verdict, problems(r))
		}
		if told := slices.Contains(r.Unread, "step reviews: that it failed with 404, which nothing injected"); told != c.told {
			t.Errorf("%s, %s, %s: told %v: %q", c.expects, c.reply, c.check, told, r.Unread)
		}
	}
}
