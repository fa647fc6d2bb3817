package mistakes

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// The head of a block with a sign that belongs to none, a comment without an end and a
// value in the quotes of JSON are one message each, which says what to write.
func TestHeadsOfBlocks(t *testing.T) {
	for _, c := range []struct{ src, summary, detail string }{
		{"scenario(\"two\") {\n}\n", summaryWritten, "write `scenario \"two\" { … }`."},
		{"describe(\"two\", () => {\n})\n", summaryWritten, "write `scenario \"two\" { … }`."},
		{"on \"a\" {\n  reply() {\n  }\n}\n", summaryWritten, "write `reply { … }`."},
		{"on \"a\" {\n  reply: { content = \"x\" }\n}\n", summaryWritten, "no colon: write `reply { … }`."},
		{"x {\n  inputs: { a = 1 }\n}\n", summaryNoEquals, "`inputs = { … }`."},
		{"on \"a\" {\n  reply \"question\"\n}\n", summaryBrace, "`reply { content = \"question\" }`."},
		{"cassette \"a.yaml\"\n", summaryBrace, "`cassette { path = \"a.yaml\" }`."},
		{"import std.resilience\n", summaryNoEquals, "import = [\"std/resilience\"]."},
		{"import \"std/resilience\"\n", summaryNoEquals, "import = [\"std/resilience\"]."},
		{"assert \"a\" {\n  b.c == \"d\"\n}\n", summaryCheck, "of an assert block: `condition = b.c == \"d\"`."},
		{"scenario \"a\" {\n  b.c == \"d\"\n}\n", summaryCheck, "`assert \"name\" { condition = b.c == \"d\" }`."},
		{"a { model = = \"x\" }\n", summaryOperator, "one equals sign too many: `model = \"x\"`."},
		{"json = '{\"order\": 1, \"a b\": [true, null]}'\n", summaryQuotes, "json = { \"a b\" = [true, null], order = 1 }."},
		{"json = '{\"id\": 12345678901234567891, \"x\": \"a<b\"}'\n", summaryQuotes, `json = { id = 12345678901234567891, x = "a<b" }.`},
		{"x = 'a ${b}'\n", summaryQuotes, `"a ${b}".`},
		{"x = `a ${b}`\n", summaryQuotes, `"a ${b}".`},
		{"/* a\nb {\n}\n", summaryComment, "has no */"},
		{"b {\n  x = 3 /* a\n}\n", summaryComment, "has no */"},
		{"b {\n  c {\n    j = { a = 1 \n  }\n}\n", summaryUnclosed, "Write `j = { a = 1 }`."},
	} {
		isTold(t, c.src, c.summary, c.detail)
	}
}

// What lacks its closing brace is shown where it begins, by the indentation, and not
// where the block around all of it does.
func TestUnclosedIsShownWhereItBegins(t *testing.T) {
	for src, line := range map[string]int{
		"a {\n  b {\n    j = { c = 1 \n  }\n}\n":     3,
		"a {\n  b {\n    c {\n      x = 1\n  }\n}\n": 3,
		"a {\n  b = 1\n": 1,
	} {
		_, diags := hclsyntax.ParseConfig([]byte(src), "a.hcl", hcl.InitialPos)
		got := Causes(Rewrite(diags, []byte(src)), []byte(src))
		if len(got) != 1 || got[0].Subject.Start.Line != line {
			t.Errorf("%q: %v, want one error in line %d", src, got, line)
		}
	}
}

// No head of a block that is wrong is answered in the parser's own words, which speak of
// arguments and tokens.
func TestNoHeadIsInTheParsersWords(t *testing.T) {
	for _, head := range []string{
		"scenario(\"a\") {", "scenario (\"a\", x) {", "scenario [\"a\"] {", "scenario \"a\" : {", "scenario \"a\" -> {", "scenario: \"a\" {", "scenario := {", "scenario, {",
		"scenario \"a\" (x) {", "scenario <a> {", "scenario \"a\"; {", "scenario = = {", "* \"a\" {", "- scenario:", "- name: a", "[scenario]", "[[scenario]]", "(scenario)", "{", "5 {", "5 = 3", "scenario.a {", "scenario 'a' {",
		"@scenario \"a\" {", "scenario \"a\" do", "scenario \"a\" =>", "reply(content = \"x\")", "reply: {", "reply => {", "<scenario>", "=", "==", "scenario", "scenario \"a\" x",
	} {
		src := []byte(head + "\n  x = 1\n}\n")
		_, diags := hclsyntax.ParseConfig(src, "a.hcl", hcl.InitialPos)
		got := Causes(Rewrite(diags, src), src)
		if len(got) == 0 {
			t.Errorf("%q is no error", head)
		}
		for _, d := range got {
			for _, stock := range []string{"argument or block definition", "quoted string block label", "invalid expression token", "Expected the start"} {
				if strings.Contains(d.Detail, stock) {
					t.Errorf("%q: %s", head, d.Detail)
				}
			}
		}
	}
}
