package found_test

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/json"

	"github.com/scenario-lang/scenario/interp/internal/judge/found"
	"github.com/scenario-lang/scenario/stdlib"
)

func parse(t *testing.T, source string) hclsyntax.Expression {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(source), "a.hcl", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatalf("%s: %s", source, diags)
	}
	return e
}

// read is what a run gives conditions to read: the texts of some requests, both as a body and as a
// statement, their JSON where they are that, and the first of them as the output.
func read(t *testing.T, texts ...string) *hcl.EvalContext {
	t.Helper()
	var attempts []cty.Value
	for _, text := range texts {
		value := cty.NullVal(cty.DynamicPseudoType)
		if strings.HasPrefix(text, "{") {
			typ, err := json.ImpliedType([]byte(text))
			if err != nil {
				t.Fatal(err)
			}
			if value, err = json.Unmarshal([]byte(text), typ); err != nil {
				t.Fatal(err)
			}
		}
		attempts = append(attempts, cty.ObjectVal(map[string]cty.Value{"request": cty.ObjectVal(map[string]cty.Value{
			"body": cty.StringVal(text), "statement": cty.StringVal(text), "json": value,
		})}))
	}
	return &hcl.EvalContext{Functions: stdlib.Functions(), Variables: map[string]cty.Value{
		"endpoint": cty.ObjectVal(map[string]cty.Value{"x": cty.ObjectVal(map[string]cty.Value{"attempts": cty.TupleVal(attempts)})}),
		"sut":      cty.ObjectVal(map[string]cty.Value{"stdout": cty.StringVal(texts[0])}),
	}}
}

// elsewhere is what is told of a condition; told is what services answered, and others are checks
// beside it.
func elsewhere(t *testing.T, condition string, ctx *hcl.EvalContext, hide func(string) string, told string, others ...string) string {
	t.Helper()
	e := parse(t, condition)
	return found.Elsewhere(e, ctx, found.About{
		Checks: func() []hclsyntax.Expression {
			list := []hclsyntax.Expression{e}
			for _, other := range others {
				list = append(list, parse(t, other))
			}
			return list
		},
		Told: func() []string { return []string{told} },
		Hide: hide,
	})
}

func plainly(text string) string { return text }

