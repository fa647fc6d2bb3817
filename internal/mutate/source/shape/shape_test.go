package shape_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/cputime"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// A row is a text, and all that the operator makes of it.
type row struct {
	name, file, text string
	want             []string
}

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range source.Mutants(c.file, []byte(c.text)) {
				if m.Operator == "shape" {
					got = append(got, string(m.Apply([]byte(c.text))))
				}
			}
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(c.want, g) {
					t.Errorf("too much:\n%s", g)
				}
			}
		})
	}
}

// Shows that two loops over one list become one.
func TestJoined(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "for a in b:\n    c(a)\nfor d in b:\n    e(d)\n", []string{"for a in b:\n    c(a)\n    d = a\n    e(d)\npass\n"}},
		{
			"in a branch behind it", "a.py", "for a in b:\n    if not c(a):\n        d = a\n        break\nif d:\n    e()\nelse:\n    for a in b:\n        f(a)\n        # g\n        h(a)\n",
			[]string{"for a in b:\n    if not c(a):\n        d = a\n        break\n    f(a)\n    # g\n    h(a)\nif d:\n    e()\nelse:\n    pass\n"},
		},
		{"behind a try", "a.py", "try:\n    for a in b: c(a)\nexcept D:\n    raise\nfor a in b: e(a)\n", []string{"try:\n    for a in b: \n        c(a)\n        e(a)\nexcept D:\n    raise\npass\n"}},
		{"two names", "a.py", "for a, b in c.items():\n    d(a)\nfor e, f in c.items():\n    g(f)\n", []string{"for a, b in c.items():\n    d(a)\n    e, f = a, b\n    g(f)\npass\n"}},
		{"other lists", "a.py", "for a in b:\n    c(a)\nfor a in d:\n    e(a)\n", nil},
		{"what is known only behind the first", "a.py", "for a in b:\n    c(a)\nd = e()\nfor a in b:\n    f(a, d)\n", nil},
		{"in another loop", "a.py", "for a in b:\n    c(a)\nwhile d:\n    for a in b:\n        e(a)\n", nil},
		{"in another function", "a.py", "def f(b):\n    for a in b:\n        c(a)\ndef g(b):\n    for a in b:\n        e(a)\n", nil},
		{"in one branch each", "a.py", "if d:\n    for a in b:\n        c(a)\nelse:\n    for a in b:\n        e(a)\n", nil},
		{"with an else", "a.py", "for a in b:\n    c(a)\nfor a in b:\n    e(a)\nelse:\n    f()\n", nil},
		{"a long text", "a.py", "for a in b:\n    c(a)\nfor a in b:\n    e('''\n    f''')\n", nil},
		{"javascript", "a.mjs", "for (const a of b) { c(a); }\nfor (const d of b) {\n  await e(d);\n}\n", []string{"for (const a of b) { c(a); \n{ const d = a;\n  await e(d);\n}\n}\n{ }\n"}},
		{"javascript without brackets", "a.mjs", "for (const a of b) c(a);\nfor (const a of b) e(a);\n", []string{"for (const a of b) { c(a);\n{ \ne(a)\n}\n}\n{ };\n"}},
		{"what counts", "a.mjs", "for (let i = 0; i < n; i++) { c(i); }\nfor (let i = 0; i < n; i++) { d(i); }\n", []string{"for (let i = 0; i < n; i++) { c(i); \n{ \n d(i); \n}\n}\n{ }\n"}},
		{
			"go", "a.go", "package a\n\nfunc f() {\n\tfor _, a := range b {\n\t\tc(a)\n\t}\n\tfor i, d := range b {\n\t\te(i, d)\n\t}\n}\n",
			[]string{"package a\n\nfunc f() {\n\tfor i, a := range b {\n\t\tc(a)\n\t\n{ d := a\n\n\t\te(i, d)\n\t\n}\n}\n\t{ }\n}\n"},
		},
		{
			"java", "A.java", "class A { void f() {\n  for (B a : b) {\n    c(a);\n  }\n  for (B d : b) {\n    e(d);\n  }\n} }\n",
			[]string{"class A { void f() {\n  for (B a : b) {\n    c(a);\n  \n{ var d = a;\n    e(d);\n  \n}\n}\n  { }\n} }\n"},
		},
		{"shell", "a.sh", "for a in b c; do d \"$a\"; done\nif e; then\n  for f in b c; do\n    g \"$f\"\n  done\nfi\n", []string{"for a in b c; do d \"$a\"; f=$a\ng \"$f\"\ndone\nif e; then\n  :\nfi\n"}},
		{"lines of a file", "a.sh", "while read -r a; do b \"$a\"; done < c\nwhile read -r a; do d \"$a\"; done < c\n", []string{"while read -r a; do b \"$a\"; d \"$a\"\ndone < c\n:\n"}},
		{"lines of two files", "a.sh", "while read -r a; do b \"$a\"; done < c\nwhile read -r a; do d \"$a\"; done < e\n", nil},
		{"what a script sets between them", "a.sh", "for a in b c; do d; done\nf=$(g)\nfor a in b c; do h \"$f\"; done\n", nil},
		{"a loop that a script pipes", "a.sh", "for a in b c; do d; done\nfor a in b c; do h; done | sort\n", nil},
		{"functions of a script", "a.sh", "for a in b c; do d; done\ng() {\n  for a in b c; do h; done\n}\n", nil},
	})
}

