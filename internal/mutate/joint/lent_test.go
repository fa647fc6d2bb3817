package joint

import (
	"slices"
	"testing"

	"github.com/scenario-lang/scenario/dsl"
)

// Shows what is given to a part that lacks it, and that nothing is where no scenario has to do with both.
func TestLent(t *testing.T) {
	actor := `actor "office" {
  lock "import" {}
  pool "db" { size = 1 }
  handler "import" {
    lock = ["import"]
    uses = ["db"]
  }
  handler "mail" {}
  handler "far" {}
}
`
	two := `actor "a" {
  lock "import" {}
  handler "x" { lock = ["import"] }
}
actor "b" {
  lock "import" {}
  handler "x" { lock = ["import"] }
}
`
	gateway := `provider "http" "mail" { base_url = "https://mail.example" }
breaker "b" {}
gateway "mails" {
  target "t" {
    provider = provider.mail
    breaker  = breaker.b
  }
}
workflow "tell" {
  step "http" "mail" { gateway = gateway.mails }
  step "http" "alarm" { provider = provider.mail }
}
`
	both := `scenario "s" {
  call "a" { target = actor.office.import }
  call "b" { target = actor.office.mail }
}
`
	ab := `scenario "s" {
  call "a" { target = actor.a.x }
  call "b" { target = actor.b.x }
}
`
	run := `scenario "s" { run = workflow.tell }` + "\n"
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"a handler called besides", actor + both, []string{`handler mail lock "import", too`, `handler mail pool "db", too`}},
		{"the nearest that is called", actor + `scenario "s" {
  call "a" { target = actor.office.import }
  call "b" { target = actor.office.far }
}
`, []string{`handler far lock "import", too`, `handler far pool "db", too`}},
		{"by a workflow", actor + `workflow "w" {
  step "call" "b" { target = actor.office.mail }
}
scenario "s" {
  run = workflow.w
  call "a" { target = actor.office.import }
}
`, []string{`handler mail lock "import", too`, `handler mail pool "db", too`}},
		{"never together", actor + `scenario "s" {
  call "a" { target = actor.office.import }
}
scenario "t" {
  call "b" { target = actor.office.mail }
}
`, nil},
		{"no scenario", actor, nil},
		{"two actors", two + ab, []string{`actor b lock "import" → that of actor.a, one for both`}},
		{"two actors apart", two + `scenario "s" {
  call "a" { target = actor.a.x }
}
`, nil},
		{"a lock of that name for all", two + `lock "import" {}` + "\n" + ab, nil},
		{"past a gateway", gateway + run, []string{`step alarm provider.mail → gateway.mails, and its limits`}},
		{"a workflow that does not run", gateway, nil},
		{"another name that begins alike", gateway + `scenario "s" { run = workflow.tell-more }` + "\n", nil},
	} {
		file, diags := dsl.Parse("a.scenario.hcl", []byte(c.text))
		if diags.HasErrors() {
			t.Fatal(c.name, diags)
		}
		var got []string
		for _, one := range Find(file) {
			got = append(got, one.Block.Type+" "+one.Block.Name()+" "+one.What)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