// Shows that a text is told of that stands in longer words alone, and which: numbers, models, tables
// and names that go on. What is meant as a part of a word, or stands by itself as well, is not.
func TestTextsInLongerWords(t *testing.T) {
	for _, c := range []struct {
		text, condition string
		stands          string // the longer word, "" where nothing is told
	}{
		{"SELECT id FROM orders LIMIT 1000", `strcontains(sut.stdout, "LIMIT 10")`, "1000"},
		{"SELECT id FROM orders LIMIT 1000", `strcontains(lower(sut.stdout), "limit 10")`, "1000"},
		{"SELECT id FROM orders LIMIT 1000", `endpoint.x.attempts != [] && strcontains(sut.stdout, "LIMIT 10")`, "1000"},
		{"SELECT id FROM orders LIMIT 1000", `regexmatch("(?i)limit 10", sut.stdout)`, "1000"},
		{"SELECT id FROM orders LIMIT 1000", `startswith(sut.stdout, "SELECT id FROM orders LIMIT 10")`, "1000"},
		{"SELECT id FROM orders LIMIT 1000", `alltrue([for a in endpoint.x.attempts : strcontains(a.request.statement, "LIMIT 10")])`, "1000"},
		{"SELECT id FROM orders_archive", `strcontains(sut.stdout, "FROM orders")`, "orders_archive"},
		{"12 imported, 10 failed", `endswith(sut.stdout, "0 failed")`, "10"},
		{"12 imported, 10 failed", `strcontains(sut.stdout, "0 failed")`, "10"},
		{"total: 1.55 EUR", `strcontains(sut.stdout, "1.5")`, "1.55"},
		{"total: 12.50 EUR", `strcontains(sut.stdout, "total: 12")`, "12.50"},
		{"take 0.5 mg", `strcontains(sut.stdout, "5 mg")`, "0.5"},
		{`{"model":"gpt-4o-mini"}`, `strcontains(endpoint.x.attempts[0].request.body, "gpt-4o")`, "gpt-4o-mini"},
		{`{"model": "gpt-4.1"}`, `strcontains(endpoint.x.attempts[0].request.body, "gpt-4")`, "gpt-4.1"},
		{"Anna's shop", `strcontains(sut.stdout, "Ann")`, "Anna"},

		{"SELECT id FROM orders LIMIT 10", `strcontains(sut.stdout, "LIMIT 10")`, ""},
		{"LIMIT 1000 of LIMIT 10", `strcontains(sut.stdout, "LIMIT 10")`, ""},
		{"LIMIT 1000", `strcontains(sut.stdout, "LIMIT 10") || strcontains(sut.stdout, "LIMIT")`, ""},
		{"LIMIT 1000", `strcontains(sut.stdout, "LIMIT 10") == (sut.stdout == "")`, ""},
		{"LIMIT 1000", `!strcontains(sut.stdout, "LIMIT 2")`, ""},
		{"refused, timeouts, Anna", `strcontains(sut.stdout, "refus") && strcontains(sut.stdout, "timeout")`, ""},
		{"Timeouts: 3", `strcontains(sut.stdout, "Timeout")`, ""},
		{"+4915123456789", `strcontains(sut.stdout, "+49")`, ""},
		{"2026-11-28T10:00", `startswith(sut.stdout, "20")`, ""},
		{"HTTP/1.1 200 OK", `strcontains(sut.stdout, "HTTP/1")`, ""},
		{"on 28.11.2026", `strcontains(sut.stdout, "28")`, ""},
		{"total: 12.00", `strcontains(sut.stdout, "total: 12")`, ""},
		{`"v\n10 items"`, `strcontains(sut.stdout, "10 items")`, ""},
		{`"\u00e410 items"`, `strcontains(sut.stdout, "10 items")`, ""},
		{`{"model":"gpt-4o-2024-08-06"}`, `strcontains(endpoint.x.attempts[0].request.body, "gpt-4o")`, ""},
		{`{"model":"gpt-4o-latest"}`, `strcontains(endpoint.x.attempts[0].request.body, "gpt-4o")`, ""},
		{`{"key":"order-7-retry"}`, `strcontains(endpoint.x.attempts[0].request.body, "order-7")`, ""},
		{"SELECT id FROM orders WHERE customer_id = 7", `strcontains(sut.stdout, "customer")`, ""},
	} {
		why := elsewhere(t, c.condition, read(t, c.text), plainly, "Hello Ann. Timed out.")
		if (why != "") != (c.stands != "") || !strings.Contains(why, c.stands) {
			t.Errorf("%s of %q: %q, want one of %q", c.condition, c.text, why, c.stands)
		}
	}
}

// Shows that what is written right behind a word, as behind a piece of an answer, is told of.
func TestTextsBehindAPiece(t *testing.T) {
	for text, want := range map[string]bool{
		"The dose is 5The dose is 50 mg.\nThe dose is 50 mg.\n": true,
		"The dose is 50 mg.\n":                false,
		"The dose is 5\nThe dose is 50 mg.\n": false,
		`{"text":"so\nThe dose is 50 mg."}`:   false,
	} {
		why := elsewhere(t, `strcontains(sut.stdout, "The dose is 50 mg.")`, read(t, text), plainly, "")
		if strings.Contains(why, `stands behind "5"`) != want || !want && why != "" {
			t.Errorf("%q: %q", text, why)
		}
	}
	if why := elsewhere(t, `strcontains(sut.stdout, "Error: no such file")`, read(t, "ValueError: no such file"), plainly, ""); why != "" {
		t.Errorf("the name of an exception: %s", why)
	}
}

// Shows that a word for what failed is told of where it is said of nothing alone.
func TestFailuresOfWhichThereAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"2 imported, 0 failed":            `"0 failed"`,
		"done. no failed items":           `"no failed"`,
		"done (without failed items)":     `"without failed"`,
		"failed: 0\n":                     `"failed: 0"`,
		"{\"ok\": 2, \"failed\":0}":       `failed\":0`,
		"1 imported, 1 failed":            "",
		"2 imported, 10 failed":           "",
		"0 imported, failed: 2":           "",
		"0 failed, then failed again":     "",
		"failed: 0.5 %":                   "",
		"the import failed":               "",
		"volume 3.0 failed":               "",
		"do you know\nfailed to read":     "",
		"failed to find: 0 orders, sorry": "",
	} {
		why := elsewhere(t, `strcontains(lower(sut.stdout), "failed")`, read(t, text), plainly, "")
		if (why != "") != (want != "") || !strings.Contains(why, want) {
			t.Errorf("%q: %q, want %q", text, why, want)
		}
	}
}

