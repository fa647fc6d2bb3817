package constant_test

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/stdlib"
)

func find(t *testing.T, condition string) []constant.Finding {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(condition), "x", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", condition, diags)
	}
	return constant.Find(e, []byte(condition))
}

// Shows what is constant and why, and beside it what is a check all the same.
func TestFind(t *testing.T) {
	for _, c := range []struct{ condition, value, why string }{
		{`step.a.content == step.a.content`, "true", "both sides are the same"},
		{`step.a.content==  ( step.a.content )`, "true", "both sides are the same"},
		{`step.a.retries < step.a.retries`, "false", "both sides are the same"},
		{`step.a.content == "${step.a.content}"`, "true", "both sides are the same"},
		{`step.a.retries - step.a.retries == 0`, "true", "what is taken away is the same"},
		{`step.a.content == step.b.content`, "", ""},
		{`step.a["x y"] == step.a["xy"]`, "", ""},
		{`length(step.a.attempts) >= 0`, "true", "length() is never negative"},
		{`-1 < length(step.a.attempts)`, "true", "length() is never negative"},
		{`0 <= 1 + length(step.a.attempts)`, "true", "length() is never negative"},
		{`length(step.a.attempts) < 0`, "false", "length() is never negative"},
		{`length(step.a.attempts) != -1`, "true", "length() is never negative"},
		{`length(step.a.attempts) > 0`, "", ""},
		{`length(split(",", step.a.content)) >= 1`, "true", "split() has one element at least, also of an empty text"},
		{`length(split(",", step.a.content)) != 0`, "true", "split() has one element at least, also of an empty text"},
		{`length(split(",", step.a.content)) >= 2`, "", ""},
		{`length(split("", step.a.content)) >= 1`, "", ""},
		{`length(split(step.b.content, step.a.content)) >= 1`, "", ""},
		{`length(jsonencode(step.a.json)) > 0`, "true", "jsonencode() is never empty"},
		{`length(jsonencode(step.a.json)) > 2`, "", ""},
		{`(step.a.content == "x" ? 1 : 0.5) >= 0.5`, "true", "the numbers leave nothing else"},
		{`(step.a.content == "x" ? 1 : 0) >= 0.5`, "", ""},
		{`2 * length(step.a.attempts) >= 0`, "true", "length() is never negative"},
		{`length(step.a.attempts) * length(split(",", step.a.content)) >= 1`, "", ""},
		{`metric("scenario_retries_total", {}) >= 0`, "true", "metric() is never negative"},
		{`max(step.a.x, 3) >= 3`, "true", "the numbers leave nothing else"},
		{`max(step.a.x, 3) > 3`, "", ""},
		{`alltrue([for e in events({ type = "step_end" }) : e.at_ms >= 0])`, "true", "that is so for every element"},
		{`alltrue([for s in spans({}) : s.end_ms >= 0 && s.start_ms > -1])`, "true", "that is so for every element"},
		{`alltrue([for e in events({ type = "step_end" }) : e.at_ms > 0])`, "", ""},
		{`alltrue([for e in jsondecode(step.a.body) : e.at_ms >= 0])`, "", ""},
		{`step.a.elapsed_ms >= 0`, "true", "elapsed_ms is never negative"},
		{`step.a.json.elapsed_ms >= 0`, "", ""},
		{`[for step in xs : step if step.a.elapsed_ms >= 0] == ys`, "", ""},
		{`regexmatch("", step.a.content)`, "true", "the pattern matches every string"},
		{`regexmatch("^.*", step.a.content)`, "true", "the pattern matches every string"},
		{`regexmatch("(a|b*)?$", step.a.content)`, "true", "the pattern matches every string"},
		{`regexmatch("$9.99", step.a.content)`, "false", "the pattern matches no string"},
		{`!regexmatch("price: $9", step.a.content)`, "true", "the pattern matches no string"},
		{`regexmatch("a^b|x$y", step.a.content)`, "false", "the pattern matches no string"},
		{`regexmatch("(a|$)(b|^)c", step.a.content)`, "", ""},
		{`regexmatch("(?m)a$\nb", step.a.content)`, "", ""},
		{`regexmatch("a+$", step.a.content)`, "", ""},
		{`regexmatch("a\\$9", step.a.content)`, "", ""},
		{`regexmatch("\\Bx\\b", step.a.content)`, "", ""},
		{`regexmatch("^$", step.a.content)`, "", ""},
		{`regexmatch("^.*$", step.a.content)`, "", ""}, // not with a line break
		{`regexmatch("a*\\b", step.a.content)`, "", ""},
		{`regexmatch(".+", step.a.content)`, "", ""},
		{`strcontains(step.a.content, "")`, "true", "every string contains the empty one"},
		{`startswith(step.a.content, step.a.content)`, "true", "both strings are the same"},
		{`contains(step.a.delays_ms, "")`, "", ""},
		{`contains(["x", step.a.content], step.a.content)`, "true", "the list has the value itself"},
		{`contains([], step.a.content)`, "false", "the list is empty"},
		{`can(step.a.status)`, "true", "what can() asks about can always be evaluated"},
		{`can(step.a)`, "true", "what can() asks about can always be evaluated"},
		{`can(step.a.json.count)`, "", ""},
		{`can(step.a.attempts[1])`, "", ""},
		{`[for e in events({}) : e if can(e.step)] == []`, "", ""},
		{`try(length(step.a.attempts) >= 0, true)`, "true", "length() is never negative"},
		{`try(length(step.a.attempts) >= 0, false)`, "", ""}, // it may be null
		{`can(length(step.a.attempts) >= 0)`, "", ""},
		{`try(step.a.json.ok, true)`, "", ""},
		{`step.a != null`, "true", "the value is never null"},
		{`step.a.error == null`, "", ""},
		{`length(step.a.attempts) == null`, "false", "the value is never null"},
		{`alltrue([for a in step.a.attempts : a.n == a.n])`, "true", "that is so for every element"},
		{`alltrue([for a in step.a.attempts : a.at_ms >= 0])`, "true", "that is so for every element"},
		{`alltrue([for a in endpoint.a.attempts : a.n >= 1])`, "true", "that is so for every element"},
		{`alltrue([for i, d in step.a.delays_ms : 0 <= d])`, "true", "that is so for every element"},
		{`[for a in step.a.attempts : a if a.started_at_ms < 0] == []`, "true", "both lists are always empty"},
		{`alltrue([for a in step.a.attempts : a.n >= 2])`, "", ""},
		{`alltrue([for a in step.a.attempts : a.at_ms > 0])`, "", ""},
		{`alltrue([for a in step.a.json.attempts : a.at_ms >= 0])`, "", ""},
		{`alltrue([for a in local.attempts : a.at_ms >= 0])`, "", ""},
		{`alltrue([for a in step.a.attempts : alltrue([for a in xs : a.at_ms >= 0])])`, "", ""},
		{`alltrue([for a in step.a.attempts : a.gap_ms >= 0])`, "", ""}, // the first has none
		{`alltrue([for a in step.a.attempts : true])`, "true", "that is so for every element"},
		{`anytrue([for a in step.a.attempts : length(a.x) < 0])`, "false", "that is so for every element"},
		{`alltrue([for a in step.a.attempts : a.n == 1 if length(a.x) < 0])`, "true", "the list is always empty"},
		{`[for a in step.a.attempts : a if a.n != a.n] == []`, "true", "both lists are always empty"},
		{`length([for a in step.a.attempts : a if a.n != a.n]) == 0`, "true", "the list is always empty"},
		{`alltrue([for a in step.a.attempts : a.n == 1])`, "", ""},
		{`step.a.status != "failed" || step.a.status != "timeout"`, "true", "one part holds wherever another does not"},
		{`step.a.status != "failed" || step.b.status != "timeout"`, "", ""},
		{`step.a.status != "failed" && step.a.status != "timeout"`, "", ""},
		{`step.a.status == "failed" && "timeout" == step.a.status`, "false", "two parts exclude each other"},
		{`step.a.retries > 1 || step.a.x || step.a.retries <= 1`, "true", "one part is the opposite of another"},
		{`step.a.retries > 1 || 3 > step.a.retries`, "true", "one part holds wherever another does not"},
		{`step.a.retries > 3 || step.a.retries < 3`, "", ""},
		{`step.a.retries >= 3 || step.a.retries < 3`, "true", "one part is the opposite of another"},
		{`step.a.x == true || step.a.x == false`, "", ""}, // it may be null
		{`step.a.x || !step.a.x`, "true", "one part is the opposite of another"},
		{`true || step.a.x`, "true", "one part is written out as true"},
		{`step.a.x && false`, "false", "one part is written out as false"},
		{`step.a.x || false`, "", ""},
		{`step.a.x ? step.b.x == step.b.x : true`, "true", "both results are the same"},
		{`(length(step.a.attempts) >= 0) == true`, "true", "both sides are constant"},
		{`!(length(step.a.attempts) < 0)`, "true", "length() is never negative"},
		{`var.x == var.x`, "", ""},
		{`length(var.list) >= 0`, "", ""},
	} {
		got := find(t, c.condition)
		if c.value == "" {
			if len(got) > 0 {
				t.Errorf("%s: is no constant, but %v: %s", c.condition, got[0].Value, got[0].Why)
			}
			continue
		}
		if len(got) != 1 || !got[0].Whole || fmt.Sprint(got[0].Value) != c.value || got[0].Why != c.why || got[0].Hint == "" {
			t.Errorf("%s: %+v", c.condition, got)
		}
	}
}

