package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that a gate is refused where nothing that it asks for depends on the
// answer, and only there.
func TestGatesThatAlwaysHold(t *testing.T) {
	const passed, score, always = "passed = output.a == case.id", "score = output.a == 1 ? 1 : 0", "score = 1"
	warns, blocks := "failure_mode \"odd\" { when = output.a == 2 }", "failure_mode \"bad\" { when = output.a == 2 }"
	for _, c := range []struct {
		rubric, gate, method string
		refused              bool
	}{
		{passed, "", "bca", true},
		{passed, "lower_bound = 0", "bca", true},
		{passed, "min_passed = 0", "bca", true},
		{passed, "min_passed = 1", "bca", false},
		{passed, "lower_bound = 0.1", "bca", false},
		{passed, "lower_bound = 0.1", "wilson", false},
		{passed + "\n" + always, "lower_bound = 0.9", "bca", true},
		{passed + "\n" + always, "lower_bound = 0.9", "wilson", false},
		{passed + "\n" + always, "min_passed = 1", "bca", false},
		{score, "lower_bound = 0.9", "bca", false},
		{score, "lower_bound = 0.9", "wilson", true},
		{score, "min_passed = 1", "bca", true},
		{score, "min_passed = 1\n lower_bound = 0.1", "bca", false},
		{warns, "min_passed = 1\n lower_bound = 0.1", "bca", true},
		{blocks, "", "bca", false},
		{passed + "\n" + blocks, "", "bca", false},
		{`command = ["./score"]`, "", "bca", false},
	} {
		_, diags := compileText(fmt.Sprintf(`
taxonomy "t" {
  mode "odd" { severity = "warn" }
  mode "bad" { severity = "block" }
}
bench "b" {
  taxonomy = taxonomy.t
  cases    = [{ id = "a" }]
  lower_bound { method = %q }
  gate "g" {
    %s
  }
  sut { command = ["./answer"] }
  rubric {
    %s
  }
}
`, c.method, c.gate, c.rubric))
		text := ""
		for _, d := range diags {
			text += d.Summary + "\n"
		}
		if got := strings.Contains(text, "Gate that always holds"); got != c.refused || !c.refused && diags.HasErrors() {
			t.Errorf("%s, gate %q, %s: refused %t, want %t: %v", c.rubric, c.gate, c.method, got, c.refused, diags)
		}
	}
}