// Shows the same of any word that a program counts, with the number 0 alone: a part of a word, another
// number, what may be no count, and a member of a request are not told of.
func TestWordsOfWhichThereAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"paid: 3, declined: 0\n":            `"declined: 0"`,
		"paid: 3, declined: 0":              `"declined: 0"`,
		"declined: 0, paid: 3":              `such as "declined: 1"`,
		"paid=3 declined=0\n":               `"declined=0"`,
		"3 paid, 0 declined":                `"0 declined"`,
		"0 declined\n3 paid":                `such as "1 declined"`,
		"3 paid and 0 declined":             `"0 declined"`,
		"{\"paid\": 3, \"declined\": 0}":    `declined\": 0"`,
		"{\"declined\":\"0\"}":              `declined`,
		"declined: 0\ndeclined: 0\n":        `"declined: 0"`,
		"paid: 2, declined: 1":              "",
		"paid: 2, declined: 10":             "",
		"declined: 0, and c2 was declined":  "",
		"declined: 0.5 %":                   "",
		"declined: 0,5 %":                   "",
		"declined: 0s":                      "",
		"10 declined":                       "",
		"code 0 declined":                   "",
		"c2 declined":                       "",
		"declined: none, or undeclined":     "",
		"no declined cards were seen today": "",
	} {
		why := elsewhere(t, `strcontains(sut.stdout, "declined")`, read(t, text), plainly, "")
		if (why != "") != (want != "") || !strings.Contains(why, want) {
			t.Errorf("%q: %q, want %q", text, why, want)
		}
	}
	for condition, want := range map[string]bool{
		`strcontains(sut.stdout, "temperature")`:                          true,
		`regexmatch("temperature", sut.stdout)`:                           true,
		`strcontains(endpoint.x.attempts[0].request.body, "temperature")`: false,
		`strcontains(sut.stdout, "\"temperature\"")`:                      true,
		`strcontains(sut.stdout, "\"temperature\": 0")`:                   false,
		`strcontains(sut.stdout, "temperature\":")`:                       true,
		`!strcontains(sut.stdout, "declined")`:                            false,
		`strcontains(sut.stdout, "temp")`:                                 false,
	} {
		if why := elsewhere(t, condition, read(t, `{"model": "m", "temperature": 0}`), plainly, ""); (why != "") != want {
			t.Errorf("%s: %q", condition, why)
		}
	}
}

