package dsl

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/schema"
	"github.com/scenario-lang/scenario/stdlib"
)

// conditionEnv is a small version of what a condition may refer to.
func conditionEnv() *Env {
	observed := func(s *schema.Shape) *schema.Shape {
		c := *s
		c.Observed = true
		return &c
	}
	attempt := &schema.Shape{Kind: schema.ShapeObject, Name: "an attempt", Observed: true, Attrs: map[string]*schema.Shape{
		"at_ms": schema.NumberShape, "target": schema.StringShape, "status_code": schema.NumberShape,
	}}
	result := &schema.Shape{Kind: schema.ShapeObject, Name: "a step", Observed: true, Attrs: map[string]*schema.Shape{
		"status": schema.StringShape, "content": schema.StringShape, "attempts": observed(schema.TupleOf(attempt)),
		"retries": schema.NumberShape, "json": {Observed: true, Nullable: true}, "is_error": schema.BoolShape,
		"delays_ms": observed(schema.TupleOf(schema.NumberShape)),
	}}
	funcs := stdlib.Sigs(stdlib.List())
	maps.Copy(funcs, stdlib.Sigs(stdlib.Queries()))
	return &Env{
		Where: "a condition",
		Funcs: funcs,
		Roots: map[string]*schema.Shape{
			"step":  {Kind: schema.ShapeObject, Name: "step", Within: `in workflow "support"`, Attrs: map[string]*schema.Shape{"answer": result, "classify": result}},
			"steps": observed(schema.TupleOf(result)),
			"run":   {Kind: schema.ShapeObject, Name: "a run", Observed: true, Attrs: map[string]*schema.Shape{"status": schema.StringShape, "elapsed_ms": schema.NumberShape}},
			"var":   {Kind: schema.ShapeObject, Name: "variable", Within: "in this file", Attrs: map[string]*schema.Shape{"limit": schema.NumberShape}},
		},
		Elsewhere: map[string]string{"self": "self is the step that is running; it exists in its output and validate."},
	}
}

func parseExpr(t testing.TB, text string) hclsyntax.Expression {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(text), "test.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", text, diags)
	}
	return e
}