// Shows that a part is named where the whole is a check.
func TestParts(t *testing.T) {
	const condition = `step.a.content == "x" && (length(step.a.attempts) >= 0) && step.b.x == (step.c.y == step.c.y)`
	got := find(t, condition)
	if len(got) != 2 {
		t.Fatalf("%+v", got)
	}
	for i, part := range []string{`length(step.a.attempts) >= 0`, `step.c.y == step.c.y`} {
		if text := string(got[i].Range.SliceBytes([]byte(condition))); text != part || got[i].Whole {
			t.Errorf("%q, and not %q", text, part)
		}
	}
}

// Shows that a constant is found however deep it is written, and in what is joined
// with it: the generator makes nothing else.
func TestGeneratedConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 3000 {
		condition := constantOf(r, 3, r.IntN(2) == 0)
		if got := find(t, condition); len(got) != 1 || !got[0].Whole {
			t.Fatalf("%s: %+v", condition, got)
		}
	}
}

// constantOf writes a condition that has one value in every run.
func constantOf(r *rand.Rand, depth int, value bool) string {
	x := []string{"step.a.content", "step.a.attempts[0].n", "run.output.x", "step.b.json[\"k\"]"}[r.IntN(4)]
	if depth > 0 && r.IntN(3) > 0 {
		inner := constantOf(r, depth-1, value)
		return []string{
			"(" + inner + ")", "!(" + constantOf(r, depth-1, !value) + ")",
			parenthesised(inner) + " || " + parenthesised(constantOf(r, depth-1, value)), parenthesised(inner) + " && " + parenthesised(constantOf(r, depth-1, value)),
			"step.c.x ? " + parenthesised(inner) + " : " + parenthesised(constantOf(r, depth-1, value)), "try(" + inner + ", " + constantOf(r, depth-1, value) + ")",
		}[r.IntN(6)]
	}
	if value {
		return []string{x + " == " + x, "length(" + x + ") >= 0", `strcontains(` + x + `, "")`, `regexmatch("x*", ` + x + `)`, "can(step.a.error)", x + ` != "a" || ` + x + ` != "b"`, "step.c != null"}[r.IntN(7)]
	}
	return []string{x + " != " + x, "length(" + x + ") < 0", x + " > " + x, x + ` == "a" && ` + x + ` == "b"`, "step.c == null", "length(" + x + ") == -3"}[r.IntN(6)]
}

