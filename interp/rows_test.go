package interp

import (
	"fmt"
	"strings"
	"testing"
)

// Shows which checks of a row show something only if other rows do: implications whose premise does
// not hold in it, and choices of a value that the file gives. Whether the row has other checks that
// show something is told with them.
func TestRowsThatLeaveAPremiseOut(t *testing.T) {
	const source = `
provider "http" "p" { base_url = "https://p.test" }
retry "exponential" "r" {
  base        = "1s"
  max_retries = 4
}
workflow "w" {
  provider = provider.p
  step "http" "a" {
    path  = "/"
    retry = retry.r
  }
}
scenario "s" {
  %s
  run   = workflow.w
  allow = [%s]
  on "a" {
    fault "http_error" { times = %s }
    reply { json = { ids = [1, 2] } }
  }
  %s
}
`
	assert := func(condition string) string { return fmt.Sprintf("assert \"x\" {\n condition = %s\n}\n", condition) }
	other := assert("length(step.a.attempts) > 1")
	const one = `length(step.a.delays_ms) < 2 || step.a.delays_ms[1] == 2000`
	for _, c := range []struct {
		rows, times, checks string
		unmet               []int // of each row
		empty               []bool
	}{
		{"for_each = { a = 1, b = 1 }", "each.value", assert(one), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 2 }", "each.value", assert(one), []int{1, 0}, []bool{true, false}},
		{"matrix {\n n = [1, 2]\n}", "matrix.n", assert(one), []int{1, 0}, []bool{true, false}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(one) + other, []int{1, 1}, []bool{false, false}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`step.a.retries < 2 || step.a.delays_ms[1] == 2000`), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`step.a.error == null || step.a.error.kind == "timeout"`), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`!(step.a.status == "failed" && step.a.error.kind != "timeout")`), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`step.a.status == "failed" ? step.a.retries == 7 : true`), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`(length(step.a.delays_ms) < 2 ? 0 : step.a.delays_ms[1]) <= 2000`), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert(`step.a.retries == each.value || step.a.status == "failed"`), []int{0, 0}, []bool{false, false}},
		{"for_each = { a = 1, b = 1 }", "each.value", fmt.Sprintf("invariant \"x\" { condition = %s }", one), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 2 }", "each.value", fmt.Sprintf("invariant \"x\" { condition = %s }", one), []int{1, 0}, []bool{true, false}},
		{"for_each = { a = 1, b = 1 }", "each.value", "invariant \"x\" { condition = step.a.retries <= 3 }", []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert("step.a.retries <= 3"), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert("step.a.retries <= each.value + 1"), []int{1, 1}, []bool{true, true}},
		{"for_each = { a = 1, b = 1 }", "each.value", assert("step.a.retries <= each.value"), []int{0, 0}, []bool{false, false}}, // it allows what came alone
		{"for_each = { a = 1, b = 1 }", "each.value", assert("step.a.retries == each.value"), []int{0, 0}, []bool{false, false}},
		{"for_each = { a = 1 }", "each.value", assert(one), []int{0}, []bool{false}}, // marked as any scenario is
	} {
		source := fmt.Sprintf(source, c.rows, "", c.times, c.checks)
		for i, p := range mustCompile(t, source) {
			r := Run(p, RunOptions{})
			unmet, empty := 0, false
			if r.Row != nil {
				unmet, empty = len(r.Row.Unmet), r.Row.Empty != nil
				if r.Row.Of != len(c.unmet) || !strings.Contains(r.Row.Unmet[0].Message, fmt.Sprintf("in none of the %d rows", len(c.unmet))) {
					t.Errorf("%s: %+v", c.checks, r.Row)
				}
			}
			if unmet != c.unmet[i] || empty != c.empty[i] || len(c.unmet) > 1 && (r.Verdict != Pass || countIdle(r) > 0) {
				t.Errorf("%s %s: row %d has %d checks that show nothing (want %d), and all of them: %v; %s %s %+v", c.rows, c.checks, i, unmet, c.unmet[i], empty, r.Verdict, told(r), r.Relaxed)
			}
		}
	}
	for _, p := range mustCompile(t, fmt.Sprintf(source, "for_each = { a = 1, b = 1 }", `"no_assertion"`, "each.value", assert(one))) {
		if r := Run(p, RunOptions{}); r.Row == nil || !r.Row.Allowed {
			t.Errorf("what is allowed: %+v", r.Row)
		}
	}
}
