package simpler_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/cputime"
	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// What a program of Python and of JavaScript counts with, and what it keeps.
const (
	pyCount = `next(vars(__import__("builtins")).setdefault("turn1", __import__("itertools").count()))`
	pyFirst = `vars(__import__("builtins")).setdefault("turn1", `
	jsCount = "(globalThis.turn1 = (globalThis.turn1 ?? -1) + 1)"
)

// The beginning and the end of a function of Go and of a method of Java, and what is declared behind them.
const (
	goBegin   = "package a\n\nfunc f() {\n"
	goCounts  = "\n}\n\nvar turn1 = -1\n\nfunc turn1Of[N int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64 | uintptr](N) N {\n\tturn1++\n\treturn N(turn1)\n}\n"
	goKeeps   = "\n}\n\nvar turn1 any\n\nfunc turn1Of[K any](k K) K {\n\tif turn1 == nil {\n\t\tturn1 = k\n\t}\n\treturn turn1.(K)\n}\n"
	javaBegin = "class A { void f() {\n"
	javaCount = "\n}\nstatic int turn1 = -1; }\n"
)

// A row is a text, and all that one of the kinds of changes makes of it.
type row struct {
	name, file, text string
	want             []string
}

// check compares what is made with what is wanted, as far as its line says one of some words.
func check(t *testing.T, rows []row, words ...string) {
	t.Helper()
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range source.Mutants(c.file, []byte(c.text)) {
				if slices.ContainsFunc(words, func(w string) bool { return strings.Contains(m.Change, w) }) {
					got = append(got, string(m.Apply([]byte(c.text))))
				}
			}
			slices.Sort(got)
			slices.Sort(c.want)
			if !slices.Equal(got, c.want) {
				t.Errorf("made\n%q\nwant\n%q", got, c.want)
			}
		})
	}
}

// Shows that what a hash chooses is chosen by counting.
func TestRemainders(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "send(a[zlib.crc32(b) % 3], b)\n", []string{"send(a[" + pyCount + " % 3], b)\n"}},
		{"by a name", "a.py", "h = crc(b)\nsend(a[h % len(a)], b)\n", []string{"h = crc(b)\nsend(a[" + pyCount + " % len(a)], b)\n"}},
		{"a counter", "a.py", "for i in range(9):\n    send(a[i % 3])\n", nil},
		{"a number of the program", "a.py", "n = 3\nsend(a[n % 3], len(b) % 2)\n", nil},
		{"a text", "a.py", "print('%s' % f(x))\n", nil},
		{"a sum that is checked", "a.py", "ok = check(x) % 10 == 0\n", nil},
		{"javascript", "a.mjs", "send(a[hash(b) % 3], b);\n", []string{"send(a[" + jsCount + " % 3], b);\n"}},
		{"go", "a.go", goBegin + "\tsend(a[crc(b)%uint32(len(a))], b)\n}\n", []string{goBegin + "\tsend(a[turn1Of(crc(b))%uint32(len(a))], b)" + goCounts}},
		{"go, outside a function", "a.go", "package a\n\nvar b = c[crc(d)%3]\n", nil},
		{"java", "A.java", javaBegin + "send(a[Math.floorMod(b.hashCode(), 3)], b);\n} }\n", []string{javaBegin + "send(a[Math.floorMod((++turn1), 3)], b);" + javaCount}},
		{"ruby", "a.rb", "send(a[Zlib.crc32(b) % 3], b)\n", []string{"send(a[($turn1 = ($turn1 || -1) + 1) % 3], b)\n"}},
		{"shell", "a.sh", "n=$(printf %s \"$a\" | cksum)\nb=$((n % 3))\n# $((n % 3))\ni=$((i + 1)); c=$((i % 3))\n", []string{"n=$(printf %s \"$a\" | cksum)\nb=$(((turn1 = ${turn1:--1} + 1) % 3))\n# $((n % 3))\ni=$((i + 1)); c=$((i % 3))\n"}},
	}, "counts 0, 1, 2")
}

