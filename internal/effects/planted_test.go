package effects

import (
	"strings"
	"testing"
)

// planted is a world with lines of which only the first is right.
const planted = `
-- plain.scenario.hcl --
retry "linear" "r" {}
workflow "w" {
  step "wait" "it" { for = "2s" }
  step "value" "v" { value = 1 }
}
scenario "s" {
  run   = workflow.w
  allow = ["no_assertion"]
}
-- plain.effects --
workflow/step:wait.for = "5s" -> step_end.at
workflow/step:wait.for = "2s" -> step_end.at
workflow/step:wait.for = "5s" -> step_end.output
workflow/step:wait.for = "5s" -> gap: nobody waits
workflow/step:wait.for = 5 -> step_end.at
workflow/step:wait.for = "5s" -> refused Wrong value
workflow/step:wait.retry = retry.r -> gap: nothing is repeated
workflow/step:wait.for = "5s" given workflow/step:wait.retry = retry.r -> step_end.at
workflow/step:http.url = "x" -> step_end.at
workflow/step:wait.when = - -> step_end.at
workflow/step:wait.for = "5s" -> warned "Another warning"
file + retry "linear" "two" { } -> warned "Declaration that nobody uses"
scenario.description = "x" -> read by internal/effects TestNowhere
scenario.description = "x" -> read by internal/effects TestPlanted
`

// A checker gets planted faults, and finds each of them and nothing else.
func TestPlanted(t *testing.T) {
	effects, err := readArchive("planted.txtar", []byte(planted[1:]))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"",
		"it has no effect, want step_end.at",
		"it does not show in step_end.output, but in",
		"it is a gap no more: say where it shows",
		"it is refused: Wrong value",
		`want it refused as "Wrong value"`,
		"it is a gap no more, it is refused",
		"the world is refused: Attribute without a call",
		"the world has no block workflow/step:http",
		"workflow/step:wait has no attribute when to take away",
		`want a warning "Another warning", got: ["Declaration that nobody uses"]`,
		"",
		`internal/effects has no test "TestNowhere"`,
		"",
	}
	if len(effects) != len(want) {
		t.Fatalf("%d lines were read, want %d", len(effects), len(want))
	}
	for i := range effects {
		said := strings.Join(checkAll(effects[i:i+1]), "\n")
		if (said == "") != (want[i] == "") || !strings.Contains(said, want[i]) {
			t.Errorf("line %d is said to be %q, want %q", i+1, said, want[i])
		}
	}
}

// An archive that is written wrongly says where.
func TestWrongArchives(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"no place":   {"-- a.scenario.hcl --\n-- a.effects --\nscenario.tags = []\n", `a.txtar:3: "scenario.tags = []" does not say where it shows`},
		"no change":  {"-- a.scenario.hcl --\n-- a.effects --\nscenario -> tags\n", `a.txtar:3: "scenario" is no change`},
		"no world":   {"-- a.scenario.hcl --\n-- b.effects --\n", `no world has the name "b"`},
		"one of two": {"-- a.scenario.hcl --\n-- a b.effects --\n", `no world has the name "b"`},
		"no pattern": {"-- a.scenario.hcl --\n-- b-*.effects --\n", `no world has the name "b-*"`},
	} {
		if _, err := readArchive("a.txtar", []byte(c.text)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}