// Every wrong expression is reported once, at the place that is wrong, with
// the words that lead to the right one.
func TestInferReports(t *testing.T) {
	for _, c := range []struct{ expr, at, summary, detail string }{
		// Names that do not exist.
		{`step.anwser.status == "success"`, `.anwser`, "Unknown name", `No step "anwser" is declared in workflow "support". Did you mean "answer"?`},
		{`step.zzzzzz.status == "success"`, `.zzzzzz`, "Unknown name", `There is: answer, classify.`},
		{`step["anwser"].status`, `["anwser"]`, "Unknown name", `Did you mean "answer"?`},
		{`var.limits > 1`, `.limits`, "Unknown name", `No variable "limits" is declared in this file. Did you mean "limit"?`},
		{`step.answer.statu == "ok"`, `.statu`, "Unknown attribute", `A step has no attribute "statu". Did you mean "status"?`},
		{`run.zzzz == 1`, `.zzzz`, "Unknown attribute", `A run has no attribute "zzzz". It has: elapsed_ms, status.`},
		{`{ a = 1 }.b`, `.b`, "Unknown attribute", `This object has no attribute "b". It has: a.`},
		{`setp.answer.status == "ok"`, `setp`, "Unknown reference", `There is no "setp" here. Did you mean "step"? Only run, step, steps and var can be used in a condition.`},
		{`answer.status == "ok"`, `answer`, "Unknown reference", `Did you mean step.answer?`},
		{`run.status == success`, `success`, "Unknown reference", `A string is written in quotes: "success".`},
		{`self.content == ""`, `self`, "Not available here", `it exists in its output and validate. Only run, step,`},
		{`lenght(steps) == 1`, `lenght`, "Unknown function", `Did you mean "length"?`},
		{`env("HOME") == ""`, `env`, "Not available here", `belongs in provider blocks`},
		{`step(1)`, `step`, "Unknown function", ``},
		// Bodies of for expressions, splats, and branches that never run.
		{`[for a in step.answer.attempts : a.at] == [0]`, `.at`, "Unknown attribute", `An attempt has no attribute "at". Did you mean "at_ms"?`},
		{`[for i, a in steps[0].attempts : i if a.statuscode == 1]`, `.statuscode`, "Unknown attribute", `"status_code"`},
		{`{ for k, s in { a = 1 } : s => step.answer.nope }`, `.nope`, "Unknown attribute", ``},
		{`[for s in values(step) : x.status]`, `x`, "Unknown reference", ``},
		{`[for a in steps : [for a in a.attempts : a.status]]`, `.status`, "Unknown attribute", `An attempt has no`},
		{`step.answer.attempts[*].statu_code`, `.statu_code`, "Unknown attribute", `"status_code"`},
		{`steps[*].attempts[0].nope`, `.nope`, "Unknown attribute", ``},
		{`true || step.anwser.status == "ok"`, `.anwser`, "Unknown name", ``},
		{`false && lenght([]) == 0`, `lenght`, "Unknown function", ``},
		{`run.status == "a" ? 1 : step.answer.nope`, `.nope`, "Unknown attribute", ``},
		{`try(step.answer.nope, null) == null`, `.nope`, "Unknown attribute", ``},
		{`"${step.answer.nope}"`, `.nope`, "Unknown attribute", ``},
		{`"%{ for a in step.answer.attempts }${a.nope}%{ endfor }"`, `.nope`, "Unknown attribute", ``},
		{`reverse(step.answer.attempts)[0].nope`, `.nope`, "Unknown attribute", `An attempt`},
		{`one(step.answer.attempts).nope`, `.nope`, "Unknown attribute", `An attempt`},
		{`span("x").nope`, `.nope`, "Unknown attribute", `A span has no attribute`},
		{`step[var.nope].status`, `.nope`, "Unknown name", ``},
		{`step[run.status].nope`, `.nope`, "Unknown attribute", `A step has no`},
		// Comparisons that can never hold.
		{`step.answer.retries == "2"`, `step.answer.retries == "2"`, "Comparison can never hold", "The left side is a number and the right side a string: they can never be equal. Write a number without quotes"},
		{`step.answer.status != 1`, `step.answer.status != 1`, "Comparison can never hold", "a string"},
		{`step.answer.attempts == 3`, `step.answer.attempts == 3`, "Comparison can never hold", "length(…)"},
		{`step.answer == "success"`, `step.answer == "success"`, "Comparison can never hold", "an object and the right side a string"},
		{`step.answer.is_error == "true"`, `step.answer.is_error == "true"`, "Comparison can never hold", "without quotes"},
		{`step.answer.attempts == {}`, `step.answer.attempts == {}`, "Comparison can never hold", "a list"},
		{`[for a in step.answer.attempts : a.at_ms] == [0, "1000"]`, `[for a in step.answer.attempts : a.at_ms] == [0, "1000"]`, "Comparison can never hold", "At [1] the left side is a number and the right side a string"},
		{`[{ a = 1 }] == [{ a = [] }]`, `[{ a = 1 }] == [{ a = [] }]`, "Comparison can never hold", "At [0].a the left"},
		{`metric("x") == "1"`, `metric("x") == "1"`, "Comparison can never hold", ""},
		// Operators on values they do not work on.
		{`"2" > 1`, `"2"`, "Wrong operand", "This is a string, and this operator works on numbers."},
		{`1 <= "500ms"`, `"500ms"`, "Wrong operand", `ms("500ms")`},
		{`step.answer.status > 2`, `step.answer.status`, "Wrong operand", "tonumber"},
		{`step.answer.attempts + 1`, `step.answer.attempts`, "Wrong operand", "length(…)"},
		{`-run.status`, `run.status`, "Wrong operand", ""},
		{`null > 1`, `null`, "Wrong operand", "This is null"},
		{`true && null`, `null`, "Wrong operand", "true or false is needed"},
		{`!step.answer.retries`, `step.answer.retries`, "Wrong operand", ""},
		{`step.answer.retries ? 1 : 2`, `step.answer.retries`, "Wrong operand", ""},
		{`[for a in steps : a if a.retries]`, `a.retries`, "Wrong operand", ""},
		{`[for a in run.status : a]`, `run.status`, "Wrong operand", "goes over the elements"},
		{`step.answer.attempts.at_ms`, `.at_ms`, "Wrong operand", "[*].at_ms"},
		{`step.answer.status.text`, `.text`, "Wrong operand", "a string and has no attribute"},
		{`step.answer.attempts["at"]`, `["at"]`, "Wrong index", ""},
		{`step.answer.attempts[0.5]`, `[0.5]`, "Wrong index", ""},
		{`step.answer.attempts[-1]`, ``, "", ""}, // an operator: left to the evaluation
		{`[1, 2][2]`, `[2]`, "Wrong index", "2 elements"},
		{`run.status[0]`, `[0]`, "Wrong operand", ""},
		{`"${step.answer.attempts}!"`, `step.answer.attempts`, "Wrong operand", "jsonencode"},
		// Directories are no values.
		{`step == 1`, `step`, "Name needed", `all that is declared as step in workflow "support" and no value by itself. Go on with a dot and the name of one, such as "answer".`},
		{`"${step}"`, `"${step}"`, "Name needed", ``},
		{`[var]`, `var`, "Name needed", ``},
		// Calls.
		{`length()`, `length()`, "Wrong number of arguments", `length takes 1 argument and is given 0. It is called as length(value).`},
		{`approx(1, 2)`, `approx(1, 2)`, "Wrong number of arguments", `takes 3 arguments and is given 2`},
		{`lookup({}, "a", 1, 2)`, `lookup({}, "a", 1, 2)`, "Wrong number of arguments", `2 to 3 arguments`},
		{`max()`, `max()`, "Wrong number of arguments", `at least 1 argument`},
		{`length(1, [2]...)`, `length(1, [2]...)`, "", ``},
		{`length(1, 2, [3]...)`, `length(1, 2, [3]...)`, "Wrong number of arguments", ``},
	} {
		_, diags := Infer(parseExpr(t, c.expr), conditionEnv())
		if c.summary == "" {
			if len(diags) > 0 {
				t.Errorf("%s: %s", c.expr, diags)
			}
			continue
		}
		if len(diags) != 1 {
			t.Errorf("%s: %d diagnostics, want one: %v", c.expr, len(diags), diags)
			continue
		}
		at := string(diags[0].Subject.SliceBytes([]byte(c.expr)))
		if diags[0].Summary != c.summary || at != c.at || !strings.Contains(diags[0].Detail, c.detail) {
			t.Errorf("%s:\n got %s: %s (at %q)\nwant %s: … %s … (at %q)", c.expr, diags[0].Summary, diags[0].Detail, at, c.summary, c.detail, c.at)
		}
	}
}