// Shows that what a function, or the least of something, chooses is what is next in turn.
func TestNextInTurn(t *testing.T) {
	check(t, []row{
		{"an index", "a.py", "send(a[of(b)], b)\n", []string{"send((lambda turns: turns[" + pyCount + " % len(turns)])(list((a.values() if hasattr(a, \"values\") else a))), b)\n"}},
		{"what only converts", "a.py", "send(a[int(b)], a[len(b)])\n", nil},
		{"what is put there", "a.py", "a[of(b)] = 1\na[of(b)] += 1\ndel a[of(b)]\na[of(b)].append(c)\n", nil},
		{"the least", "a.py", "w = min(ws, key=load)\n", []string{"w = (lambda turns: turns[" + pyCount + " % len(turns)])(list(ws))\n"}},
		{"the first of a sorted list", "a.py", "w = sorted(ws, key=load)[0]\n", []string{"w = (lambda turns: turns[" + pyCount + " % len(turns)])(list(ws))\n"}},
		{"without a key", "a.py", "w = min(ws)\n", nil},
		{"javascript", "a.mjs", "w = ws.reduce((a, b) => a.n < b.n ? a : b);\n", []string{"w = ((turns) => turns[" + jsCount + " % turns.length])([...ws]);\n"}},
		{"a sum", "a.mjs", "w = ws.reduce((a, b) => a + b);\n", nil},
		{"go", "a.go", goBegin + "\tw := slices.MinFunc(ws, less)\n}\n", []string{goBegin + "\tw := ws[turn1Of(0)%len(ws)]" + goCounts}},
		{"java", "A.java", javaBegin + "w = Collections.min(ws, less);\n} }\n", []string{javaBegin + "w = new java.util.ArrayList<>(ws).get((++turn1) % ws.size());" + javaCount}},
		{"ruby", "a.rb", "w = ws.min_by(&:load)\n", []string{"w = ws.to_a.cycle.first(($turn1 = ($turn1 || -1) + 1) + 1).last\n"}},
	}, "next in turn")
}

// Shows that what keys keep apart is all under the first one.
func TestGrouped(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "q[b.c].append(b)\n", []string{"q[" + pyFirst + "b.c)].append(b)\n"}},
		{"setdefault", "a.py", "q.setdefault(b.c, []).append(b)\n", []string{"q.setdefault(" + pyFirst + "b.c), []).append(b)\n"}},
		{"two keys", "a.py", "q[b.c][d].append(b)\n", []string{"q[" + pyFirst + "b.c)][d].append(b)\n"}},
		{"groupby", "a.py", "for k, g in groupby(a, key=b): c(g)\n", []string{"for k, g in groupby(a, key=lambda one: " + pyFirst + "(b)(one))): c(g)\n"}},
		{"one list", "a.py", "q.append(b)\nq[0].append(b)\nq[-1].append(b)\n", nil},
		{"javascript", "a.mjs", "x;\n(q[b.c] ??= []).push(b);\n", []string{"x;\n(q[(globalThis.turn1 ??= b.c)] ??= []).push(b);\n"}},
		{"a map", "a.mjs", "q.get(b.c).push(b);\n", []string{"q.get((globalThis.turn1 ??= b.c)).push(b);\n"}},
		{"groupBy", "a.mjs", "g = Object.groupBy(a, (b) => b.c);\n", []string{"g = Object.groupBy(a, (...one) => (globalThis.turn1 ??= ((b) => b.c)(...one)));\n"}},
		{"go", "a.go", goBegin + "\tq[b.c] = append(q[b.c], b)\n}\n", []string{goBegin + "\tq[turn1Of(b.c)] = append(q[turn1Of(b.c)], b)" + goKeeps}},
		{"java", "A.java", javaBegin + "q.computeIfAbsent(b.c, k -> new D()).add(b);\n} }\n", []string{javaBegin + "q.computeIfAbsent(turn1Of(b.c), k -> new D()).add(b);\n}\nstatic Object turn1; @SuppressWarnings(\"unchecked\") static <K> K turn1Of(K k) { if (turn1 == null) turn1 = k; return (K) turn1; } }\n"}},
		{"ruby", "a.rb", "x\n(q[b.c] ||= []) << b\n", []string{"x\n(q[($turn1 ||= b.c)] ||= []) << b\n"}},
	}, "first key")
}

