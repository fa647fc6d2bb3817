package lint_test

import (
	"fmt"
	"strings"
	"testing"
)

// Shows that an assert is warned of that says what each row of a reply is, where nothing reads what
// the step asks, and none where something may, or where the rows are not those of the reply.
func TestRequestsThatNoCheckReads(t *testing.T) {
	const (
		query = `step "sql" "x" { query = "select left from stock where left < 5" }`
		reply = `reply { rows = [{ left = 2 }, { left = 4 }] }`
		below = `alltrue([for r in step.x.rows : r.left < 5])`
		run   = `expect "run" { status = "success" }`
	)
	assert := func(condition string) string { return "assert \"is\" { condition = " + condition + " }\n" }
	for _, c := range []struct {
		step, script, checks string
		warned               bool
	}{
		{query, reply, run + "\n" + assert(below), true},
		{query, reply, "expect \"names\" { output = \"2,4\" }\n" + assert("length(step.x.rows) == 2 && "+below), true},
		{query, reply, run + "\n" + assert("length([for r in step.x.rows : r if r.left >= 5]) == 0"), true},
		{query, reply, run + "\n" + assert("!anytrue([for r in step.x.rows : r.left >= local.limit])"), true},
		{query, reply, run + "\n" + assert("alltrue([for r in step.x.rows : r.left < input.limit])"), true},
		{query, "fault \"db_down\" {}\n" + reply, run + "\n" + assert(below), true},
		{query, reply, run + "\n" + assert(below) + "assert \"no\" { condition = alltrue([for a in step.x.attempts : a.status_code == null]) }", true},
		{query, reply, run + "\n" + assert(below) + "assert \"no\" { condition = length(step.x.attempts) == 1 && step.y.attempts[0].request.body == \"\" }", true},
		{query, reply, run + "\n" + assert(below) + "assert \"no\" { condition = metric(\"scenario_retries_total\") == 0 }", true},
		{`step "http" "x" { path = "/stock?below=5" }`, `reply { json = [{ left = 2 }] }`, run + "\n" + assert(`alltrue([for r in step.x.json : r.left < 5])`), true},
		{`step "http" "x" { path = "/stock?below=5" }`, `reply { json = { items = [{ left = 2 }] } }`, run + "\n" + assert(`alltrue([for r in step.x.json.items : r.left < 5])`), true},
		{`step "mcp" "x" { arguments = { below = 5 } }`, `reply { structured = { items = [{ left = 2 }] } }`, run + "\n" + assert(`alltrue([for r in step.x.structured.items : r.left < 5])`), true},

		{`step "mcp" "x" { list = "tools" }`, `reply { structured = { items = [{ left = 2 }] } }`, run + "\n" + assert(`alltrue([for r in step.x.structured.items : r.left < 5])`), false}, // it asks for all
		{`step "llm" "x" { prompt = "which?" }`, `reply { json = [{ left = 2 }] }`, run + "\n" + assert(`alltrue([for r in step.x.json : r.left < 5])`), false},
		{query, reply, run + "\n" + assert("length(step.x.rows) == 2"), false},
		{query, reply, run + "\n" + assert(`join(",", [for r in step.x.rows : r.left]) == "2,4"`), false},
		{query, reply, run + "\n" + assert("alltrue([for r in step.names.output : r.left < 5])"), false},                    // what the workflow makes of them
		{query, reply, run + "\n" + assert("alltrue([for r in step.x.rows : contains(step.names.output, r.left)])"), false}, // compared with that
		{query, reply, run + "\n" + assert("alltrue([for i, r in step.x.rows : step.y.attempts[i].request.json.left == r.left])"), false},
		{query, reply + "\n" + reply, run + "\n" + assert(below), false},
		{`step "sql" "x" {
			query = "select 1"
			validate "v" { condition = length(self.rows) > 0 }
		}`, reply, run + "\n" + assert(below), false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = strcontains(step.x.attempts[0].request.statement, \"<\") }", false},
		{query, reply, run + "\n" + assert(below+" && step.x.attempts[0].request.json.args == []"), false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = alltrue([for a in step.x.attempts : strcontains(a.request.statement, \"<\")]) }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = step.x.attempts[*].request.statement != [] }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = [for s in steps : s.attempts[0].request.statement] != [] }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = strcontains(jsonencode(step.x.attempts), \"<\") }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = strcontains(jsonencode(step.x.attempts[0]), \"<\") }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = strcontains(jsonencode(step[\"x\"]), \"<\") }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = alltrue([for s in steps : strcontains(jsonencode(s), \"<\")]) }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = strcontains(jsonencode(events({ type = \"attempt_start\" })), \"<\") }", false},
		{query, reply, run + "\n" + assert(below) + "assert \"q\" { condition = (steps[0]).attempts[0].request.statement != \"\" }", false},
		{`step "http" "x" { path = "/stock?below=5" }`, `reply { headers = { a = "1" } }`, run + "\n" + assert(`alltrue([for k, v in step.x.headers : v == "1"])`), false},
		{query, reply, run + "\n" + assert(below) + "snapshot \"q\" { value = step.x }", false},
		{query, reply, run + "\n" + assert(below) + "invariant \"q\" { condition = target.db.attempts[0].request.statement != \"\" }", false},
		{query, reply, run + "\n" + assert(below) + "}\nscenario \"other\" {\n run = workflow.w\n assert \"q\" { condition = step.x.attempts[0].request.statement == \"\" }\n", false},
	} {
		source := fmt.Sprintf("locals { limit = 5 }\nworkflow \"w\" {\n%s\nstep \"value\" \"names\" { value = step.x.rows }\nstep \"http\" \"y\" {}\n}\nscenario \"s\" {\n run = workflow.w\n on \"x\" {\n%s\n }\n%s\n}\n", c.step, c.script, c.checks)
		if got := strings.Contains(strings.Join(said(t, source, nil), ""), `that the script of "x" answers`); got != c.warned {
			t.Errorf("warned %v, want %v:\n%s", got, c.warned, source)
		}
	}
}
