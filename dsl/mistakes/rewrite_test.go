package mistakes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/stdlib"
)

// A file with a mistake of syntax gets one message that says what was meant
// and what to write instead.
func TestRewrite(t *testing.T) {
	for _, c := range []struct{ src, summary, detail string }{
		{"reply { content = \"a\" status = 1 }\n", SummaryOneLine, "hint: write\n  reply {\n    content = \"a\"\n    status = 1\n  }"},
		{"reply { content = \"a\", b = [1, f(2)] }\n", SummaryOneLine, "hint: write\n  reply {\n    content = \"a\"\n    b = [1, f(2)]\n  }"},
		{"on \"a\" { reply { content = \"x\" } }\n", SummaryOneLine, "hint: write\n  on \"a\" {\n    reply {\n      content = \"x\"\n    }\n  }"},
		{"a { b = { c = 1, d = 2 } e = 3 }\n", SummaryOneLine, "  a {\n    b = { c = 1, d = 2 }\n    e = 3\n  }"},
		{"fault \"x\" { a = 1\n}\n", SummaryOneLine, "on a line of its own."},
		{"on \"a\" {\n  reply { content = \"x\"\n}\n", summaryUnclosed, "Write `reply { content = \"x\" }`,"},
		{"x = a.strip() == \"b\"\n", summaryMethod, "trimspace(a)."},
		{"x = a.nonsense(1)\n", summaryMethod, `There is no function "nonsense".`},
		{"x = a.jsonencode()\n", summaryMethod, "jsonencode(a)."},
		{"x = \"b\" not in a.b[0].c\n", summaryOperator, `!contains(a.b[0].c, "b").`},
		{"x = f(a) in b\n", summaryOperator, "contains(list, element)."},
		{"x = a is not None\n", summaryOperator, "a != null."},
		{"x = a is True\n", summaryOperator, "a == true."},
		{"x = f(a) is b\n", summaryOperator, "compared with == or !=."},
		{"x { y = a is None }\n", summaryOperator, "a == null."},
		{"x = f\"a\"\n", summaryQuotes, "no letter in front"},
		{"on provider.llm {\n}\n", summaryLabel, `that of a provider is its name: on "llm" { … }.`},
		{"x {\n}.times(2)\n", summaryMethod, "`times = 2`."},
		{"on step.answer {\n}\n", summaryLabel, `that of a step is its name: on "answer" { … }.`},
		{"on loop.inner {\n}\n", summaryLabel, `on "loop.inner" { … }.`},
		{"step \"llm\" a.b {\n}\n", summaryLabel, `step "llm" "a.b" { … }.`},
		{"on 5 {\n}\n", summaryLabel, `on "5" { … }.`},
		{"on \"a\" = {\n}\n", "Block written as an attribute", `write on "a" { … }.`},
		{"on \"a\"\n{\n}\n", summaryBrace, `write on "a" {.`},
		{"x \"abc\"\n", summaryNoEquals, `x = "abc".`},
		{"x 5\n", summaryNoEquals, `x = 5`},
		{"x: 5\n", summaryNoEquals, `x = 5`},
		{"x = 'abc'\n", summaryQuotes, `"abc"`},
		{"x = “a”\n", summaryQuotes, "typographic"},
		{"x = `a`\n", summaryQuotes, "<<EOT"},
		{"x = \"abc\n", summaryOpenText, "Close it with a double quote."},
		{"x = \"${a\"\n", summaryOpenTemplate, "closing brace"},
		{"x = \"${a\ny = 1\n", summaryOpenTemplate, "closing brace"},
		{"x = <<EOT\nabc\n", summaryOpenText, "It ends with a line that holds only the word EOT"},
		{"x = step.a.content.contains(\"b\")\n", summaryMethod, `contains(step.a.content, "b").`},
		{"x = [a.contains(1)]\n", summaryMethod, "contains(a, 1)."},
		{"x = f(a.b(1))\n", summaryMethod, "b(a, …)"},
		{"x = 5s\n", summaryUnit, `"5s"`},
		{"x = a = b\n", summaryOperator, "compared with =="},
		{"x = a === b\n", summaryOperator, "compared with =="},
		{"x = a and b\n", summaryOperator, "&&"},
		{"x = a or b\n", summaryOperator, "||"},
		{"x = not a\n", summaryOperator, "exclamation mark"},
		{"x = a & b\n", summaryOperator, "&&"},
		{"x = if a\n", summaryOperator, "without if"},
		{"x = [a.b for a in c]\n", summaryComma, "[for x in list : x.name]"},
		{"x = \"\"\"a\"\"\"\n", summaryNewLine, "<<EOT"},
		{"x = a =~ b\n", summaryOperator, "regexmatch(pattern, text)"},
		{"x { y = a = b }\n", summaryOperator, "compared with =="},
		{"x { y = a == b or c }\n", summaryOperator, "||"},
		{"x { y = a == b z = 1 }\n", SummaryOneLine, "hint: write\n  x {\n    y = a == b\n    z = 1\n  }"},
		{"x { y = a if = 1 }\n", SummaryOneLine, "    y = a\n    if = 1\n"},
		{"x {\n y = a\n || b\n}\n", summaryOperator, "in parentheses: name = ( … )."},
		{"expect \"a\" { x == { y = 1 } }\n", summaryOperator, "`x = { y = 1 }`."},
		{"steps:\n", summaryNoEquals, "like YAML"},
		{"x = \"100%{ y }\"\n", "Invalid template directive", "Write %%{ for a literal %{."},
		{"x = 1 y = 2\n", summaryNewLine, "begins on a new line"},
		{"a = 1; b = 2\n", summaryNewLine, "no semicolons"},
		{"x = 1,\n", summaryNewLine, "not separated by commas"},
		{"x =\n", "Value missing", "no value after the equals sign"},
		{"x = 1 +\n", "Value missing", "goes on after this operator"},
		{"\"x\" = 1\n", "Name in quotes", "without quotes"},
		{"reply {\n  \"content\": \"x\",\n}\n", "Name in quotes", "`content = \"x\"`"},
		{"reply { \"content\": \"x\" }\n", "Name in quotes", "`content = \"x\"`"},
		{"on \"a\" {\n x = 1\n", "Block without closing brace", "no closing brace"},
		{"a \"b\" { c = true }}\n", summaryBrace, "one too many"},
		{"}\n", summaryBrace, "one too many"},
		{"reply {\n a = 1 }\n", summaryBrace, "on a line of its own"},
		// Functions that are passed to methods.
		{"x = a.b.map(e => e.key)\n", summaryMethod, "is a.b[*].key."},
		{"x = a.map(e => f(e.key))\n", summaryMethod, "is [for e in a : f(e.key)]."},
		{"x = f(a.b.map(e => e.key)) == 1\n", summaryMethod, "is a.b[*].key."},
		{"x = f(events().map(e => e.key)) == 1\n", summaryMethod, "is events()[*].key."},
		{"x { y = a.map(e => e.key) }\n", summaryMethod, "is a[*].key."},
		{"x = (a.map(e => e.key) == b)\n", summaryMethod, "is a[*].key."},
		{"x = { y = a.map(e => e.key) }\n", summaryMethod, "is a[*].key."},
		{"x = events({ type = \"fault\" }).filter((e) => e.kind === 'hang').length == 1\n", summaryMethod, "for: length([for e in events({ type = \"fault\" }) : e if e.kind == \"hang\"])."},
		{"x = a.some(e => e.fault !== null)\n", summaryMethod, "anytrue([for e in a : e.fault != null])."},
		{"x = a.every(function (e) { return e.ok })\n", summaryMethod, "alltrue([for x in a : …])."},
		{"x = a.every(e => { return e.ok })\n", summaryMethod, "alltrue([for e in a : …])."},
		{"x = a.find(e => e.ok) != null\n", summaryMethod, "[for e in a : e if e.ok][0]."},
		{"x = a.forEach(e => e.ok)\n", summaryMethod, "A condition on each element of a list is alltrue([for e in a : e.ok])."},
		{"x = a.filter(lambda e: e.ok)\n", summaryMethod, "[for e in a : e if e.ok]."},
		{"x = a.includes(\"b\")\n", summaryMethod, "contains(a, \"b\")."},
		// Functions of the libraries of other languages.
		{"reply { body = JSON.stringify({ok: true}) }\n", summaryMethod, "jsonencode({ok: true}). Where a block has an attribute json, as the reply of an http provider has, an object is enough: json = {ok: true}."},
		{"body = JSON.stringify({ok: true})\n", summaryMethod, "json = {ok: true}."},
		{"x = json.dumps(a) == b\n", summaryMethod, "by its name alone: jsonencode(a)."},
		{"base_url = os.Getenv(\"SHOP\")\n", summaryMethod, "base_url_env = \"SHOP\"."},
		{"x = os.Getenv(\"SHOP\") == 1\n", summaryMethod, "by its name alone: env(\"SHOP\")."},
		// Statements.
		{"const key = \"a\"\n", summaryDeclared, "`locals { key = \"a\" }`. Elsewhere it is local.key."},
		{"x {\n  const key = 'a';\n}\n", summaryDeclared, "`locals { key = \"a\" }`."},
		{"let key: string = \"a\"\n", summaryDeclared, "`locals { key = \"a\" }`."},
		{"var key = { a = 1 }\n", summaryDeclared, "`locals { key = { a = 1 } }`."},
		{"key := \"a\"\n", summaryDeclared, "`locals { key = \"a\" }`."},
		{"x {\n  key := \"a\"\n}\n", summaryOperator, "equals sign alone: `key = \"a\"`."},
		{"x { key := 200 }\n", summaryOperator, "equals sign alone: `key = 200`."},
		{"expect(a.b).toHaveLength(1)\n", summaryCheck, "`assert \"name\" { condition = length(a.b) == 1 }`."},
		{"expect(f(a.b)).toBe(c[0]);\n", summaryCheck, "{ condition = f(a.b) == c[0] }`."},
		{"expect(a).not.toEqual('b')\n", summaryCheck, "{ condition = a != \"b\" }`."},
		{"expect(a).to.equal(1)\n", summaryCheck, "{ condition = a == 1 }`."},
		{"expect(a).toBeNull()\n", summaryCheck, "{ condition = a == null }`."},
		{"expect(a).toBeGreaterThan(3)\n", summaryCheck, "{ condition = a > 3 }`."},
		{"expect(a).toContain(\"b\")\n", summaryCheck, "{ condition = contains(a, \"b\") }`."},
		{"assert.equal(a, b)\n", summaryCheck, "{ condition = a == b }`."},
		{"assert.deepStrictEqual(a, b)\n", summaryCheck, "{ condition = a == b }`."},
		{"assert(a == b, \"they are one\")\n", summaryCheck, "`assert \"they are one\" { condition = a == b }`."},
		{"assert a == b\n", summaryCheck, "{ condition = a == b }`."},
		{"assert a.b == c\n", summaryCheck, "{ condition = a.b == c }`."},
		{"assert length(a) == 1, \"one\"\n", summaryCheck, "`assert \"one\" { condition = length(a) == 1 }`."},
		{"require.Equal(t, 1, length(events()))\n", summaryCheck, "{ condition = length(events()) == 1 }`."},
		{"require.NotNil(t, a)\n", summaryCheck, "{ condition = a != null }`."},
		{"self.assertEqual(a, b)\n", summaryCheck, "{ condition = a == b }`."},
		{"a.b == 1\n", summaryCheck, "{ condition = a.b == 1 }`."},
		{"expect { run.status = \"success\" }\n", summaryDotted, "`expect \"run\" { status = \"success\" }`."},
		{"expect \"run\" {\n  run.status = \"success\"\n}\n", summaryDotted, "`expect \"run\" { status = \"success\" }`."},
		{"expect { step.a.status = \"failed\" }\n", summaryDotted, "`expect \"a\" { status = \"failed\" }`."},
		{"x {\n  retry.max = 2\n}\n", summaryDotted, "`retry { max = 2 }`"},
		// Signs.
		{"path = /orders\\/.*/\n", summaryPattern, "`path = \"/orders/*\"`."},
		{"path = /orders.*/\n", summaryPattern, "`path = \"/orders*\"`."},
		{"match { path = /^orders\\/(a|b)$/ }\n", summaryPattern, "regexmatch(pattern, text)"},
		{"x = (a = b) && c\n", summaryOperator, "Two values are compared with ==."},
		{"x = (a and b)\n", summaryOperator, "Write && for and"},
		// What is wrong on one line.
		{"x { y = 5s }\n", summaryUnit, `"5s"`},
		{"x { y = 5s z = 1 }\n", summaryUnit, `"5s"`},
		{"x { y = hello world }\n", summaryNewLine, "a string with spaces needs double quotes."},
		{"x { y = a.strip() }\n", summaryMethod, "trimspace(a)."},
		{"x { y = 1, }\n", summaryNewLine, "not separated by commas"},
	} {
		isTold(t, c.src, c.summary, c.detail)
	}
}

