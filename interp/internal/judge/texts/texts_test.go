package texts_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/scenario-lang/scenario/dsl"
	"github.com/scenario-lang/scenario/interp/internal/judge/texts"
	"github.com/scenario-lang/scenario/stdlib"
)

// conditions are expressions.
func conditions(t *testing.T, sources ...string) (list []hclsyntax.Expression) {
	t.Helper()
	for _, source := range sources {
		e, diags := hclsyntax.ParseExpression([]byte(source), "a.hcl", hcl.InitialPos)
		if diags.HasErrors() {
			t.Fatalf("%s: %s", source, diags)
		}
		list = append(list, e)
	}
	return list
}

// context is that of a run in which an endpoint was sent some statements.
func context(statements ...string) *hcl.EvalContext {
	var attempts []cty.Value
	for _, s := range statements {
		message := cty.ObjectVal(map[string]cty.Value{"content": cty.StringVal(s)})
		json := cty.ObjectVal(map[string]cty.Value{"messages": cty.TupleVal([]cty.Value{cty.ObjectVal(map[string]cty.Value{"content": cty.StringVal("Be kind.")}), message})})
		attempts = append(attempts, cty.ObjectVal(map[string]cty.Value{
			"status_code": cty.NumberIntVal(200), "request": cty.ObjectVal(map[string]cty.Value{"statement": cty.StringVal(s), "json": json}),
		}))
	}
	list := cty.ObjectVal(map[string]cty.Value{"attempts": cty.TupleVal(attempts)})
	functions := map[string]function.Function{}
	for name, f := range stdlib.Functions() {
		functions[name] = f
	}
	return &hcl.EvalContext{Functions: functions, Variables: map[string]cty.Value{
		"endpoint": cty.ObjectVal(map[string]cty.Value{"shop": list}),
	}}
}

// Shows that a search in the first attempt which finds nothing fails where another attempt has it,
// and holds where none has it, where checks tell the attempts apart, or where it came from a service.
func TestSearchesInTheFirstOfSeveral(t *testing.T) {
	const first = `endpoint.shop.attempts[0].request.statement`
	for _, c := range []struct {
		condition string
		others    []string // further checks
		told      string
		found     bool
	}{
		{condition: `!strcontains(lower(` + first + `), "delete")`, found: true},
		{condition: `strcontains(` + first + `, "SELECT") && !strcontains(` + first + `, "DELETE")`, found: true},
		{condition: `!regexmatch("(?i)delete|drop", ` + first + `)`, found: true},
		{condition: `length(regexall("DELETE", ` + first + `)) == 0`, found: true},
		{condition: `[for m in endpoint.shop.attempts[0].request.json.messages : m if strcontains(m.content, "DELETE")] == []`, found: true},
		{condition: `!anytrue([for m in endpoint.shop.attempts[0].request.json.messages[*].content : strcontains(m, "DELETE")])`, found: true},
		{condition: `!strcontains(jsonencode(endpoint.shop.attempts[0].request.json), "DELETE")`, found: true},
		{condition: `!strcontains(` + first + `, "DELETE")`, others: []string{`length(endpoint.shop.attempts) == 2`}, found: true},

		{condition: `!strcontains(` + first + `, "DROP")`},
		{condition: `strcontains(` + first + `, "SELECT")`},
		{condition: `!strcontains(endpoint.shop.attempts[1].request.statement, "SELECT")`},
		{condition: `!strcontains(endpoint.shop.attempts[0].request.json.messages[0].content, "SELECT")`},
		{condition: `!strcontains(` + first + `, "DELETE") && strcontains(endpoint.shop.attempts[1].request.statement, "DELETE")`},
		{condition: `!strcontains(` + first + `, "DELETE")`, others: []string{`endpoint.shop.attempts[1].request.statement == "DELETE FROM users"`}},
		{condition: `!strcontains(` + first + `, "DELETE")`, others: []string{`length([for a in endpoint.shop.attempts : a if strcontains(a.request.statement, "DELETE")]) == 1`}},
		{condition: `!strcontains(` + first + `, "DELETE")`, told: "Then delete from users, as in DELETE FROM users"},
		{condition: `endpoint.shop.attempts[0].status_code == 200 || strcontains(` + first + `, "DELETE")`},
	} {
		ctx := context("SELECT id FROM users", "DELETE FROM users")
		e := conditions(t, c.condition)
		if v, diags := dsl.Evaluate(e[0], ctx); diags.HasErrors() || !v.RawEquals(cty.True) {
			t.Fatalf("%s: %#v %s", c.condition, v, diags)
		}
		checks := func() []hclsyntax.Expression { return append(e, conditions(t, c.others...)...) }
		why := texts.InAnother(e[0], ctx, checks, func() []string { return []string{c.told} })
		if found := strings.Contains(why, "it looks into endpoint.shop.attempts[0] alone: what it looks for is in endpoint.shop.attempts[1]"); found != c.found || !found && why != "" {
			t.Errorf("%s: %q, want %t", c.condition, why, c.found)
		}
	}
}

