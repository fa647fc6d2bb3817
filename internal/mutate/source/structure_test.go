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

// Shows that what is copied stands in the place of the copy.
func TestAliases(t *testing.T) {
	checkStructures(t, []structure{
		{"an object", "a.mjs", "const a = { ...b, ...c.d, e: 1 };\n", "related", "const a = Object.assign(b, {...c.d, e: 1});\n"},
		{"an object alone", "a.mjs", "const a = { ...b };\n", "related", "const a = b;\n"},
		{"what is taken apart", "a.mjs", "const { a, ...b } = c;\n", "related", ""},
		{"parameters", "a.mjs", "function a({ ...b }) { c(b); }\n", "related", ""},
		{"a list", "a.mjs", "const a = [...b.c];\n", "related", "const a = b.c;\n"},
		{"a list of a set", "a.mjs", "const b = new Set();\nconst a = [...b];\n", "related", ""},
		{"two lists", "a.mjs", "const a = [...b, ...c];\n", "related", ""},
		{"a dict", "a.py", "a = {**b, 'c': 1}\n", "related", "a = (lambda kept, other: (kept.update(other), kept)[1])(b, {'c': 1})\n"},
		{"a dict with names", "a.py", "a = dict(b, c=1)\n", "related", "a = (lambda kept, **other: (kept.update(other), kept)[1])(b, c=1)\n"},
		{"a slice of all", "a.py", "a = b.c[:]\n", "related", "a = b.c\n"},
		{"go", "a.go", "package a\n\nvar a = append([]T(nil), b...)\n", "related", "package a\n\nvar a = b\n"},
		{"go that adds", "a.go", "package a\n\nvar a = append(b, c...)\n", "related", ""},
		{"go that clones", "a.go", "package a\n\nvar a = slices.Clone(b)\n", "call", "package a\n\nvar a = slices.Grow(b, 0)\n"},
		{"go with the one use of a package", "a.go", "package a\n\nvar a = maps.Clone(b)\n", "call", ""},
		{"a type of go", "a.go", "package a\n\nvar a = []int(nil)\n", "call", ""},
	})
}

// Shows that a method that takes the place of another one is left out, and that the base
// is made in the place of a class that only has such methods.
func TestOverrides(t *testing.T) {
	checkStructures(t, []structure{
		{"a method", "a.py", "class A:\n    def b(self):\n        return 1\nclass C(A):\n    def b(self):\n        return 2\n\n    d = 3\n", "statement", "class A:\n    def b(self):\n        return 1\nclass C(A):\n    pass\n\n    d = 3\n"},
		{"of a base of the base", "a.py", "class A:\n    def b(self): return 1\nclass C(A):\n    pass\nclass D(C):\n    def b(self): return 2\n", "statement", "class A:\n    def b(self): return 1\nclass C(A):\n    pass\nclass D(C):\n    pass\n"},
		{"a class in a table", "a.py", "class A:\n    def b(self): return 1\nclass C(A):\n    def b(self): return 2\nx = {'c': C}\n", "related", "class A:\n    def b(self): return 1\nclass C(A):\n    def b(self): return 2\nx = {'c': A}\n"},
		{"a class with more", "a.py", "class A:\n    def b(self): return 1\nclass C(A):\n    def b(self): return 2\n    def d(self): return 2\nx = C()\n", "related", ""},
		{"a base that has none", "a.py", "class A:\n    def b(self): raise NotImplementedError\nclass C(A):\n    def b(self): return 2\nx = C()\n", "related", ""},
		{"javascript", "a.mjs", "class A { b() { return 1; } }\nclass C extends A { b() { return 2; } }\n", "statement", "class A { b() { return 1; } }\nclass C extends A {  }\n"},
		{"what is made in javascript", "a.mjs", "class A { b() { return 1; } }\nclass C extends A { b() { return 2; } }\nconst c = new C();\n", "related", "class A { b() { return 1; } }\nclass C extends A { b() { return 2; } }\nconst c = new A();\n"},
		{"java", "A.java", "class A { int b() { return 1; } }\nclass C extends A { @Override int b() { return 2; } }\n", "statement", "class A { int b() { return 1; } }\nclass C extends A {  }\n"},
		{"ruby", "a.rb", "class A\n  def b\n    1\n  end\nend\nclass C < A\n  def b\n    2\n  end\nend\n", "statement", "class A\n  def b\n    1\n  end\nend\nclass C < A\n  \nend\n"},
	})
}