// Shows that what is done with each of a list is done where it comes into the list.
func TestFilled(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "a = []\nfor b in c:\n    a.append(d(b))\nfor e in a:\n    f(e)\n", []string{"a = []\nfor b in c:\n    a.append(d(b))\n    e = a[-1]\n    f(e)\npass\n"}},
		{"under a condition", "a.py", "for b in c:\n    if not d(b): a.append(b)\nfor b in a: e(b)\n", []string{"for b in c:\n    if not d(b): \n        a.append(b)\n        e(b)\npass\n"}},
		{"a set", "a.py", "for b in c:\n    a.add(d(b))\nfor e in a:\n    f(e)\n", []string{"for b in c:\n    a.add(d(b))\n    e = d(b)\n    f(e)\npass\n"}},
		{"at two places", "a.py", "for b in c:\n    if d:\n        a.append(b)\n    else:\n        a.append(e)\nfor b in a:\n    f(b)\n", []string{"for b in c:\n    if d:\n        a.append(b)\n        f(b)\n    else:\n        a.append(e)\n        b = a[-1]\n        f(b)\npass\n"}},
		{"what is known only when all are there", "a.py", "for b in c:\n    a.append(b)\nd = len(a)\nfor b in a:\n    e(b, d)\n", nil},
		{"not in a loop", "a.py", "a.append(b)\nfor b in a:\n    f(b)\n", nil},
		{"a list of what is computed", "a.py", "a = [b(c) for c in d]\nfor e in a:\n    f(e)\n", []string{"a = (b(c) for c in d)\nfor e in a:\n    f(e)\n"}},
		{"a list with another use", "a.py", "a = [b(c) for c in d]\nfor e in a:\n    f(e)\ng(len(a))\n", nil},
		{"javascript", "a.mjs", "for (let i = 0; i < n; i++) {\n  a.push(b(i));\n}\nfor (const { c, d } of a) {\n  e(c);\n}\n", []string{"for (let i = 0; i < n; i++) {\n  { a.push(b(i));\nconst { c, d } = a[a.length - 1];\n  e(c);\n}\n}\n{ }\n"}},
		{"map", "a.mjs", "const a = b.map(c);\nfor (const d of a) await e(d);\n", []string{"const a = (function* () { let made = 0; for (const one of b) yield (c)(one, made++); })();\nfor (const d of a) await e(d);\n"}},
		{
			"go", "a.go", "package a\n\nfunc f() {\n\tfor _, b := range c {\n\t\ta = append(a, d(b))\n\t}\n\tfor i, e := range a {\n\t\tg(i, e)\n\t}\n}\n",
			[]string{"package a\n\nfunc f() {\n\tfor _, b := range c {\n\t\t{ a = append(a, d(b));\ni := len(a) - 1\ne := a[len(a)-1]\n\t\tg(i, e)\n\t\n}\n\t}\n\t{ }\n}\n"},
		},
		{"java", "A.java", "class A { void f() {\n  for (B b : c) { a.add(d(b)); }\n  for (E e : a) { g(e); }\n} }\n", []string{"class A { void f() {\n  for (B b : c) { { a.add(d(b));\nvar e = a.get(a.size() - 1);\n g(e); \n} }\n  { }\n} }\n"}},
		{"shell", "a.sh", "for a in b c; do\n  d=\"$d $a\"\ndone\nfor e in $d; do f \"$e\"; done\n", []string{"for a in b c; do\n  d=\"$d $a\"\ne=\"$a\"\nf \"$e\"\n\ndone\n:\n"}},
	})
}