// Shows that a number which is not found because it is written with other signs between its digits,
// or with none, is found, unless it is a date, a short one or a part of another one, or the checks
// ask how it is written.
func TestNumbersWrittenOtherwise(t *testing.T) {
	const text = `endpoint.shop.attempts[0].request.statement`
	for _, c := range []struct {
		said, condition string
		others          []string
		found           bool
	}{
		{said: "My phone is +49 151 23456789.", condition: `!strcontains(` + text + `, "+4915123456789")`, found: true},
		{said: "My phone is +4915123456789.", condition: `!strcontains(` + text + `, "+49 151 23456789")`, found: true},
		{said: "My phone is +49 (151) 2345-6789.", condition: `!strcontains(` + text + `, "+49 151/23456789")`, found: true},
		{said: "call 555.123.4567", condition: `!strcontains(lower(` + text + `), "5551234567")`, found: true},
		{said: "card 4111 1111 1111 1111", condition: `!strcontains(` + text + `, "4111111111111111")`, found: true},
		{said: "card 4111-1111-1111-1111", condition: `!regexmatch("\\b\\d{13,16}\\b", ` + text + `)`, found: true},
		{said: "call +49 151 23456789", condition: `!regexmatch("\\b\\d{11,13}\\b", ` + text + `)`, found: true},
		{said: "card 4111 1111 1111 1111", condition: `length(regexall("4111\\d+", ` + text + `)) == 0`, found: true},

		{said: "My phone is [phone].", condition: `!strcontains(` + text + `, "+4915123456789")`},
		{said: "call +49 151 23456780", condition: `!strcontains(` + text + `, "+4915123456789")`},
		{said: "order 149 151 23456789", condition: `!strcontains(` + text + `, "4915123456789")`},
		{said: "on 2024-01-15", condition: `!strcontains(` + text + `, "20240115")`},
		{said: "on 20240115", condition: `!strcontains(` + text + `, "2024-01-15")`},
		{said: "at 2024-01-15 10-30", condition: `!regexmatch("\\d{10}", ` + text + `)`},
		{said: "10 20 30", condition: `!strcontains(` + text + `, "102030")`},
		{said: "id 3f2504e0-4f89-41d3-9a0c-0305e82c3301", condition: `!regexmatch("\\d{13,16}", ` + text + `)`},
		{said: "+4915123456789", condition: `!strcontains(` + text + `, "+49 151 23456789")`, others: []string{text + ` == "+4915123456789"`}},
		{said: "+4915123456789", condition: `!strcontains(` + text + `, "+49 151 23456789") && strcontains(` + text + `, "+4915123456789")`},
		{said: "+49 151 23456789", condition: `!strcontains(` + text + `, " 5")`},
	} {
		ctx := context(c.said)
		e := conditions(t, c.condition)
		if v, diags := dsl.Evaluate(e[0], ctx); diags.HasErrors() || !v.RawEquals(cty.True) {
			t.Fatalf("%s: %#v %s", c.condition, v, diags)
		}
		checks := func() []hclsyntax.Expression { return append(e, conditions(t, c.others...)...) }
		how := texts.Found(e[0], ctx, cty.True, checks)
		if found := how == texts.Numbers; found != c.found || !found && how != "" {
			t.Errorf("%s of %q: %q, want %t", c.condition, c.said, how, c.found)
		}
	}
}

// Shows that what a scenario's other checks say, and what services answered, is asked for only where
// something depends on it: a scenario of many checks and answers would else be read once for each.
func TestOthersAreReadWhereTheyMatter(t *testing.T) {
	const first = `endpoint.shop.attempts[0].request.statement`
	checks := func() []hclsyntax.Expression {
		t.Error("the checks are read")
		return nil
	}
	told := func() []string {
		t.Error("the answers are read")
		return nil
	}
	ctx := context("INSERT INTO calls VALUES ('+49 151 23456789', 'a%40b')", "DELETE FROM users")
	for _, condition := range []string{
		`strcontains(` + first + `, "INSERT")`, `!strcontains(endpoint.shop.attempts[1].request.statement, "DROP")`, `length(endpoint.shop.attempts) == 2`,
		`alltrue([for a in endpoint.shop.attempts : !strcontains(a.request.statement, "+4915123456780")])`,
	} {
		e := conditions(t, condition)[0]
		if how := texts.Found(e, ctx, cty.True, checks); how != "" {
			t.Errorf("%s: %s", condition, how)
		}
		if !strings.Contains(condition, first) {
			if why := texts.InAnother(e, ctx, checks, told); why != "" {
				t.Errorf("%s: %s", condition, why)
			}
		}
	}
}