// Shows that parts of a total are rounded one by one, with nothing carried over.
func TestCarried(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "for w in ws:\n    due += w\n    part = round(due) - given\n    given += part\n", []string{"for w in ws:\n    due += w\n    part = round(w)\n    given += part\n"}},
		{"with a name for what is due", "a.py", "for w in ws:\n    due = due + w * x\n    to = round(due / y)\n    part = to - given\n    given = to\n", []string{"for w in ws:\n    due = due + w * x\n    to = round(due / y)\n    part = round((w * x) / y)\n    given = to\n"}},
		{"what is due grows behind it", "a.py", "for w in ws:\n    part = round(due + w) - given\n    given += part\n    due += w\n", []string{"for w in ws:\n    part = round(0 + w)\n    given += part\n    due += w\n"}},
		{"two loops", "a.py", "for w in ws:\n    due += w\n    part = round(due) - given\n    given += part\nfor v in vs:\n    due += v\n", []string{"for w in ws:\n    due += w\n    part = round(w)\n    given += part\nfor v in vs:\n    due += v\n"}},
		{"what is given does not add up", "a.py", "for w in ws:\n    due += w\n    part = round(due) - given\n    other += part\n", nil},
		{"what is due does not grow", "a.py", "for w in ws:\n    part = round(due) - given\n    given += part\n", nil},
		{"a share of what is left", "a.py", "for w in ws:\n    part = round(left * w / all)\n    left -= part\n    all -= w\n", []string{"for w in ws:\n    part = round(left * w / all)\n    pass\n    pass\n"}},
		{"javascript", "a.mjs", "for (const w of ws) {\n  due += w;\n  const part = Math.round(due) - given;\n  given += part;\n}\n", []string{"for (const w of ws) {\n  due += w;\n  const part = Math.round(w);\n  given += part;\n}\n"}},
		{"go", "a.go", goBegin + "\tfor _, w := range ws {\n\t\tdue += w\n\t\tpart := round(due) - given\n\t\tgiven += part\n\t}\n}\n", []string{goBegin + "\tfor _, w := range ws {\n\t\tdue += w\n\t\tpart := round((w + 0*due)) - 0*given\n\t\tgiven += part\n\t}\n}\n"}},
		{"java", "A.java", javaBegin + "for (int w : ws) { due += w; int part = round(due) - given; given += part; }\n} }\n", []string{javaBegin + "for (int w : ws) { due += w; int part = round(w); given += part; }\n} }\n"}},
		{"ruby", "a.rb", "ws.each do |w|\n  due += w\n  part = due.round - given\n  given += part\nend\n", []string{"ws.each do |w|\n  due += w\n  part = w.round\n  given += part\nend\n"}},
	}, "rounded alone", "` and `")
}