// Shows that one side of an operation on sets is left out, and that none becomes a sum.
func TestSetSides(t *testing.T) {
	checkStructures(t, []structure{
		{"less", "a.py", "a = {b for b in c} - set(d)\n", "condition", "a = {b for b in c}\n"},
		{"both", "a.py", "a = set(b)\nc = d(a & e.f(g))\n", "condition", "a = set(b)\nc = d(a)\n"},
		{"no sum", "a.py", "a = {b for b in c} - set(d)\n", "arithmetic", ""},
		{"a method", "a.py", "a = b.difference(c)\n", "call", "a = b\n"},
		{"numbers", "a.py", "a = b - c\n", "condition", ""},
		{"a dict", "a.py", "a = {b: 1} | c\n", "condition", ""},
	})
}

// Shows what is not changed, as nothing could come of it.
func TestWithoutEffect(t *testing.T) {
	checkStructures(t, []structure{
		{"constants", "a.mjs", "const a = new Map();\nconst b = Number(c);\n", "order", ""},
		{"constants in Python", "a.py", "a = json.loads(b)\nc = int(d)\n", "order", ""},
		{"a sum that is not printed", "a.py", "print(a, b)\nc += b\n", "order", ""},
		{"a sum that is printed", "a.py", "print(a, c)\nc += b\n", "order", "c += b\nprint(a, c)\n"},
		{"what is printed calls something", "a.py", "print(a())\nc += b\n", "order", "c += b\nprint(a())\n"},
		{"a count of a script", "a.sh", "echo \"$a\"\nn=$((n + 1))\n", "order", ""},
		{"a count that is printed", "a.sh", "echo \"$n\"\nn=$((n + 1))\n", "order", "n=$((n + 1))\necho \"$n\"\n"},
		{"words of a line", "a.py", "a, b = c.split()\n", "related", ""},
		{"words of a text", "a.py", "a = len(c.split())\n", "related", "a = len(c.split(\" \"))\n"},
		{"a method of urllib", "a.py", "import urllib.request\na('POST', b)\n", "text", ""},
		{"a method of net/http", "a.go", "package a\n\nvar b, c = http.NewRequest(\"GET\", d, nil)\n", "text", ""},
		{"another method of net/http", "a.go", "package a\n\nvar b, c = http.NewRequest(\"PUT\", d, nil)\n", "text", "package a\n\nvar b, c = http.NewRequest(\"\", d, nil)\n"},
	})
}

// Shows that a read makes what is kept last longer.
func TestRenewed(t *testing.T) {
	checkStructures(t, []structure{
		{"javascript", "a.mjs", "if (a && Date.now() - a.at < b) c();\n", "related", "if (a && (Date.now() - a.at < b && (a.at = Date.now()))) c();\n"},
		{"a name for the time", "a.mjs", "if (now - a.b.at <= 5 * c) d();\n", "related", "if ((now - a.b.at <= 5 * c && (a.b.at = now))) d();\n"},
		{"python", "a.py", "if a and time.time() - a.at < b: c()\n", "related", "if a and (time.time() - a.at < b and not setattr(a, \"at\", time.time())): c()\n"},
		{"an element", "a.py", "if time.monotonic() - a['at'] < b: c()\n", "related", "if (time.monotonic() - a['at'] < b and not a.update({'at': time.monotonic()})): c()\n"},
		{"a deadline", "a.py", "if time.time() - began < b: c()\n", "related", ""},
		{"no time", "a.mjs", "if (c - a.at < b) d();\n", "related", ""},
	})
}