// isTold checks that a mistake is told once, in these words, and not rewritten again.
func isTold(t *testing.T, text, summary, detail string) {
	t.Helper()
	src := []byte(text)
	_, diags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos)
	got := Causes(Rewrite(diags, src), src)
	if len(got) != 1 || got[0].Summary != summary || !strings.Contains(got[0].Detail, detail) {
		t.Errorf("%q:\n got %v\nwant %s: … %s", text, got, summary, detail)
	}
	if again := Rewrite(got, src); again.Error() != got.Error() {
		t.Errorf("%q: rewritten again: %v", text, again)
	}
}

// The layout that a message proposes for a block on one line can be parsed.
func TestUnfoldedParses(t *testing.T) {
	for _, line := range []string{
		`reply { content = "a b" status_code = 200 headers = { a = "b" } }`,
		`on "a" { fault "http_error" { status_code = 500 times = 2 } reply { content = "x" } }`,
		`assert "x" { condition = length(step.a.attempts) == 2 error_message = "not two" }`,
		`assert "x" { condition = !a && b != 2 || c <= -1 error_message = a > b ? "x" : "y" }`,
	} {
		unfolded := Unfold(line)
		if _, diags := hclsyntax.ParseConfig([]byte(unfolded+"\n"), "a.hcl", hcl.InitialPos); unfolded == "" || diags.HasErrors() {
			t.Errorf("%s becomes\n%s\n%v", line, unfolded, diags)
		}
	}
}

// Every function that is named in place of another language's is one of this language,
// and every for expression that is written in place of a method can be parsed.
func TestFormsAreOfTheLanguage(t *testing.T) {
	known := map[string]bool{}
	for _, f := range slices.Concat(stdlib.List(), stdlib.Environment()) {
		known[f.Name] = true
	}
	for name, form := range libraries() {
		if function, _, _ := strings.Cut(form, "("); !known[function] {
			t.Errorf("%s: there is no function %s", name, function)
		}
	}
	for name, form := range loops() {
		written := fmt.Sprintf(form, "a.b", "x", "x.c")
		if _, diags := hclsyntax.ParseExpression([]byte(written), "a.hcl", hcl.InitialPos); diags.HasErrors() {
			t.Errorf("%s: %s: %v", name, written, diags)
		}
		if function, _, _ := strings.Cut(form, "("); !strings.HasPrefix(form, "[") && !known[function] {
			t.Errorf("%s: there is no function %s", name, function)
		}
	}
}