// Shows that what is made once before a loop is made in each of its rounds.
func TestRenewed(t *testing.T) {
	check(t, []row{
		{"an object", "a.py", "a = Client(3)\ntry:\n    while b:\n        b = a.get(b)\nexcept C:\n    pass\n", []string{"a = Client(3)\ntry:\n    while b:\n        a = Client(3)\n        b = a.get(b)\nexcept C:\n    pass\n"}},
		{"with what is done with it", "a.py", "a = requests.Session()\na.headers['b'] = c\nfor d in e:\n    a.get(d)\n", []string{"a = requests.Session()\na.headers['b'] = c\nfor d in e:\n    a = requests.Session()\n    a.headers['b'] = c\n    a.get(d)\n"}},
		{"what counts down", "a.py", "a = 3\nfor b in c:\n    if a == 0: break\n    a -= 1\n", []string{"a = 3\nfor b in c:\n    a = 3\n    if a == 0: break\n    a -= 1\n"}},
		{"a moment", "a.py", "a = time.monotonic() + 5\nfor b in c:\n    if time.monotonic() > a: break\n", []string{"a = time.monotonic() + 5\nfor b in c:\n    a = time.monotonic() + 5\n    if time.monotonic() > a: break\n"}},
		{"a set", "a.py", "a = set()\nfor b in c:\n    if b not in a:\n        a.add(b)\n", []string{"a = set()\nfor b in c:\n    a = set()\n    if b not in a:\n        a.add(b)\n"}},
		{"what is only filled", "a.py", "a = []\nb = 0\nc = {}\nfor d in e:\n    a.append(d)\n    b += 1\n    c[d] = b2\n", nil},
		{"what is always the same", "a.py", "a = Decimal('1')\nb = Request(c)\nd = int(e)\nfor f in g:\n    h(a, b, d)\n", nil},
		{"what the loop makes itself", "a.py", "a = Client(3)\nfor b in c:\n    a = Client(b)\n    d(a)\n", nil},
		{"what the loop ends with", "a.py", "a = 3\nwhile a > 0:\n    a -= 1\n    b(a)\n", nil},
		{"of another function", "a.py", "a = Client(3)\ndef f():\n    for b in c:\n        a.get(b)\n", nil},
		{
			"javascript", "a.mjs", "async function f() {\n  const a = new AbortController();\n  const b = setTimeout(() => a.abort(), 1000);\n  for (const c of d) {\n    await fetch(c, { signal: a.signal });\n  }\n  clearTimeout(b);\n}\n",
			[]string{"async function f() {\n  const a = new AbortController();\n  const b = setTimeout(() => a.abort(), 1000);\n  for (const c of d) { const a = new AbortController(); const b = setTimeout(() => a.abort(), 1000);\n    await fetch(c, { signal: a.signal });\n  }\n  clearTimeout(b);\n}\n"},
		},
		{"a let", "a.mjs", "let a = 3;\nfor (const b of c) {\n  if (a-- === 0) break;\n}\n", []string{"let a = 3;\nfor (const b of c) { a = 3;\n  if (a-- === 0) break;\n}\n"}},
		{
			"go", "a.go", "package a\n\nfunc f() {\n\tctx, cancel := context.WithTimeout(b, c)\n\tdefer cancel()\n\tfor _, d := range e {\n\t\tg(ctx, d)\n\t}\n}\n",
			[]string{"package a\n\nfunc f() {\n\tctx, cancel := context.WithTimeout(b, c)\n\tdefer cancel()\n\tfor _, d := range e { ctx, cancel = context.WithTimeout(b, c)\n defer cancel()\n\n\t\tg(ctx, d)\n\t}\n}\n"},
		},
		{"java", "A.java", "class A { void f() {\n  Client a = new Client(3);\n  for (B b : c) {\n    a.get(b);\n  }\n} }\n", []string{"class A { void f() {\n  Client a = new Client(3);\n  for (B b : c) { a = new Client(3);\n    a.get(b);\n  }\n} }\n"}},
		{"shell", "a.sh", "a=3\nfor b in c d; do\n  [ \"$a\" -gt 0 ] || break\n  a=$((a - 1))\ndone\n", []string{"a=3\nfor b in c d; do a=3;\n  [ \"$a\" -gt 0 ] || break\n  a=$((a - 1))\ndone\n"}},
		{"what a script only reads", "a.sh", "a=3\nfor b in c d; do\n  e \"$a\"\ndone\n", nil},
	})
}

