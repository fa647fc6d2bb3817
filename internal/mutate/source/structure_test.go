package source

import (
	"slices"
	"testing"
)

// A structure is a text, and one that a change makes of it.
type structure struct{ name, file, text, operator, want string }

// checkStructures shows that a text becomes another one, and with want "" that no
// mutant of the operator is there.
func checkStructures(t *testing.T, rows []structure) {
	t.Helper()
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range sound(t, c.file, []byte(c.text)) {
				if m.Operator == c.operator {
					got = append(got, string(m.Apply([]byte(c.text))))
				}
			}
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.Contains(got, c.want) {
				t.Errorf("no such change by %s:\n%s\ngot %q", c.operator, c.want, got)
			}
		})
	}
}

// Shows that what always runs at the end only runs where nothing failed, in each language
// in which it is another thing.
func TestFinally(t *testing.T) {
	checkStructures(t, []structure{
		{"python", "a.py", "try:\n    a()\nfinally:\n    b()\n", "statement", "try:\n    a()\nfinally:\n    if __import__(\"sys\").exc_info()[0]: raise\n    b()\n"},
		{"python on one line", "a.py", "try: a()\nfinally: b(); c()\n", "statement", "try: a()\nfinally: \n    if __import__(\"sys\").exc_info()[0]: raise\n    b(); c()\n"},
		{"javascript", "a.mjs", "try { a(); } finally { b(); }\n", "statement", "{ let finallyFailed = false; try { a(); } catch (failed) { finallyFailed = true; throw failed; } finally { if (!finallyFailed) { b(); } } }\n"},
		{"javascript with catch", "a.mjs", "try { a(); } catch (e) { c(); } finally { b(); }\n", "statement", "{ let finallyFailed = false; try { try { a(); } catch (e) { c(); } } catch (failed) { finallyFailed = true; throw failed; } finally { if (!finallyFailed) { b(); } } }\n"},
		{"java", "A.java", "class A { void a() { try { b(); } finally { c(); } } }\n", "statement", "class A { void a() { { boolean[] finallyFailed = {false}; try { b(); } catch (Throwable failed) { finallyFailed[0] = true; throw failed; } finally { if (!finallyFailed[0]) { c(); } } } } }\n"},
		{"ruby", "a.rb", "begin\n  a\nensure\n  b\nend\n", "statement", "begin\n  a\nensure\nraise if $!\n  b\nend\n"},
		{"go", "a.go", "package a\n\nfunc f() error {\n\tdefer b()\n\tif c {\n\t\treturn d\n\t}\n\treturn nil\n}\n", "statement", "package a\n\nfunc f() error {\n\t\n\tif c {\n\t\treturn d\n\t}\n\tb()\nreturn nil\n}\n"},
		{"go without a return", "a.go", "package a\n\nfunc f() {\n\tdefer b()\n\tif c {\n\t\treturn\n\t}\n\td()\n}\n", "statement", "package a\n\nfunc f() {\n\t\n\tif c {\n\t\treturn\n\t}\n\td()\nb()\n}\n"},
	})
}

// Shows that one of the exceptions is not caught, or only those of a narrower kind.
func TestCaught(t *testing.T) {
	checkStructures(t, []structure{
		{"one of two", "a.py", "try: a()\nexcept (B, c.D): e()\n", "condition", "try: a()\nexcept B: e()\n"},
		{"one of three", "a.py", "try: a()\nexcept (B, c.D, E) as f: g()\n", "condition", "try: a()\nexcept (B, E) as f: g()\n"},
		{"all", "a.py", "try: a()\nexcept Exception: b()\n", "condition", "try: a()\nexcept OSError: b()\n"},
		{"all without a name", "a.py", "try: a()\nexcept: b()\n", "condition", "try: a()\nexcept OSError: b()\n"},
		{"what the file imports", "a.py", "import urllib.request\ntry: a()\nexcept Exception as e: b()\n", "condition", "import urllib.request\ntry: a()\nexcept urllib.error.HTTPError as e: b()\n"},
		{"of the system", "a.py", "try: a()\nexcept OSError: b()\n", "condition", "try: a()\nexcept ConnectionError: b()\n"},
		{"one kind", "a.py", "try: a()\nexcept KeyError: b()\n", "condition", ""},
		{"java", "A.java", "class A { void a() { try { b(); } catch (C | D e) { f(); } } }\n", "condition", "class A { void a() { try { b(); } catch (C | D e) { if (e instanceof D) throw new RuntimeException(e); f(); } } }\n"},
		{"ruby", "a.rb", "begin\n  a\nrescue B, C => e\n  d\nend\n", "condition", "begin\n  a\nrescue B => e\n  d\nend\n"},
		{"ruby without a name", "a.rb", "begin\n  a\nrescue => e\n  d\nend\n", "condition", "begin\n  a\nrescue SystemCallError => e\n  d\nend\n"},
	})
}

// Shows that what a loop makes anew is made once, before the loop.
func TestOnce(t *testing.T) {
	checkStructures(t, []structure{
		{"python", "a.py", "for a in b:\n    c = []\n    d = 0\n    e(c)\n", "order", "d = 0\nfor a in b:\n    c = []\n    pass\n    e(c)\n"},
		{"python in a function", "a.py", "def f():\n    while a:\n        c = set()\n        e(c)\n", "order", "def f():\n    c = set()\n    while a:\n        pass\n        e(c)\n"},
		{"what is not empty", "a.py", "for a in b:\n    c = [a]\n    e(c)\n", "order", ""},
		{"javascript", "a.mjs", "for (const a of b) {\n  const c = new Map();\n  e(c);\n}\n", "order", "{ const c = new Map(); for (const a of b) {\n  ;\n  e(c);\n};}\n"},
		{"go", "a.go", "package a\n\nfunc f() {\n\tfor a() {\n\t\tvar c d\n\t\te(&c)\n\t}\n}\n", "order", "package a\n\nfunc f() {\n\t{ var c d\n for a() {\n\t\t\n\t\te(&c)\n\t}\n}\n}\n"},
		{"java", "A.java", "class A { void a() {\n  for (B b : c) {\n    List<D> d = new ArrayList<>();\n    e(d);\n  }\n} }\n", "order", "class A { void a() {\n  { List<D> d = new ArrayList<>(); for (B b : c) {\n    ;\n    e(d);\n  };}\n} }\n"},
		{"ruby", "a.rb", "a.each do |b|\n  c = []\n  e(c)\nend\n", "order", "c = []\na.each do |b|\n  nil\n  e(c)\nend\n"},
		{"a loop with a label", "a.mjs", "x: for (const a of b) {\n  const c = [];\n  e(c);\n}\n", "order", ""},
	})
}

// Shows that an await is left out where nothing uses the value, and stays before a pause.
func TestUnawaited(t *testing.T) {
	checkStructures(t, []structure{
		{"a call", "a.mjs", "await a(b);\n", "statement", "a(b);\n"},
		{"a stage of a pipe on its own line", "a.sh", "a |\n  grep -v b |\n  sort |\n  while read -r c; do d \"$c\"; done\n", "call", "a |\n  sort |\n  while read -r c; do d \"$c\"; done\n"},
	})
	for _, m := range sound(t, "a.mjs", []byte("await sleep(5);\n")) {
		if m.Text == "" && m.To-m.From == len("await ") {
			t.Errorf("a pause is not waited for: %s", m.Change)
		}
	}
}
