package declared_test

import (
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows what becomes of what a program declares, and that nothing is made where it would say nothing.
func TestDeclarations(t *testing.T) {
	const function = "package a\n\nfunc f() {\n"
	for _, c := range []struct{ name, file, before, text, want string }{
		{"an option of a tag", "a.go", "package a\n\ntype a struct { B int ", "`json:\"b,omitempty,string\"`", "`json:\"b,string\"`|`json:\"b,omitempty\"`"},
		{"a name of a tag", "a.go", "package a\n\ntype a struct { B int ", "`json:\"c\"`", "`json:\"\"`"},
		{"a name that is the same when it is read", "a.go", "package a\n\ntype a struct { B []*c.D ", "`json:\"b\"`", ""},
		{"one option more", "a.go", "package a\n\nvar e, _ = json.Marshal(d)\n\ntype a struct { B int ", "`json:\"b\"`", "`json:\"b,omitempty\"`"},
		{"no field", "a.go", "package a\n\ntype a struct { B int ", "`json:\"-\" db:\"c\"`", "`json:\"\" db:\"c\"`"},
		{"all tags", "a.go", "package a\n\ntype a struct { ", "B int `json:\"b,omitempty\"`; C int `json:\"c,omitempty\"`", "B int `json:\"b\"`; C int `json:\"c\"`|B int `json:\"b\"`; C int `json:\"c,omitempty\"`|B int `json:\"b,omitempty\"`; C int `json:\"c\"`"},
		{"a text that is no tag", "a.go", function, "a := `b:\"c\" d`", ""},
		{"a library", "a.go", "package a\n\nimport ", "\"html/template\"", "\"text/template\""},
		{"no import", "a.go", function, "a := \"html/template\"", ""},
		{"a label that is used once", "a.go", function, "a: for { for { break a } }", " for { for { break } }"},
		{"a label that is used twice", "a.mjs", "", "a: for (;;) for (;;) { if (b) break a; else continue a; }", "a: for (;;) for (;;) { if (b) break; else continue a; }|a: for (;;) for (;;) { if (b) break a; else continue; }"},
		{"a case", "a.go", function, "switch a { case 1: b(); case 2, 3: c(); default: d() }", "switch a { case 2, 3: c(); default: d() }|switch a { case 1: b(); default: d() }|switch a { case 1: b(); case 3: c(); default: d() }|switch a { case 1: b(); case 2: c(); default: d() }"},
		{"a case of a select", "a.go", function, "select { case <-a: b(); default: c() }", "select { default: c() }|select { case <-a: b(); }"},
		{"a case that goes on", "a.mjs", "", "switch (a) { case 1: case 2: b(); break; case 3: c() }", "switch (a) { case 2: b(); break; case 3: c() }|switch (a) { case 1:  b(); break; case 3: c() }|switch (a) { case 1: case 2: b(); break; }"},
		{"cases that are values", "A.java", "class A { int b = ", "switch (c) { case 1 -> 2; case 3 -> 4; };", ""},
		{"an assertion", "a.mjs", "", "import a from 'node:assert/strict';", "import a from 'node:assert';"},
		{"an assertion that is required", "a.mjs", "", "const a = require('assert');", "const a = require('assert/strict');"},
		{"an assertion that converts", "a.mjs", "", "assert.deepStrictEqual(a, b);", "assert.deepEqual(a, b);"},
		{"an assertion that does not", "a.mjs", "", "assert.strict.deepStrictEqual(a, b);", ""},
		{"a flag", "a.mjs", "a = ", "/b/giu", "/b/iu|/b/gu"},
		{"what is nothing", "a.mjs", "a = ", "b ?? c", "b || c"},
		{"what is nothing in the environment", "a.mjs", "a = ", "process.env.B ?? c", ""},
		{"what is nothing, beside another", "a.mjs", "a = ", "(b || c) ?? d", "(b || c) || d"},
		{"what cannot be mixed", "a.mjs", "a = ", "b ?? c ?? d", ""},
		{"a member", "a.mjs", "a = ", "b?.c?.[d]", "b.c?.[d]|b?.c[d]"},
		{"a template", "a.mjs", "a = ", "String.raw`b`", "`b`"},
		{"a class", "a.py", "match a:\n  case 1: b\n  case {'c': ", "int(d)", "object() as d|(int() | float()) as d|(int() | str()) as d"},
		{"a class with as", "a.py", "match a:\n  case {'c': ", "bytes() as d", "object() as d|(bytes() | str()) as d"},
		{"a pattern that never holds", "a.py", "match a:\n  case ", "'b'", "'b' if False"},
		{"alternatives", "a.py", "match a:\n  case ", "B() | 'c' | 'd' if e", "'c' | 'd' if e|B() | 'd' if e|B() | 'c' if e"},
		{"a variable called case", "a.py", "match = 3\n", "case = int(a)", ""},
		{"a type that nothing reads", "a.py", "@dataclass\nclass A:\n    ", "b: int", ""},
		{"a type that is read", "a.py", "class A(BaseModel):\n    ", "b: Optional[int] = 3", "b: int = 3"},
		{"a type of a parameter", "a.py", "import typer\ndef a(", "b: Decimal = 3", "b: float = 3"},
		{"global", "a.py", "def a():\n    ", "global b, c", "pass"},
		{"what is suppressed", "a.py", "with ", "suppress(A, B)", "suppress(B)|suppress(A)"},
		{"a generator", "a.py", "a = ", "(f(b) for b in c)", "iter([f(b) for b in c])"},
		{"a generator that asks nobody", "a.py", "a = ", "(b.d for b in c)", ""},
		{"a function that yields", "a.py", "def f(b):\n    yield b\nfor a in ", "f(b)", "iter(list(f(b)))"},
		{"modifiers", "A.java", "class A { ", "private volatile int b;", "private int b;"},
		{"a resource", "A.java", "class A { void b() { ", "try (C c = d()) { e(c); }", "{ C c = d(); e(c); }"},
		{"a resource and a catch", "A.java", "class A { void b() { ", "try (C c = d()) { e(c); } catch (F f) { g(); }", "try { C c = d(); e(c); } catch (F f) { g(); }"},
		{"a flag of the first line", "a.sh", "", "#!/bin/sh -eu", "#!/bin/sh -u|#!/bin/sh -e"},
		{"the only flag of the first line", "a.sh", "", "#!/usr/bin/env -S bash -e", "#!/usr/bin/env -S bash"},
		{"an option", "a.sh", "", "set -euo pipefail", "set -eu"},
		{"an option of its own", "a.sh", "", "set -o pipefail", "set"},
		{"read", "a.sh", "", "IFS=, read -r a b c", "read -r a b c|IFS=, read -r a b"},
		{"read one", "a.sh", "", "read -r a", ""},
		{"read up to a sign", "a.sh", "", "read -d x a", ""},
		{"cases of a shell", "a.sh", "", "case $a in b|c) d;; *.e) f;; esac", "case $a in  *.e) f;; esac|case $a in c) d;; *.e) f;; esac|case $a in b) d;; *.e) f;; esac|case $a in b|c) d;;  esac|case $a in b|c) d;; *.e*) f;; esac"},
		{"a list", "a.sh", "", "for a in b c; do d; done", "for a in b; do d; done"},
		{"background", "a.sh", "", "a & wait", "a ; wait"},
		{"signals", "a.sh", "", "trap 'a' EXIT INT", "trap 'a' INT|trap 'a' EXIT"},
		{"local", "a.sh", "a() { ", "local b=1", "b=1"},
		{"a file", "a.sh", "", "if [ ! -s a ]; then b; fi", "if [ ! -e a ]; then b; fi"},
		{"parameters", "a.sh", "a ", "${b##*/} ${c:-d} ${e%.f}", "${b#*/} ${c:-d} ${e%.f}|${b##*/} ${c} ${e%.f}|${b##*/} ${c:-d} ${e%%.f}"},
		{"redirections", "a.sh", "a ", "> b 2>&1", ">> b 2>&1|> b"},
		{"where errors go", "a.sh", "a ", "2> b > /dev/null", ""},
		{"names of files", "a.sh", "a ", "*.csv", "*|*.csv*"},
		{"quotes", "a.sh", "a ", "\"$b\" \"$@\"", "$b \"$@\"|\"$b\" $@"},
		{"quotes in a test", "a.sh", "", "[ \"$b\" = c ]", ""},
		{"a predicate", "a.py", "a = b.findall(", "'./c[@d=\"e\"]'", "'./c'"},
		{"a glob", "a.py", "a = glob.glob(", "'b/*.csv'", "'b/*'|'b/*.csv*'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			after := ""
			for _, b := range []struct{ file, opens, closes string }{
				{"", "{", "}"}, {"", "(", ")"},
			} {
				for range strings.Count(c.before, b.opens) - strings.Count(c.before, b.closes) {
					after = b.closes + after
				}
			}
			if strings.Contains(c.before, "case ") || strings.HasPrefix(c.before, "with ") || strings.Contains(c.before, "\nfor a in") || strings.Contains(c.before, "\ndef a(") {
				after += ": pass"
			}
			if c.file == "a.sh" && strings.HasPrefix(c.before, "a() {") {
				after = "; }"
			}
			text := c.before + c.text + after + "\n"
			var got []string
			for _, m := range source.Mutants(c.file, []byte(text)) {
				if m.Operator == "declaration" && (m.Text != " if False" || strings.Contains(c.name, "never")) {
					all := string(m.Apply([]byte(text)))
					got = append(got, strings.TrimSuffix(strings.TrimPrefix(all, c.before), after+"\n"))
				}
			}
			if s := strings.Join(got, "|"); s != c.want {
				t.Errorf("%s\ngot  %s\nwant %s", text, s, c.want)
			}
		})
	}
}
