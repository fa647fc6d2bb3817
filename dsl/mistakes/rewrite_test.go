package mistakes

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
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
		{"x = <<EOT\nabc\n", summaryOpenText, "ends with a line that holds only that word"},
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
	} {
		src := []byte(c.src)
		_, diags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos)
		got := Rewrite(diags, src)
		if len(got) != 1 || got[0].Summary != c.summary || !strings.Contains(got[0].Detail, c.detail) {
			t.Errorf("%q:\n got %v\nwant %s: … %s", c.src, got, c.summary, c.detail)
		}
		if again := Rewrite(got, src); again.Error() != got.Error() {
			t.Errorf("%q: rewritten again: %v", c.src, again)
		}
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