// Shows that a text is told of that stands in several places of a request, and which, unless a check
// reads the one that is meant.
func TestTextsInSeveralPlaces(t *testing.T) {
	const (
		said    = `{"model":"m","messages":[{"role":"user","content":"Rain?"},{"role":"assistant","content":"Hm."},{"role":"tool","content":"Rain, 12 degrees"}]}`
		silent  = `{"model":"m","messages":[{"role":"user","content":"Rain?"},{"role":"assistant","content":"Hm."},{"role":"tool","content":"ok"}]}`
		claude  = `{"model":"m","system":"Say if there is Rain.","messages":[{"role":"user","content":"Hm?"},{"role":"assistant","content":"Hm."},{"role":"user","content":[{"type":"tool_result","content":"ok"}]}]}`
		asked   = `{"model":"m","messages":[{"role":"user","content":"Rain?"}]}`
		another = `{"model":"m","messages":[{"role":"user","content":"Rain?"},{"role":"assistant","content":"Hm."},{"role":"user","content":"And?"}]}`
		tools   = `{"messages":[{"role":"user","content":"Hm?"}],"tools":[{"name":"Rain","description":"Rain of a day"}]}`
		list    = `{"days":[{"sky":"Rain"},{"sky":"Rain"}]}`
		format  = `{"messages":[{"role":"user","content":"Rain?"}],"format":{"type":"Rain"}}`

		body = `strcontains(endpoint.x.attempts[1].request.body, "Rain")`
	)
	for _, c := range []struct {
		first, second string // requests
		condition     string
		others        string
		want          string
	}{
		{asked, said, body, "", `in messages[0].content and in messages[2].content`},
		{asked, said, `strcontains(jsonencode(endpoint.x.attempts[1].request.json), "Rain")`, "", `strcontains(….request.json.messages[2].content, "Rain")`},
		{asked, said, `strcontains(lower(endpoint.x.attempts[1].request.body), "rain")`, "", `strcontains(lower(….request.json.messages[2].content), "rain")`},
		{asked, silent, body, "", `in messages[0].content alone, and not in the result of the tool`},
		{asked, claude, body, "", `in system alone, and not in the result of the tool`},
		{asked, format, body, "", `in format.type and in messages[0].content`},
		{said, asked, `strcontains(endpoint.x.attempts[0].request.body, "Rain")`, "", `messages[2].content`},

		{asked, asked, body, "", ""},
		{asked, strings.Replace(silent, `"m"`, `"gpt-5"`, 1), `strcontains(endpoint.x.attempts[1].request.body, "gpt-5")`, "", ""},
		{strings.Replace(silent, "Rain?", "Rain or Rain?", 1), asked, `strcontains(endpoint.x.attempts[0].request.body, "Rain")`, "", ""},
		{asked, another, body, "", ""},
		{asked, tools, body, "", ""},
		{asked, list, body, "", ""},
		{asked, silent, `strcontains(endpoint.x.attempts[1].request.body, "m")`, `endpoint.x.attempts[1].request.json.model == "m"`, ""},
		{silent, asked, `strcontains(endpoint.x.attempts[0].request.body, "Rain")`, "", ""},
		{silent, silent, `alltrue([for a in endpoint.x.attempts : strcontains(a.request.body, "Rain")])`, "", ""},
		{asked, said, body, `strcontains(endpoint.x.attempts[1].request.json.messages[2].content, "Rain")`, ""},
		{asked, said, body, `endpoint.x.attempts[1].request.json.messages[2].content == "Rain, 12 degrees"`, ""},
		{asked, said, body, `length([for m in endpoint.x.attempts[1].request.json.messages : m if strcontains(m.content, "Rain")]) == 2`, ""},
		{asked, said, body, `strcontains(endpoint.x.attempts[1].request.body, "Rain, 12")`, ""},
		{asked, said, `strcontains(endpoint.x.attempts[1].request.body, "\"Rain")`, "", ""},
		{asked, said, body, `endpoint.x.attempts[1].request.json.model == "m"`, `messages[2].content`},
		{asked, said, body + ` && endpoint.x.attempts[1].request.json.model == "m"`, "", `messages[2].content`},
		{asked, said, body, `sut.stdout != "Rain is there"`, `messages[2].content`},
	} {
		others := []string{"true"}
		if c.others != "" {
			others = append(others, c.others)
		}
		why := elsewhere(t, c.condition, read(t, c.first, c.second), plainly, "", others...)
		if (why != "") != (c.want != "") || !strings.Contains(why, c.want) {
			t.Errorf("%s of %s, beside %q: %q, want %q", c.condition, c.second, c.others, why, c.want)
		}
	}
}

// Shows that a column is told of that stands in several clauses of a statement.
func TestColumnsInSeveralClauses(t *testing.T) {
	for statement, want := range map[string]string{
		"SELECT id, tenant FROM orders WHERE tenant = $1":           "in SELECT and in WHERE",
		"select id, tenant from orders join t on tenant = t.id":     "in SELECT and in ON",
		"UPDATE orders SET tenant = $1 WHERE tenant = $2":           "in SET and in WHERE",
		"SELECT id FROM orders WHERE tenant = $1":                   "",
		"SELECT tenant.id FROM tenant":                              "",
		"SELECT tenant_id FROM orders WHERE tenant = $1":            "",
		"SELECT id FROM orders WHERE tenant = $1 AND tenant <> 'x'": "",
		"The tenant is told from where the tenant lives":            "",
	} {
		why := elsewhere(t, `strcontains(endpoint.x.attempts[0].request.statement, "tenant")`, read(t, statement), plainly, "")
		if (why != "") != (want != "") || !strings.Contains(why, want) {
			t.Errorf("%s: %q, want %q", statement, why, want)
		}
	}
	const both = "SELECT id, tenant FROM orders WHERE tenant = $1"
	if why := elsewhere(t, `strcontains(endpoint.x.attempts[0].request.statement, "tenant")`, read(t, both), plainly, "", `strcontains(endpoint.x.attempts[0].request.statement, "WHERE tenant")`); why != "" {
		t.Errorf("beside a check of the clause: %s", why)
	}
}

// Shows that no part of a secret is told of.
func TestSecretsAreNoWords(t *testing.T) {
	hide := func(text string) string { return strings.ReplaceAll(text, "Ab1234 xyz", "***") }
	if why := elsewhere(t, `strcontains(sut.stdout, "Ab12")`, read(t, "the key is Ab1234 xyz."), hide, ""); why != "" {
		t.Error(why)
	}
	if why := elsewhere(t, `strcontains(sut.stdout, "Ab12")`, read(t, "the key is Ab1234 xyz."), plainly, ""); !strings.Contains(why, "Ab1234") {
		t.Errorf("%q: a secret that is not hidden is a word", why)
	}
}
