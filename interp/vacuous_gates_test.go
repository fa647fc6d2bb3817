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
		{passed + "\n" + always, "lower_bound = 0.1", "wilson", false},
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

// Shows that a rubric of programs is told of which one passes that prints nothing or an error,
// however it ends, and that one is not which looks at the status or at what is printed.
func TestRubricsThatEveryProgramPasses(t *testing.T) {
	for _, c := range []struct {
		rubric string
		told   bool
	}{
		{`output.stdout != null`, true},
		{`output.exit_code >= 0`, true},
		{`output.exit_code != null && output.stderr != null`, true},
		{`length(output.stdout) < 10000`, true},
		{`can(output.stdout)`, true},
		{`output.stdout != case.input.expected`, true},
		{`output.exit_code == 0`, false},
		{`output.exit_code != 0`, false},
		{`output.exit_code <= 1`, false},
		{`output.exit_code <= 2`, false},
		{`output.stderr == ""`, false},
		{`output.stdout == ""`, false},
		{`output.stdout == case.input.expected`, false},
		{`!strcontains(output.stderr, "Traceback")`, false}, // that it printed nothing is told of the run
		{`output.exit_code >= 0 && strcontains(output.stdout, case.input.expected)`, false},
	} {
		_, diags := compileText(fmt.Sprintf(`
bench "b" {
  cases = [{ id = "a", expected = "x" }, { id = "b", expected = "y" }]
  sut {
    command = ["./answer"]
    output  = "process"
  }
  rubric { passed = %s }
}
`, c.rubric))
		told := false
		for _, d := range diags {
			told = told || d.Summary == "Rubric that a program passes which does nothing"
		}
		if told != c.told || diags.HasErrors() {
			t.Errorf("%s: told of %t, want %t: %v", c.rubric, told, c.told, diags)
		}
	}
}

// Shows that a gate is refused that asks for more than all cases passing comes to, and
// only then. Of n cases that all pass Wilson's bound is n/(n+z²): 0.7225 of ten with
// z = 1.96.
func TestGatesThatNothingCanPass(t *testing.T) {
	for _, c := range []struct {
		gate, method string
		refused      bool
	}{
		{"min_passed = 10", "bca", false},
		{"min_passed = 11", "bca", true},
		{"lower_bound = 1", "bca", false},
		{"lower_bound = 0.72", "wilson", false},
		{"lower_bound = 0.73", "wilson", true},
		{"pass_all = 1", "wilson", false},
	} {
		_, diags := compileText(fmt.Sprintf(`
bench "b" {
  cases = [for i in range(10) : { id = "c${i}" }]
  lower_bound { method = %q }
  gate "g" { %s }
  sut { command = ["./answer"] }
  rubric { passed = output.a == case.id }
}
`, c.method, c.gate))
		if got := diags.HasErrors() && diags[0].Summary == "Gate that nothing can pass"; got != c.refused || !c.refused && diags.HasErrors() {
			t.Errorf("%s, %s: refused %t, want %t: %v", c.gate, c.method, got, c.refused, diags)
		}
	}
}