// Shows that the inner one of two loops is the outer one.
func TestSwapped(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "for a in b:\n    for c in d:\n        e(a, c)\n", []string{"for c in d:\n    for a in b:\n        e(a, c)\n"}},
		{"of what the outer one has", "a.py", "for a in b:\n    for c in a.d:\n        e(a, c)\n", nil},
		{"with more in it", "a.py", "for a in b:\n    f(a)\n    for c in d:\n        e(a, c)\n", nil},
		{"what is opened once", "a.py", "with a() as b:\n    for c in d:\n        b.e(c)\n", []string{"for c in d:\n    with a() as b:\n        b.e(c)\n"}},
		{"what is gone through itself", "a.py", "with a() as b:\n    for c in b:\n        e(c)\n", nil},
		{"javascript", "a.mjs", "for (const a of b) {\n  for (const c of d) {\n    e(a, c);\n  }\n}\n", []string{"for (const c of d) {\n  for (const a of b) {\n    e(a, c);\n  }\n}\n"}},
		{"shell", "a.sh", "for a in b c; do\n  for d in $e; do\n    f \"$a\" \"$d\"\n  done\ndone\n", []string{"for d in $e; do\n  for a in b c; do\n    f \"$a\" \"$d\"\n  done\ndone\n"}},
		{"of what the outer one of a script has", "a.sh", "for a in b c; do\n  for d in $(e \"$a\"); do\n    f \"$a\" \"$d\"\n  done\ndone\n", nil},
	})
}

// Shows that what waits for its turn is taken at once.
func TestKeyed(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "for a in b:\n    c[a.d] = a\n    while e in c:\n        f(c.pop(e))\n        e += 1\n", []string{
			"for a in b:\n    c[a.d] = a\n    while a.d in c:\n        f(c.pop(a.d))\n        e += 1\n",
			"for a in b:\n    c[a.d] = a\n    if e in c:\n        f(c.pop(e))\n        e += 1\n",
		}},
		{"javascript", "a.mjs", "c.set(a.d, a);\nwhile (c.has(e)) {\n  f(c.get(e));\n  c.delete(e);\n  e++;\n}\n", []string{
			"c.set(a.d, a);\nwhile (c.has(a.d)) {\n  f(c.get(a.d));\n  c.delete(a.d);\n  e++;\n}\n",
			"c.set(a.d, a);\nif (c.has(e)) {\n  f(c.get(e));\n  c.delete(e);\n  e++;\n}\n",
		}},
		{"go", "a.go", "package a\n\nfunc g() {\n\tc[a.d] = a\n\tfor c[e] != nil {\n\t\tf(c[e])\n\t\tdelete(c, e)\n\t\te++\n\t}\n}\n", []string{"package a\n\nfunc g() {\n\tc[a.d] = a\n\tfor c[a.d] != nil {\n\t\tf(c[a.d])\n\t\tdelete(c, a.d)\n\t\te++\n\t}\n}\n"}},
		{"another table", "a.py", "g[a.d] = a\nwhile e in c and h:\n    f(c.pop(e))\n", nil},
	})
}

// Shows that a list of what was noted meanwhile is not gone through after all of the list, but after each of it.
func TestLevels(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "a, d = [s], 0\nwhile a:\n    b = []\n    for c in a:\n        b.append(c)\n    a, d = b, d + 1\n", []string{
			"a, d = [s], 0\nlevels_left, levels_over = [(a, d,)], []\nmost_d = d\nwhile levels_left:\n    (a, d,) = levels_left.pop()\n    if len(a) > 1: levels_left.append((list(a)[1:], d,)); a = list(a)[:1]\n    if not (a): levels_over += a; most_d = max(most_d, d); continue\n    b = []\n    for c in a:\n        b.append(c)\n    a, d = b, d + 1\n    levels_left.append((a, d,))\na = levels_over\nd = most_d\n",
		}},
		{"javascript", "a.mjs", "let a = [s];\nwhile (a.length) {\n  const b = [];\n  for (const c of a) {\n    b.push(c);\n  }\n  a = b;\n}\n", []string{
			"let a = [s];\n{ const levelsLeft = [[a]], levelsOver = []; while (levelsLeft.length) { [a] = levelsLeft.pop(); if (a.length > 1) { levelsLeft.push([a.slice(1)]); a = a.slice(0, 1); } if (!(a.length)) { levelsOver.push(...a); continue; }\n  const b = [];\n  for (const c of a) {\n    b.push(c);\n  }\n  a = b;\n;levelsLeft.push([a]); } a = levelsOver; }\n",
		}},
		{"what hands nothing on", "a.py", "while a:\n    b = []\n    for c in a:\n        b.append(c)\n    a = d()\n", nil},
	})
	var got []string
	text := "package a\n\nfunc f(a []string, d int) {\n\tfor len(a) > 0 {\n\t\tvar b []string\n\t\tfor _, c := range a {\n\t\t\tb = append(b, c)\n\t\t}\n\t\ta = b\n\t\td++\n\t}\n}\n"
	for _, m := range source.Mutants("a.go", []byte(text)) {
		if m.Operator == "shape" {
			got = append(got, string(m.Apply([]byte(text))))
		}
	}
	if len(got) != 1 || !strings.Contains(got[0], "{ kept_a, kept_d := a, d\nlevelsLeft = append(levelsLeft, func() { a, d = kept_a, kept_d }) }") {
		t.Errorf("of go there is %q", got)
	}
}