func parenthesised(s string) string { return "(" + s + ")" }

// Shows that nothing is called constant that can be both: random conditions are
// evaluated with random values, and none of them contradicts.
func TestNeverWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	called, evaluated, functions := 0, 0, stdlib.Functions()
	for range 10000 {
		condition := random(r, 4)
		e, diags := hclsyntax.ParseExpression([]byte(condition), "x", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", condition, diags)
		}
		for _, f := range constant.Find(e, []byte(condition)) {
			if !f.Whole {
				continue
			}
			called++
			dsl.Strict(e)
			for range 20 {
				v, diags := e.Value(&hcl.EvalContext{Functions: functions, Variables: world(r)})
				if diags.HasErrors() || v.IsNull() || !v.IsKnown() {
					continue
				}
				if evaluated++; v.True() != f.Value {
					t.Fatalf("%s: is said to be always %v (%s), and is not", condition, f.Value, f.Why)
				}
			}
		}
	}
	if called < 500 || evaluated < 3000 {
		t.Errorf("%d constants, evaluated %d times", called, evaluated)
	}
}

// world gives what conditions read a value each, null and empty ones among them.
func world(r *rand.Rand) map[string]cty.Value {
	number := func() cty.Value { return cty.NumberIntVal(int64(r.IntN(5))) }
	text := func() cty.Value {
		return []cty.Value{cty.StringVal(""), cty.StringVal("a"), cty.StringVal("b"), cty.StringVal("ab"), cty.NullVal(cty.String)}[r.IntN(5)]
	}
	list := make([]cty.Value, r.IntN(3))
	for i := range list {
		list[i] = number()
	}
	step := func() cty.Value {
		return cty.ObjectVal(map[string]cty.Value{"content": text(), "retries": number(), "attempts": cty.TupleVal(list), "done": cty.BoolVal(r.IntN(2) == 0)})
	}
	return map[string]cty.Value{"step": cty.ObjectVal(map[string]cty.Value{"a": step(), "b": step()})}
}