// What is right is not reported, in particular where the types are not known
// or a value may be null.
func TestInferAccepts(t *testing.T) {
	for _, expr := range []string{
		`[for a in step.answer.attempts : a.at_ms] == [0, 1000, 3000]`,
		`step.answer.attempts == []`,
		`step.answer.json.anything[0].goes == "here"`,
		`step.answer.json == null && step.answer.status != null`,
		`step.answer.json == 1 || step.answer.json == "a"`,
		`keys(step) == ["answer", "classify"]`,
		`[for name, s in step : name if s.retries > 0] == []`,
		`length(step) == 2`,
		`[for s in values(step) : s.status] == ["success"]`,
		`{ for s in steps : s.status => s... }["success"][0].status == "x"`,
		`max([for a in step.answer.attempts : a.at_ms]...) < 5000`,
		`"${step.answer.retries} retries" == "2 retries"`,
		`"${step.answer.retries}" == 2`,
		`try(step.answer.json.a, null) == 1`,
		`(run.status == "success" ? [] : null) == []`,
		`[1, null] == [null, 2]`,
		`concat(step.answer.attempts, []) == []`,
		`coalesce(step.answer.json, "a") == 1`,
		`metric("scenario_mock_fault_total", { step_id = "answer" }) == 2`,
		`spans({ name = "x" })[0].attributes["mock.fault_type"] == "timeout"`,
		`events()[0].something_else == 1`,
		`steps[0].attempts.0.at_ms == 0`,
		`step.answer.attempts["0"].at_ms == 0`,
		`step.answer.attempts[var.limit].at_ms == 0`,
		`steps[*].status == ["success"]`,
		`run.status[*] == ["success"]`,
		`{ (run.status) = 1, "b c" = 2, d : 3 }["b c"] == 2`,
		`[for run in steps : run.content] == [""]`,
		`step.answer.delays_ms == [1000]`,
		`sort(distinct(step.answer.delays_ms))[0] == 1000`,
	} {
		if _, diags := Infer(parseExpr(t, expr), conditionEnv()); len(diags) > 0 {
			t.Errorf("%s: %s", expr, diags)
		}
	}
}