// Shows that what is built aside is built where it is in use.
func TestAside(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "def f(self):\n    a = dict()\n    for b in c:\n        a[b] = 1\n    self.d = a\n", []string{
			"def f(self):\n    a = (self.d.clear(), self.d)[1] if self.d is not None else dict()\n    for b in c:\n        a[b] = 1\n    self.d = a\n",
			"def f(self):\n    a = self.d if self.d is not None else dict()\n    for b in c:\n        a[b] = 1\n    self.d = a\n",
		}},
		{"a copy", "a.py", "def f(self):\n    a = self.d.copy()\n    a[b] = 1\n    self.d = a\n", []string{"def f(self):\n    a = self.d\n    a[b] = 1\n    self.d = a\n"}},
		{"computed as a whole", "a.py", "def f(self):\n    a = {b: g(b) for b in c}\n    self.d = a\n", []string{"def f(self):\n    a = (self.d.clear() if self.d is not None else None, {b: g(b) for b in c})[1]\n    self.d = a\n"}},
		{"of the file", "a.py", "d = {}\ndef f():\n    global d\n    a = {}\n    a[b] = 1\n    d = a\n", []string{
			"d = {}\ndef f():\n    global d\n    a = (d.clear(), d)[1] if d is not None else {}\n    a[b] = 1\n    d = a\n",
			"d = {}\ndef f():\n    global d\n    a = d if d is not None else {}\n    a[b] = 1\n    d = a\n",
		}},
		{"of one function", "a.py", "def f(d):\n    a = []\n    a.append(1)\n    d = a\n", nil},
		{"made of what it replaces", "a.py", "def f(self):\n    a = []\n    for b in self.d:\n        a.append(b)\n    self.d = a\n", nil},
		{"something else", "a.py", "def f(self):\n    a = g()\n    self.d = a\n", nil},
		{"javascript", "a.mjs", "async function f() { const a = new Map(); for (const b of c) a.set(b, 1); s.d = a; }\n", []string{
			"async function f() { const a = (s.d?.clear(), s.d ?? new Map()); for (const b of c) a.set(b, 1); s.d = a; }\n",
			"async function f() { const a = s.d ?? new Map(); for (const b of c) a.set(b, 1); s.d = a; }\n",
		}},
		{"a variable of the file", "a.mjs", "let d = [];\nfunction f() { const a = []; a.push(1); d = a; }\n", []string{
			"let d = [];\nfunction f() { const a = (d && (d.length = 0), d ?? []); a.push(1); d = a; }\n",
			"let d = [];\nfunction f() { const a = d ?? []; a.push(1); d = a; }\n",
		}},
		{"go", "a.go", goBegin + "\ta := make(map[string]int)\n\ta[b] = 1\n\ts.d = a\n}\n", []string{
			goBegin + "\ta := s.d\nif a == nil {\na = make(map[string]int)\n}\n\ta[b] = 1\n\ts.d = a\n}\n",
			goBegin + "\ta := s.d\nif a == nil {\na = make(map[string]int)\n}\nclear(a)\n\ta[b] = 1\n\ts.d = a\n}\n",
		}},
		{"java", "A.java", javaBegin + "Map<B, C> a = new HashMap<>(); a.put(b, c); this.d = a;\n} }\n", []string{
			javaBegin + "Map<B, C> a = this.d != null ? this.d : new HashMap<>(); a.put(b, c); this.d = a;\n} }\n",
			javaBegin + "Map<B, C> a = this.d != null ? this.d : new HashMap<>(); a.clear(); a.put(b, c); this.d = a;\n} }\n",
		}},
		{"ruby", "a.rb", "def f\n  a = {}\n  a[b] = 1\n  @d = a\nend\n", []string{
			"def f\n  a = (@d&.clear || {})\n  a[b] = 1\n  @d = a\nend\n",
			"def f\n  a = (@d || {})\n  a[b] = 1\n  @d = a\nend\n",
		}},
	}, "itself", "is emptied before")
}