// Shows that a rubric is asked for every case before a bench runs: one that says the
// same whatever the answer is refused, and told of where only some cases are so.
func TestRubricsThatNoAnswerFails(t *testing.T) {
	const complete, half, none = `[{ id = "a", expected = "x" }]`, `[{ id = "a", expected = "x" }, { id = "b" }]`, `[{ id = "a", other = 1 }, { id = "b" }]`
	const asking = `[{ id = "a", question = "x" }]`
	for _, c := range []struct{ cases, rubric, want string }{
		{none, `passed = strcontains(output.answer, lookup(case.input, "expected", ""))`, "Rubric about nothing observed"},
		{half, `passed = strcontains(output.answer, lookup(case.input, "expected", ""))`, "Cases without a rubric"},
		{complete, `passed = strcontains(output.answer, lookup(case.input, "expected", ""))`, ""},
		{none, `passed = startswith(output.answer, try(case.input.expected, ""))`, "Rubric about nothing observed"},
		{none, `passed = endswith(output.answer, coalesce(try(case.input.expected, null), ""))`, "Rubric about nothing observed"},
		{none, `passed = regexmatch(try(case.input.expected, ""), output.answer)`, "Rubric about nothing observed"},
		{complete, `passed = try(output.answer == case.input.wnat, true)`, "Rubric about nothing observed"},
		{half, `passed = try(output.answer == case.input.expected, true)`, "Cases without a rubric"},
		{complete, `passed = try(output.answer == case.input.expected, true)`, "Rubric that accepts an empty answer"},
		{complete, `passed = try(output.answer == case.input.expected, false)`, ""},
		{asking, `passed = lookup(output, "ok", true)`, "Rubric that accepts an empty answer"},
		{asking, `passed = coalesce(try(output.ok, null), true)`, "Rubric that accepts an empty answer"},
		{asking, `passed = !can(output.error)`, "Rubric that accepts an empty answer"},
		{asking, `passed = !can(output.error) && output.answer == "x"`, ""},
		{asking, `passed = !strcontains(try(output.answer, ""), "error")`, "Rubric that accepts an empty answer"},
		{asking, `passed = output == {}`, ""},
		{half, `passed = try(output.answer, "") == lookup(case.input, "expected", "")`, ""}, // the second case expects none
		{complete, `passed = can(output.answer == case.input.expected)`, "Condition in can"},
		{asking, `passed = can(output.answer < 5)`, ""},
		{half, `passed = case.id == "b" || output.answer == case.input.expected`, "Cases without a rubric"},
		{half, `passed = case.id == "b" ? true : output.answer == case.input.expected`, "Cases without a rubric"},
		{none, `passed = alltrue([for e in try(case.input.all, []) : strcontains(output.answer, e)])`, "Rubric about nothing observed"},
		{none, `score = strcontains(output.answer, try(case.input.expected, "")) ? 1 : 0`, "Rubric about nothing observed"},
		{none, "passed = strcontains(output.answer, try(case.input.expected, \"\"))\nscore = output.score", "Default for what no case has"},
		{none, `passed = output.answer == lookup(case.input, "expected", "")`, "Default for what no case has"},
		{none, `passed = output.answer == lookup(case.input, "other", "")`, ""},
		{none, `passed = output.ok && alltrue([for w in lookup(case.input, "forbidden", []) : !strcontains(output.answer, w)])`, "Default for what no case has"},
		{none, `passed = output.ok && alltrue([for w in try(case.input.forbidden, []) : !strcontains(output.answer, w)])`, "Default for what no case has"},
		{half, `passed = output.ok && alltrue([for w in lookup(case.input, "expected", []) : !strcontains(output.answer, w)])`, ""},
		{none, `passed = output.answer == try(output.expected, "")`, ""},
		{none, `passed = output.ok && lookup(output, "forbidden", "") == ""`, ""},
		{half, `passed = output.answer == lookup(case.input, "wanted", case.input.expected)`, ""},
		{none, `passed = strcontains(lookup(case.input, "expected", ""), output.answer)`, "Default for what no case has"},
		{complete, `passed = strcontains(output.answer, case.input.expected)`, ""},
		{complete, `passed = output.answer == case.input.expcted`, "Member that no case has"},
		{half, `passed = output.ok && output.answer == case.input.expcted`, "Member that no case has"},
		{none, "passed = output.ok\nscore = similarity(output.answer, case.input.expected)", "Member that no case has"},
		{none, "passed = output.ok\ncost_usd = output.n * case.input.price", "Member that no case has"},
		{half, `passed = output.answer == case.input.expected`, ""},
		{complete, `passed = output.answer == try(case.input.expcted, case.input.expected)`, ""},
		{asking, `passed = can(case.input.expcted) || output.answer == "x"`, "Default for what no case has"},
		{`[{ id = "a", number = 1 }, { id = "b", text = "x" }]`, `passed = output.is == "number" ? output.n == case.input.number : output.t == case.input.text`, ""},
	} {
		_, diags := compileText(fmt.Sprintf(`
bench "b" {
  cases = %s
  sut { command = ["./answer"] }
  rubric {
    %s
  }
}
`, c.cases, c.rubric))
		got := ""
		for _, d := range diags {
			got += d.Summary
		}
		if got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.rubric, c.cases, got, c.want)
		}
	}
}