// One mistake is one message: nothing is said about what depends on it, but
// independent mistakes are all reported.
func TestInferDoesNotCascade(t *testing.T) {
	for expr, want := range map[string]int{
		`step.anwser.nope.nope > "a" && !step.anwsre`:        3, // both names, and "a" as a number
		`[for a in nothing.there : a.nope + a.other] == "x"`: 2, // the root, and a tuple compared with a string
		`length(nothing) == "x" && lenght(step.answer.nope)`: 4,
		`{ a = nothing1, b = [nothing2, nothing3] }.c`:       4,
		`nothing ? nothing2 : "${nothing3}"`:                 3,
	} {
		if _, diags := Infer(parseExpr(t, expr), conditionEnv()); len(diags) != want {
			t.Errorf("%s: %d diagnostics, want %d: %v", expr, len(diags), want, diags)
		}
	}
}

// A condition is observed when it refers to the run or asks about it, wherever
// in the expression that is; a variable of a for expression that has the name
// of a root is not that root.
func TestObserved(t *testing.T) {
	for expr, want := range map[string]bool{
		`1 == 1`:                                     false,
		`var.limit == 1`:                             false,
		`[for run in [1] : run] == [1]`:              false,
		`length("abc") == 3`:                         false,
		`step.answer.retries == 1`:                   true,
		`true || step.answer.retries == 1`:           true,
		`[for x in [1] : x if run.status == "a"]`:    true,
		`[for a in step.answer.attempts : 1] == [1]`: true,
		`metric("x") == 1`:                           true,
		`"${step.answer.content}" == "a"`:            true,
		`step[var.limit] == null`:                    true,
		`{ (run.status) = 1 } == {}`:                 true,
		`[step.answer.json.a][0] == 1`:               true,
	} {
		if _, got, _ := InferObserved(parseExpr(t, expr), conditionEnv()); got != want {
			t.Errorf("InferObserved(%s) = %v, want %v", expr, got, want)
		}
	}
}

// The result has the shape that the expression shows.
func TestInferResult(t *testing.T) {
	for expr, want := range map[string]schema.ShapeKind{
		`1 + 1`: schema.ShapeNumber, `"a"`: schema.ShapeString, `"${1}"`: schema.ShapeNumber, `"a${1}"`: schema.ShapeString,
		`!true`: schema.ShapeBool, `1 < 2`: schema.ShapeBool, `null`: schema.ShapeNull, `[1]`: schema.ShapeTuple, `{}`: schema.ShapeObject,
		`(run.elapsed_ms)`: schema.ShapeNumber, `true ? 1 : null`: schema.ShapeNumber, `true ? 1 : "a"`: schema.ShapeUnknown,
		`upper("a")`: schema.ShapeString, `jsondecode("1")`: schema.ShapeUnknown, `step.answer.attempts[0].target`: schema.ShapeString,
	} {
		if got, diags := Infer(parseExpr(t, expr), conditionEnv()); got.Kind != want || len(diags) > 0 {
			t.Errorf("Infer(%s) = kind %d, want %d; %v", expr, got.Kind, want, diags)
		}
	}
}

