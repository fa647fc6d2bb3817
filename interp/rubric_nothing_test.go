package interp

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that a case which passes although the rubric looks at nothing of its answer is
// marked, in each form in which that happens, that a gate does not pass on such cases
// alone, and that the same rubric with something to look at is not marked.
func TestRubricsOverNothing(t *testing.T) {
	const source = `
bench "b" {
  cases = [{ id = "one", expected = "tea", tags = [] }]
  sut { command = ["agent"] }
  rubric {
    %s
  }
  lower_bound { min_cases = 1 }
  gate "g" { %s }
}
scenario "s" {
  run = bench.b
  case "one" {
    input = { expected = "tea", tags = [] }
    sut { output = %s }
  }
  assert "x" { condition = report.passed == 1 }
}
`
	const empty = `{ stdout = "", citations = [], answer = "", }`
	const full = `{ stdout = "all fine", citations = [{ url = "https://a.test" }], answer = "tea", text = "tea", ok = true, sure = true }`
	for _, rubric := range []string{
		`passed = !strcontains(output.stdout, "error")`,
		`passed = strcontains("tea or coffee", output.answer)`,
		`passed = strcontains(case.input.expected, output.answer)`,
		`passed = alltrue([for c in output.citations : startswith(c.url, "https://")])`,
		`passed = length([for c in output.citations : c if !startswith(c.url, "https://")]) == 0`,
		`passed = !anytrue([for c in output.citations : strcontains(c.url, "evil")])`,
		`passed = !contains(output.citations[*].url, "https://evil.test")`,
		`passed = try(output.ok, true)`,
		`passed = lookup(output, "ok", true) == true`,
		`passed = coalesce(try(output.text, null), case.input.expected) == case.input.expected`,
		`passed = try(output.text, case.input.expected) == case.input.expected`,
		`passed = merge({ ok = true }, output).ok == true`,
		`passed = merge({ ok = true }, output).ok`,
		`passed = !strcontains(output.stdout, "error") && alltrue([for c in output.citations : startswith(c.url, "https://")])`,
		`score = strcontains(output.stdout, "error") ? 0 : 1`,
		`score = alltrue([for c in output.citations : startswith(c.url, "https://")]) ? 1 : 0`,
		"failure_mode \"LEAK\" { when = strcontains(output.stdout, \"error\") }",
	} {
		taxonomy := ""
		bench, gate := source, "min_passed = 1"
		if strings.Contains(rubric, "LEAK") {
			taxonomy = "taxonomy \"t\" {\n mode \"LEAK\" { severity = \"block\" }\n}\n"
			gate = ""
			bench = strings.Replace(source, "  cases", "  taxonomy = taxonomy.t\n  cases", 1)
		}
		if strings.HasPrefix(rubric, "score") {
			gate = "lower_bound = 0.5"
		}
		r := Run(mustCompile(t, taxonomy+fmt.Sprintf(bench, rubric, gate, empty))[0], RunOptions{})
		if !showsNothing(r) || r.Bench.Gates[0].Passed {
			t.Errorf("%s of an empty answer: %s: %+v %+v", rubric, told(r), r.Bench.Cases, r.Bench.Gates)
		}
		r = Run(mustCompile(t, taxonomy+fmt.Sprintf(bench, rubric, gate, full))[0], RunOptions{})
		if showsNothing(r) || !r.Bench.Gates[0].Passed {
			t.Errorf("%s of an answer: %s: %+v %+v", rubric, told(r), r.Bench.Cases, r.Bench.Gates)
		}
	}
	for _, rubric := range []string{
		`passed = output.answer == ""`,
		`passed = output.citations == []`,
		`passed = length(output.citations) == 0 && !strcontains(output.stdout, "error")`,
		`passed = output.answer == "" && alltrue([for c in output.citations : c == "x"])`,
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, rubric, "min_passed = 1", empty))[0], RunOptions{})
		if showsNothing(r) || r.Verdict != Pass {
			t.Errorf("%s of an empty answer: %s: %+v", rubric, told(r), r.Bench.Cases)
		}
	}
}

// Shows that a gate does not count cases that passed over nothing, beside others either, and
// says so; and that it passes with enough others.
func TestGatesCountWhatShowsSomething(t *testing.T) {
	const source = `
bench "b" {
  cases = [{ id = "one" }, { id = "two" }, { id = "three" }]
  sut { command = ["agent"] }
  rubric { passed = alltrue([for c in output.citations : startswith(c, "https://")]) }
  lower_bound {
    min_cases = 1
    method    = "%s"
  }
  gate "g" { %s }
}
scenario "s" {
  run = bench.b
  case "one" {
    sut { output = { citations = ["https://a.test"] } }
  }
  case "two" {
    sut { output = { citations = ["https://b.test"] } }
  }
  case "three" {
    sut { output = { citations = %s } }
  }
  assert "x" { condition = report.passed == 3 }
}
`
	const none, some = `[]`, `["https://c.test"]`
	for _, c := range []struct {
		gate, method, third, unmet string
	}{
		{"min_passed = 2", "bca", none, ""},
		{"min_passed = 3", "bca", some, ""},
		{"min_passed = 3", "bca", none, "passed=2 < min_passed[g]=3 without the 1 that passed and show nothing, such as \"three\""},
		{"pass_all = 1", "bca", some, ""},
		{"pass_all = 0.6", "bca", none, ""},
		{"pass_all = 1", "bca", none, "pass_all=0.667 < pass_all[g]=1.000 without the 1 that passed"},
		// By Wilson, of three: 0.438 where all pass, and 0.208 where two do.
		{"lower_bound = 0.4", "wilson", some, ""},
		{"lower_bound = 0.2", "wilson", none, ""},
		{"lower_bound = 0.4", "wilson", none, "lower_bound_95=0.208 < threshold[g]=0.400 without the 1 that passed and show nothing, such as \"three\""},
		{"lower_bound = 0.9", "bca", some, ""},
		{"lower_bound = 0.9", "bca", none, "lower_bound_95=0."},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(source, c.method, c.gate, c.third))[0], RunOptions{})
		g := r.Bench.Gates[0]
		if g.Passed != (c.unmet == "") || c.unmet != "" && (len(g.Reasons) != 1 || !strings.HasPrefix(g.Reasons[0], c.unmet)) {
			t.Errorf("%s, %s: %+v", c.gate, c.third, g)
		}
	}
}

// showsNothing reports whether the first case is said to show nothing, and all reports
// are told of it.
func showsNothing(r *Result) bool {
	told := slices.ContainsFunc(r.Relaxed, func(p Problem) bool {
		return p.Kind == KindIdle && strings.Contains(p.Message, "1 of 1 cases that passed show nothing")
	})
	return r.Bench.Cases[0].Nothing != "" && told
}