// Shows that a gate which the least score meets is warned of, however the score is made, and
// one that a wrong answer misses is not.
func TestGatesBelowEveryScore(t *testing.T) {
	for _, c := range []struct {
		score, gate string
		warned      bool
	}{
		{"output.a == case.id ? 1 : 0.5", "lower_bound = 0.5", true},
		{"output.a == case.id ? 1 : 0.5", "lower_bound = 0.4", true},
		{"max(0.5, output.a == case.id ? 1 : 0)", "lower_bound = 0.5", true},
		{"0.5 + 0.5 * similarity(output.a, case.id)", "lower_bound = 0.5", true},
		{"0.5 + (output.a == case.id ? 0.5 : 0.1)", "lower_bound = 0.6", true},
		{"output.a == case.id ? 1 : 0.5", "lower_bound = 0.51", false},
		{"output.a == case.id ? 1 : 0.5", "lower_bound = 0.5\nmin_passed = 1", false},
		{"output.a == case.id ? 1 : 0", "lower_bound = 0.5", false},
		{"similarity(output.a, case.id)", "lower_bound = 0.5", false},
		{"output.a == case.id ? 1 : output.b", "lower_bound = 0.5", false},
		{"-0.5 * output.b", "lower_bound = 0.5", false},
	} {
		_, diags := compileText(fmt.Sprintf(`
bench "b" {
  cases = [{ id = "a" }]
  gate "g" {
    %s
  }
  sut { command = ["./answer"] }
  rubric {
    passed = output.a == case.id
    score  = %s
  }
}
`, c.gate, c.score))
		warned := false
		for _, d := range diags {
			warned = warned || d.Summary == "Gate below every score"
		}
		if warned != c.warned || diags.HasErrors() {
			t.Errorf("%s, gate %q: warned %t, want %t: %v", c.score, c.gate, warned, c.warned, diags)
		}
	}
}

// Shows that gates which ask for the score alone are warned of where it reads no case while passed
// does, and that they are not where anything else that they ask for compares an answer with its case.
func TestScoresThatReadNoCase(t *testing.T) {
	const right, own = "output.a == case.id", "output.confidence"
	for _, c := range []struct {
		passed, score, gates, more string
		warned                     bool
	}{
		{right, own, "lower_bound = 0.6", "", true},
		{right, "output.a == null ? 0 : 1 - output.b", "lower_bound = 0.6", "", true},
		{right, own, "lower_bound = 0.6", `failure_mode "loud" { when = output.a == upper(output.a) }`, true},

		{right, own, "lower_bound = 0.6\nmin_passed = 1", "", false},
		{right, own, "lower_bound = 0.6\npass_all = 1", "", false},
		{right, own, "lower_bound = 0.6\n}\ngate \"h\" {\nmin_passed = 1", "", false},
		{right, right + " ? output.confidence : 0", "lower_bound = 0.6", "", false},
		{right, right + " ? 1 : 1 - output.confidence", "lower_bound = 0.6", "", false},
		{right, "similarity(output.a, case.id)", "lower_bound = 0.6", "", false},
		{"similarity(output.a, case.id) > 0.5", "similarity(output.a, case.id)", "lower_bound = 0.6", "", false},
		{right, own, "lower_bound = 0.6", `failure_mode "loud" { when = output.a == upper(case.id) }`, false},
		{"output.a == \"yes\"", own, "lower_bound = 0.6", "", false}, // no case says what is right
		{right, own, "lower_bound = 0.1\n}\nlower_bound {\nmethod = \"wilson\"", "", false},
	} {
		_, diags := compileText(fmt.Sprintf(`
taxonomy "t" {
  mode "loud" { severity = "block" }
}
bench "b" {
  taxonomy = taxonomy.t
  cases = [{ id = "a" }]
  gate "g" {
    %s
  }
  sut { command = ["./answer"] }
  rubric {
    passed = %s
    score  = %s
    %s
  }
}
`, c.gates, c.passed, c.score, c.more))
		warned := false
		for _, d := range diags {
			warned = warned || d.Summary == "Score that reads no case"
		}
		if warned != c.warned || diags.HasErrors() {
			t.Errorf("%s, %s, gate %q, %s: warned %t, want %t: %v", c.passed, c.score, c.gates, c.more, warned, c.warned, diags)
		}
	}
}