// A policy says what it may refer to, and that a query belongs elsewhere.
func TestInferInAPolicy(t *testing.T) {
	env := &Env{Where: "a policy", Funcs: stdlib.Sigs(stdlib.List()), Roots: map[string]*schema.Shape{
		"var":   {Kind: schema.ShapeObject, Name: "variable", Within: "in this file", Attrs: map[string]*schema.Shape{}},
		"local": {Kind: schema.ShapeObject, Name: "local", Within: "in this file", Attrs: map[string]*schema.Shape{}},
	}}
	for expr, want := range map[string]string{
		`step.answer.retries`: "Only local and var can be used in a policy.",
		`metric("x")`:         "belongs in a condition. It cannot be called in a policy.",
		`var.x`:               `No variable "x" is declared in this file. Nothing is declared there.`,
	} {
		_, diags := Infer(parseExpr(t, expr), env)
		if len(diags) != 1 || !strings.Contains(diags[0].Detail, want) {
			t.Errorf("%s: %v, want %q", expr, diags, want)
		}
	}
}

// Query is asked about queries that are right so far, with the shapes of the
// arguments, and its findings are part of the result.
func TestInferQuery(t *testing.T) {
	env := conditionEnv()
	var asked []string
	env.Query = func(name string, call *hclsyntax.FunctionCallExpr, args []*schema.Shape) (*schema.Shape, hcl.Diagnostics) {
		asked = append(asked, fmt.Sprintf("%s/%d", name, len(args)))
		return nil, hcl.Diagnostics{{Severity: hcl.DiagError, Summary: "Unknown metric", Subject: call.Args[0].Range().Ptr()}}
	}
	_, diags := Infer(parseExpr(t, `metric("typo") == 1 && nothere("x") && metric()`), env)
	if got := strings.Join(asked, " "); got != "metric/1" {
		t.Errorf("Query was asked about %q, want metric/1 only", got)
	}
	if len(diags) != 3 || diags[0].Summary != "Unknown metric" {
		t.Errorf("diagnostics: %v", diags)
	}
}

// A chain of operators that would exhaust the stack is refused.
func TestInferRefusesDeepExpressions(t *testing.T) {
	_, diags := Infer(parseExpr(t, strings.Repeat("1+", 5000)+"1"), conditionEnv())
	if len(diags) != 1 || diags[0].Summary != tooDeepSummary {
		t.Errorf("%v, want one %q", diags, tooDeepSummary)
	}
	if _, diags := Infer(parseExpr(t, strings.Repeat("1+", 500)+"1"), conditionEnv()); len(diags) != 0 {
		t.Errorf("500 additions: %v", diags)
	}
}

// Whatever parses can be inferred: no panic, a shape that is not nil, and the
// same diagnostics every time.
func FuzzInfer(f *testing.F) {
	for _, fn := range stdlib.List() {
		for _, x := range fn.Examples {
			f.Add(x.Expr)
		}
	}
	for _, s := range []string{`step.answer.attempts[*].at_ms`, `[for a, b in step : a => b...]`, `"%{ if run.status == null }${var.x}%{ endif }"`, `{ (step) : 1 }[step["a"].b]`, `steps[*].*.a`, `-"a".b[0]`, `max(step...)`} {
		f.Add(s)
	}
	env := conditionEnv()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 2000 {
			return
		}
		e, diags := hclsyntax.ParseExpression([]byte(text), "fuzz.hcl", hcl.InitialPos)
		if e == nil {
			return
		}
		s, first := Infer(e, env)
		if s == nil {
			t.Fatalf("%q has no shape", text)
		}
		if _, second := Infer(e, env); first.Error() != second.Error() {
			t.Fatalf("%q: %s, then %s", text, first, second)
		}
		InferObserved(e, env)
		_ = diags
	})
}