// random writes a condition.
func random(r *rand.Rand, depth int) string {
	if depth == 0 {
		return []string{"true", "false", "step.a.done", "step.b.done"}[r.IntN(4)]
	}
	one := func() string { return parenthesised(random(r, depth-1)) }
	switch r.IntN(13) {
	case 0:
		return one() + " && " + one()
	case 1:
		return one() + " || " + one()
	case 2:
		return "!" + one()
	case 3:
		return one() + " ? " + one() + " : " + one()
	case 4, 5:
		return number(r) + " " + []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)] + " " + number(r)
	case 6:
		return word(r) + []string{" == ", " != "}[r.IntN(2)] + word(r)
	case 7:
		n, op := number(r), func() string { return []string{"<", "<=", ">", ">=", "==", "!="}[r.IntN(6)] }
		return fmt.Sprintf("%s %s %d %s %s %s %d", n, op(), r.IntN(4), []string{"&&", "||"}[r.IntN(2)], n, op(), r.IntN(4))
	case 8:
		w, op := word(r), func() string { return []string{"==", "!="}[r.IntN(2)] }
		return fmt.Sprintf("%s %s %s %s %s %s %s", w, op(), word(r), []string{"&&", "||"}[r.IntN(2)], w, op(), word(r))
	case 9:
		return []string{"alltrue", "anytrue"}[r.IntN(2)] + "([for n in step.a.attempts : " + random(r, depth-1) + " if " + random(r, depth-1) + "])"
	case 10:
		return fmt.Sprintf("regexmatch(%q, %s)", []string{"", "a*", "^", "$", "^$", "a|b*", "(a?)+$", "^a", "\\b", "(^a)?"}[r.IntN(10)], word(r))
	case 11:
		return []string{"strcontains", "startswith", "endswith"}[r.IntN(3)] + "(" + word(r) + ", " + word(r) + ")"
	}
	return []string{"can", "tobool", "try"}[r.IntN(3)] + "(" + []string{random(r, depth-1), "step.a.done", "step.a.attempts[1] == 1"}[r.IntN(3)] + ")"
}

func number(r *rand.Rand) string {
	return []string{"0", "1", "-1", "step.a.retries", "step.b.retries", "length(step.a.attempts)", "length([for n in step.a.attempts : n if n > 1])", "length([for n in step.a.attempts : n if n > n])", "(step.a.retries + 1)", "abs(step.b.retries)", "max(step.a.retries, 2)", "min(step.b.retries, 2)", "-step.a.retries"}[r.IntN(13)]
}

func word(r *rand.Rand) string {
	return []string{`"a"`, `"b"`, `""`, "null", "step.a.content", "step.b.content", "step.a"}[r.IntN(7)]
}

// Shows that none of the conditions that people have written is called constant.
func TestRealConditions(t *testing.T) {
	seen := 0
	for _, root := range []string{"../../../../scenarios", "../../../../examples"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			file, diags := dsl.Parse(path, source)
			if diags.HasErrors() {
				return nil
			}
			for _, b := range file.Body.Blocks {
				b.EachWritten(func(_ *dsl.Block, name string, e hclsyntax.Expression) {
					if name != "condition" {
						return
					}
					seen++
					for _, f := range constant.Find(e, source) {
						t.Errorf("%s: %s", f.Range, f.Why)
					}
				})
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 500 {
		t.Errorf("only %d conditions", seen)
	}
}