// Shows that what doubles grows by the same each time.
func TestDoubled(t *testing.T) {
	check(t, []row{
		{"python", "a.py", "wait(b * 2 ** n)\n", []string{"wait(b * (n + 1))\n", "wait(b * (2 * n))\n"}},
		{"with a sum", "a.py", "wait(2 ** (n - 1))\n", []string{"wait(((n - 1) + 1))\n", "wait((2 * (n - 1)))\n"}},
		{"shifted", "a.mjs", "wait(b * (1 << n));\n", []string{"wait(b * ((n + 1)));\n", "wait(b * ((2 * n)));\n"}},
		{"a call", "a.mjs", "wait(b * Math.pow(2, n));\n", []string{"wait(b * (n + 1));\n", "wait(b * (2 * n));\n"}},
		{"of a number", "a.py", "a = 2 ** 16 + (1 << 3) + x * 1 << n\n", nil},
		{"of another base", "a.py", "a = 10 ** n\n", nil},
		{"doubled", "a.py", "d = 0.1\nwhile a():\n    d *= 2\n", []string{"d = 0.1\nwhile a():\n    d += 0.1\n"}},
		{"doubled, up to a bound", "a.mjs", "let d = 100;\nwhile (a()) { d = Math.min(d * 2, 900); }\n", []string{"let d = 100;\nwhile (a()) { d = Math.min((d + 100), 900); }\n"}},
		{"another name", "a.py", "d = 1\ne = d * 2\n", nil},
		{"nothing says with what it began", "a.py", "def f(d):\n    d *= 2\n", nil},
		{"go", "a.go", goBegin + "\td := c\n\tfor a() {\n\t\td *= 2\n\t}\n\te(time.Duration(1<<n) * d)\n}\n", []string{
			goBegin + "\td := c\n\tfor a() {\n\t\td += c\n\t}\n\te(time.Duration(1<<n) * d)\n}\n",
			goBegin + "\td := c\n\tfor a() {\n\t\td *= 2\n\t}\n\te(time.Duration((n + 1)) * d)\n}\n",
			goBegin + "\td := c\n\tfor a() {\n\t\td *= 2\n\t}\n\te(time.Duration((2 * n)) * d)\n}\n",
		}},
		{"go, constants", "a.go", "package a\n\nconst (\n\tb = 1 << iota\n\tc\n)\n", nil},
		{"java", "A.java", javaBegin + "long d = 100; d *= 2; e(1L * d);\n} }\n", []string{javaBegin + "long d = 100; d += 100; e(1L * d);\n} }\n"}},
		{"ruby", "a.rb", "wait(2**n)\n", []string{"wait((n + 1))\n", "wait((2 * n))\n"}},
		{"shell", "a.sh", "d=1\nsleep $((2 ** n))\n# $((1 << n))\nd=$((d * 2))\ne=$((d * 2))\n", []string{
			"d=1\nsleep $(((n + 1)))\n# $((1 << n))\nd=$((d * 2))\ne=$((d * 2))\n",
			"d=1\nsleep $(((2 * n)))\n# $((1 << n))\nd=$((d * 2))\ne=$((d * 2))\n",
			"d=1\nsleep $((2 ** n))\n# $((1 << n))\nd=$((d + 1))\ne=$((d * 2))\n",
		}},
	}, "` → `(n + 1)`", "` → `(2 * n)`", "` → `(16 + 1)`", "` → `(3 + 1)`", "` → `(iota + 1)`", "` → `((n - 1) + 1)`", "` → `(2 * (n - 1))`", "` → `+")
}

// Shows that of a file with many such places no more than a few are changed.
func TestBounds(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{strings.Repeat("a[crc(b) % 3] = c\n", 40), 6},
		{strings.Repeat("a[crc(b) % 3] = c\nq[b].append(c)\nw = min(ws, key=b)\nx(d[of(b)])\n", 40), 16},
	} {
		n := 0
		for _, m := range source.Mutants("a.py", []byte(c.text)) {
			if m.Operator == "next" {
				n++
			}
		}
		if n != c.want {
			t.Errorf("there are %d changes, want %d", n, c.want)
		}
	}
}

// Shows that the work grows with a text as it does.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ name, file, from, part, to string }{
		{"choices", "a.py", "", "a[crc(b) % 3] = c(d[of(b)])\nq[b].append(c)\n", ""},
		{"additions", "a.py", "", "a += b\nc = d(a) - e\ne += c\n", ""},
		{"copies", "a.py", "", "a = []\nself.b = a\nc = a\n", ""},
		{"brackets", "a.mjs", "", "a[b(", ")]"},
		{"functions in functions", "a.go", "package a\nfunc f() {", "a(func() { b[c(d)%3] = e; ", "})\n"},
		{"a script", "a.sh", "", "a=$(b | cksum); c=$((a % 3))\n", ""},
		{"doubling", "a.py", "", "a = 2 ** b\nc *= 2\nd = e(d * 2)\n", ""},
		{"doubling in a script", "a.sh", "", "a=$((2 ** b)); c=$((c * 2))\n", ""},
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
