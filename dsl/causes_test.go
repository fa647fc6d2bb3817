package dsl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
)

// what follows a mistake in the tests below: none of it is wrong.
const sound = `
workflow "w" {
  step "value" "a" {
    value = "${1 + 1} is two"
  }
}
scenario "s" {
  run    = workflow.w
  inputs = { a = "x" }
}
`

// One mistake gives one message, on the line where it was made: nothing is
// said of what the parser made of the rest of the file.
func TestOneMistakeOneMessage(t *testing.T) {
	within := func(line string) string {
		return "scenario \"s\" {\n  run = workflow.w\n\n  " + line + "\n\n  on \"b\" {\n  }\n}\n" + sound
	}
	for _, c := range []struct {
		src, summary string
		line         int
	}{
		{"locals {\n  a = \"abc\n  b = \"d\"\n}\n" + sound, "Text without closing quote", 2},
		{"locals {\n  a = \"abc ${x\n  b = \"d\"\n  c = \"${e}\"\n}\n" + sound, "Template without closing brace", 2},
		{"locals {\n  a = <<EOT\n  b = \"d\"\n  c = \"${e}\"\n}\n" + sound, "Text without closing quote", 2},
		{within(`on "a" { reply { content = "x" } }`), "Block on one line", 4},
		{within(`assert "a" { reply { content = "x" } }`), "Block on one line", 4},
		{within(`on "a" { reply { content = ”x” } }`), "Wrong quotes", 4},
		{within(`on "a" { reply { content = 'x' } }`), "Wrong quotes", 4},
		{within("on \"a\" { reply {\u00a0content = 1 } }"), "Invisible character", 4},
		{within("assert \"a\" { condition = “a” == 1 }"), "Wrong quotes", 4},
		{within("assert \"a\" { condition =\u200b true }"), "Invisible character", 4},
		{"scenario \"s\"\n{\n  run = workflow.w\n}\n", "Brace in the wrong place", 1},
		{"locals {\n  a\u00a0= 1\n}\n", "Invisible character", 2},
		{"locals {\n  a = 1\n\ufeff  b = 1\n}\n", "Invisible character", 3},
		{"locals {\n  a = 2 × 3\n}\n", "Invalid character", 2},
	} {
		_, diags := Parse("a.hcl", []byte(c.src))
		if len(diags) != 1 || diags[0].Summary != c.summary || diags[0].Subject.Start.Line != c.line {
			t.Errorf("%s:\n got %v\nwant %s at line %d", c.src, diags, c.summary, c.line)
		}
	}
}

// What is wrong before a mistake of syntax is said along with it, and a block
// that is whole may lack something; one with the mistake in it may not.
func TestMistakesBeforeBrokenSyntax(t *testing.T) {
	src := "breaker \"b\" {\n  treshold = 1\n}\nscenario \"s\" {\n  assert \"a\" {\n  }\n}\nscenario \"t\" {\n  on \"a\" { reply { } }\n}\nscenario \"u\" {\n  assert \"a\" {\n  }\n}\n"
	_, diags := Parse("a.hcl", []byte(src))
	var got []string
	for _, d := range diags {
		got = append(got, fmt.Sprintf("%d %s", d.Subject.Start.Line, d.Summary))
	}
	if want := "9 Block on one line, 2 Unknown attribute, 5 Missing attribute"; strings.Join(got, ", ") != want {
		t.Errorf("%s, want %s", strings.Join(got, ", "), want)
	}
}

// A character that cannot be seen is named by its code point.
func TestInvisibleCharacters(t *testing.T) {
	for r, name := range map[rune]string{0xa0: "U+00A0 (no-break space)", 0x200b: "U+200B (zero-width space)", 0xfeff: "U+FEFF (byte order mark)", 0x2003: "U+2003."} {
		_, diags := Parse("a.hcl", []byte("locals {\n  a = "+string(r)+"1\n}\n"))
		if len(diags) != 1 || !strings.Contains(diags[0].Detail, name) || strings.Contains(diags[0].Detail, "= =") {
			t.Errorf("%U: %v", r, diags)
		}
	}
}

// Of very many errors of syntax ten are shown, and how many there are besides.
func TestManySyntaxErrors(t *testing.T) {
	_, diags := Parse("a.hcl", []byte("locals {\n"+strings.Repeat("  a = 1 × 2\n", 14)+"}\n"))
	if len(diags) != 11 || !strings.Contains(diags[10].Detail, "4 more errors") || diags[10].Subject.Start.Line != 12 {
		t.Errorf("%d: %v", len(diags), diags)
	}
}

// A file that is no text gets one message, however many of its bytes are
// wrong; a text with a wrong byte in it is a text.
func TestFilesThatAreNoText(t *testing.T) {
	for src, want := range map[string]string{
		"\xff\xfew\x00o\x00":               "UTF-16",
		"\xfe\xff\x00w\x00o":               "UTF-16",
		"\x7fELF\x02\x01\x00" + sound:      "NUL byte at offset 6",
		strings.Repeat("\xe9 = 1\n", 1000): "not UTF-8",
	} {
		file, diags := Parse("a.hcl", []byte(src))
		if file != nil || len(diags) != 1 || diags[0].Summary != "File is not text" || !strings.Contains(diags[0].Detail, want) {
			t.Errorf("%.20q: %v", src, diags)
		}
	}
	if _, diags := Parse("a.hcl", []byte("locals {\n  a = \"caf\xe9\"\n}\n")); len(diags) != 1 || diags[0].Severity != hcl.DiagError || diags[0].Subject.Start.Line != 2 {
		t.Errorf("one wrong byte: %v", diags)
	}
}

// The message about a file that is too large does not claim to know how large
// it is: whoever reads it stops at the limit.
func TestLargeFileHasNoSize(t *testing.T) {
	_, diags := Parse("a.hcl", make([]byte, MaxFileSize+1))
	if len(diags) != 1 || !strings.Contains(diags[0].Detail, "4,194,304 bytes (4 MiB)") || strings.Contains(diags[0].Detail, "4194305") {
		t.Errorf("%v", diags)
	}
}