// Shows that what works a list off does so with one of it alone.
func TestWorked(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "while a:\n    b(a.pop())\n", []string{"if a:\n    b(a.pop())\n"}},
		{"by its length", "a.py", "while len(a) > 0:\n    b(a.pop(0))\n", []string{"if len(a) > 0:\n    b(a.pop(0))\n"}},
		{"what takes nothing", "a.py", "while a:\n    a = b(a)\n", nil},
		{"what ends itself", "a.py", "while a:\n    if b(a.pop()): break\n", nil},
		{"always", "a.py", "while True:\n    b(a.pop())\n", nil},
		{"the last one", "a.py", "for a in reversed(b):\n    c(a)\n", []string{"for a in list(reversed(b))[:1]:\n    c(a)\n"}},
		{"a countdown", "a.py", "for a in reversed(range(3)):\n    c(a)\n", nil},
		{"where something failed", "a.py", "try:\n    a()\nexcept B:\n    for c in d:\n        e(c)\n", []string{"try:\n    a()\nexcept B:\n    for c in list(d)[-1:]:\n        e(c)\n"}},
		{"javascript", "a.mjs", "while (a.length > 0) await b(a.pop());\n", []string{"if (a.length > 0) await b(a.pop());\n"}},
		{"backwards", "a.mjs", "for (let i = a.length - 1; i >= 0; i--) b(a[i]);\n", []string{"for (let i = a.length - 1; i >= a.length - 1; i--) b(a[i]);\n"}},
		{"go", "a.go", "package a\n\nfunc f() {\n\tfor len(a) > 0 {\n\t\tb(a[0])\n\t\ta = a[1:]\n\t}\n}\n", []string{"package a\n\nfunc f() {\n\tif len(a) > 0 {\n\t\tb(a[0])\n\t\ta = a[1:]\n\t}\n}\n"}},
		{"java", "A.java", "class A { void f() { while (!a.isEmpty()) { b(a.pop()); } } }\n", []string{"class A { void f() { if (!a.isEmpty()) { b(a.pop()); } } }\n"}},
	})
}

// Shows that of a file with many loops no more than a few changes are made, and no more than half of them of one kind.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{strings.Repeat("while a:\n    b(a.pop())\n", 40), 6},
		{strings.Repeat("while a:\n    b(a.pop())\n", 40) + strings.Repeat("for a in b:\n    for c in d:\n        e(a, c)\n", 40) + strings.Repeat("x = Client(1)\nfor a in f():\n    x.get(a)\n", 40), 12},
	} {
		n := 0
		for _, m := range source.Mutants("a.py", []byte(c.text)) {
			if m.Operator == "shape" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("there are %d changes, want %d", n, c.want)
		}
	}
}

// Shows that the work grows with a text as it does: many loops, one after the other and one in the other.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ name, file, from, part, to string }{
		{"loops", "a.py", "", "x = Client(1)\nfor a in b:\n    x.c(a)\nfor d in e:\n    b.append(d)\n", ""},
		{"lists of what is computed", "a.py", "a = [b(c) for c in d]\n", "for e in a:\n    f(e)\n", ""},
		{"one line", "a.py", "", "a.append(b); c = 3; ", ""},
		{"loops in loops", "a.mjs", "", "x = new Client(1); for (const a of b) { b.push(x); ", "}"},
		{"functions in functions", "a.go", "package a\nfunc f() {", "a = append(a, func() { for _, b := range a { c(b) }; ", "})\n"},
		{"loops of a script", "a.sh", "", "a=3\nfor b in c d; do a=$((a - 1)); e=\"$e $b\"; done\nfor f in $e; do g \"$a\"; done\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			cost := func(bytes int) time.Duration {
				n := bytes / (len(c.part) + len(c.to))
				text := []byte(c.from + strings.Repeat(c.part, n) + strings.Repeat(c.to, n) + "\n")
				best := time.Hour
				for range 3 { // processor time, which others on the machine do not use up
					start := cputime.Spent()
					source.Mutants(c.file, text)
					best = min(best, cputime.Spent()-start)
				}
				return best
			}
			small := cost(10_000)
			if large := cost(100_000); large > 40*small+50*time.Millisecond {
				t.Errorf("ten times the text takes %v instead of %v", large, small)
			}
		})
	}
}
