package source

import (
	"strings"
	"testing"
)

// Shows how a sum is rounded in the place of what is added, and how the weights of a mean are left out.
func TestSums(t *testing.T) {
	for _, c := range []struct{ name, text, change, want string }{
		{"app.py", "t = sum(round(l.a * 0.19, 2) for l in ls if l.b)\n", "`round(l.a * 0.19, 2)` of each → of the sum", "t = round(sum((l.a * 0.19) for l in ls if l.b), 2)\n"},
		{"app.py", "t = sum([math.floor(a * 100) / 100 for a in b]) + c\n", "`math.floor(a * 100)` of each → of the sum", "t = math.floor(sum([(a * 100) for a in b])) / 100 + c\n"},
		{"app.py", "t = sum(int(a * 0.19) for a in b)\n", "`int(a * 0.19)` of each → of the sum", "t = int(sum((a * 0.19) for a in b))\n"},
		{"app.py", "t = sum(map(round, b))\n", "`round` of each → of the sum", "t = round(sum(b))\n"},
		{"app.py", "t = sum((d(a.b).quantize(CENT, e.F) for a in b), D(0))\n", "`d(a.b).quantize(CENT, e.F)` of each → of the sum", "t = sum(((d(a.b)) for a in b), D(0)).quantize(CENT, e.F)\n"},
		{"app.py", "t = sum((a * b).quantize(CENT) for a, b in c)\n", "`(a * b).quantize(CENT)` of each → of the sum", "t = sum(((a * b)) for a, b in c).quantize(CENT)\n"},
		{"app.py", "t = sum(a.p * a.w for a in b) / sum(a.w for a in b)\n", "the weight `a.w` left out of the mean", "t = (sum(a.p for a in b) / len([a.w for a in b]))\n"},
		{"app.py", "t = sum([w * p for p, w in b]) / sum([w for p, w in b])\n", "the weight `w` left out of the mean", "t = (sum(p for p, w in b) / len([w for p, w in b]))\n"},
		{"app.js", "t = a.b.map(c => Math.round(c.d * 100) / 100).reduce((e, f) => e + f, 0);\n", "`Math.round(c.d * 100)` of each → of the sum", "t = Math.round(a.b.map(c => (c.d * 100)).reduce((e, f) => e + f, 0)) / 100;\n"},
		{"app.js", "return a.reduce((s, { b, c }) => s + Number((b * c).toFixed(2)), 0)\n", "`Number((b * c).toFixed(2))` of each → of the sum", "return Number(a.reduce((s, { b, c }) => s + ((b * c)), 0).toFixed(2))\n"},
		{"app.py", "def f(ls):\n    t = 0\n    for l in ls:\n        if l.a:\n            t += round(l.a * 0.19, 2)\n        g(l)\n    # done\n    return t\n", "`round(l.a * 0.19, 2)` of each → of the sum", "def f(ls):\n    t = 0\n    for l in ls:\n        if l.a:\n            t += (l.a * 0.19)\n        g(l)\n    t = round(t, 2)\n    # done\n    return t\n"},
		{"app.py", "for a in b:\n    c.t = c.t + a.d.quantize(CENT)\n", "`a.d.quantize(CENT)` of each → of the sum", "for a in b:\n    c.t = c.t + (a.d)\nc.t = c.t.quantize(CENT)\n"},
		{"app.py", "for a in b:\n    t = 0\n    for c in a: t += round(c)\n    d(t)\n", "`round(c)` of each → of the sum", "for a in b:\n    t = 0\n    for c in a: t += (c)\n    t = round(t)\n    d(t)\n"},
		{"app.js", "let t = 0;\nfor (const a of b) {\n  if (a) { t += Math.round(a.c * 100) / 100; }\n  d(a);\n}\nreturn t;\n", "`Math.round(a.c * 100)` of each → of the sum", "let t = 0;\nfor (const a of b) {\n  if (a) { t += (a.c * 100); }\n  d(a);\n}\nt = Math.round(t) / 100;\nreturn t;\n"},
		{"main.go", "package a\n\nfunc f(b []float64) (t float64) {\n\tfor _, c := range b {\n\t\tt += math.Round(c * 19)\n\t}\n\treturn t\n}\n", "`math.Round(c * 19)` of each → of the sum", "package a\n\nfunc f(b []float64) (t float64) {\n\tfor _, c := range b {\n\t\tt += (c * 19)\n\t}\n\tt = math.Round(t)\n\treturn t\n}\n"},
		{"A.java", "class A {\n  double f(double[] b) {\n    double t = 0;\n    for (double c : b) {\n      t += Math.round(c * 100) / 100.0;\n    }\n    return t;\n  }\n}\n", "`Math.round(c * 100)` of each → of the sum", "class A {\n  double f(double[] b) {\n    double t = 0;\n    for (double c : b) {\n      t += (c * 100);\n    }\n    t = Math.round(t) / 100.0;\n    return t;\n  }\n}\n"},
		{"app.py", "def cents(v):\n    return v.quantize(C, H)\n\nt = sum(cents(p * D(\"0.19\")) for p in ps)\n", "`cents(p * D(\"0.19\"))` of each → of the sum", "def cents(v):\n    return v.quantize(C, H)\n\nt = cents(sum((p * D(\"0.19\")) for p in ps))\n"},
		{"app.py", "def whole(v):\n    w = v * 100\n    return int(w) / 100\nt = sum(map(whole, ps))\n", "`whole` of each → of the sum", "def whole(v):\n    w = v * 100\n    return int(w) / 100\nt = whole(sum(ps))\n"},
		{"app.py", "cents = lambda v: round(v, 2)\nfor p in ps:\n    t += cents(p)\n", "`cents(p)` of each → of the sum", "cents = lambda v: round(v, 2)\nfor p in ps:\n    t += (p)\nt = cents(t)\n"},
		{"app.js", "const cents = (v) => Math.round(v * 100) / 100;\nt = ps.map(p => cents(p.a)).reduce((a, b) => a + b, 0);\n", "`cents(p.a)` of each → of the sum", "const cents = (v) => Math.round(v * 100) / 100;\nt = cents(ps.map(p => (p.a)).reduce((a, b) => a + b, 0));\n"},
		{"app.js", "function cents(v) { return Number(v.toFixed(2)); }\nt = ps.reduce((s, p) => s + cents(p.a), 0);\n", "`cents(p.a)` of each → of the sum", "function cents(v) { return Number(v.toFixed(2)); }\nt = cents(ps.reduce((s, p) => s + (p.a), 0));\n"},
		{"app.ts", "function cents(v: number): number { return Math.floor(v); }\nfor (const p of ps) {\n  t += cents(p);\n}\n", "`cents(p)` of each → of the sum", "function cents(v: number): number { return Math.floor(v); }\nfor (const p of ps) {\n  t += (p);\n}\nt = cents(t);\n"},
		{"main.go", "package a\n\nfunc cents(v float64) float64 { return math.Round(v*100) / 100 }\n\nfunc f() {\n\tfor _, p := range ps {\n\t\tt += cents(p)\n\t}\n}\n", "`cents(p)` of each → of the sum", "package a\n\nfunc cents(v float64) float64 { return math.Round(v*100) / 100 }\n\nfunc f() {\n\tfor _, p := range ps {\n\t\tt += (p)\n\t}\n\tt = cents(t)\n}\n"},
		{"app.py", "def cost(l):\n    net = l['a'] * l['b']\n    return round(net * 1.19, 2)\n\nt = sum(cost(l) for l in ls)\n", "`cost(l)` of each → of the sum", "def cost(l):\n    net = l['a'] * l['b']\n    return (net * 1.19)\n\nt = round(sum((cost(l)) for l in ls), 2)\n"},
		{"app.js", "const cost = (l) => Math.round(l.a * 19) / 100;\nlet t = 0;\nfor (const l of ls) {\n  t += cost(l);\n}\n", "`cost(l)` of each → of the sum", "const cost = (l) => (l.a * 19);\nlet t = 0;\nfor (const l of ls) {\n  t += (cost(l));\n}\nt = Math.round(t) / 100;\n"},
		{"app.js", "t = ls.reduce((s, l) => s + cost(l, 2), 0);\nfunction cost(l, n) {\n  return Math.floor(l.a * n);\n}\n", "`cost(l, 2)` of each → of the sum", "t = Math.floor(ls.reduce((s, l) => s + (cost(l, 2)), 0));\nfunction cost(l, n) {\n  return (l.a * n);\n}\n"},
	} {
		found := false
		for _, m := range sound(t, c.name, []byte(c.text)) {
			if m.Change == c.change {
				found = true
				if got := string(m.Apply([]byte(c.text))); got != c.want || m.Operator != "call" {
					t.Errorf("%s %q: %s (%s) makes %q, want %q", c.name, c.text, c.change, m.Operator, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s %q: nothing does %s, only %q", c.name, c.text, c.change, listed(Mutants(c.name, []byte(c.text))))
		}
	}
}

// Shows where no sum is rounded: what is added is rounded to something else for each, or is no number yet, or what
// adds it does more than that.
func TestNotASum(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"app.py", "t = sum(round(a.b, a.c) for a in d)\n"},
		{"app.py", "t = sum(int(a) for a in d)\n"},
		{"app.py", "def cost(l):\n    return round(l['a'], n)\nt = sum(cost(l) for l in ls)\n"},
		{"app.py", "def cost(l):\n    if l:\n        return 0\n    return round(l['a'])\nt = sum(cost(l) for l in ls)\n"},
		{"app.py", "def count(s):\n    return int(s)\nt = sum(count(l) for l in ls)\n"},
		{"app.py", "def cents(a, b):\n    return round(a, b)\nt = sum(cents(l, 2) for l in ls)\n"},
		{"main.go", "package a\n\nfunc cents(v float64) int { return int(math.Round(v*100)) }\n\nfunc f() {\n\tfor _, p := range ps {\n\t\tt += cents(p)\n\t}\n}\n"},
		{"app.py", "t = sum(map(int, d))\n"},
		{"app.py", "t = sum(round(a) + 1 for a in d)\n"},
		{"app.py", "t = max(round(a) for a in d)\n"},
		{"app.py", "t = sum(round(a))\n"},
		{"app.py", "t = sum(a * w for a in b) / sum(w for a in c)\n"},
		{"app.py", "t = sum(a * v for a in b) / sum(w for a in b)\n"},
		{"app.js", "t = a.map(b => Math.round(b));\n"},
		{"app.js", "t = a.map(b => Math.round(b)).reduce((c, d) => c * d, 1);\n"},
		{"app.js", "t = a.reduce((c, d) => c + Math.round(d));\n"},
		{"app.js", "t = a.reduce((c, d) => c + Math.round(d), e);\n"},
		{"app.js", "t = a.reduce((c, d) => { return c + Math.round(d) }, 0);\n"},
		{"app.py", "t += round(a)\n"},
		{"app.py", "for a in b:\n    t = 0\n    t += round(a)\n"},
		{"app.py", "for a in b:\n    t += round(a)\n    c(t)\n    t = 0\n"},
		{"app.py", "for a in b:\n    t += round(a, c)\n"},
		{"app.py", "for a in b:\n    t = c + round(a)\n"},
		{"app.py", "for a in b:\n    t[a] += round(a)\n"},
		{"app.py", "for a in b:\n    t += round(a)\nelse:\n    c()\n"},
		{"app.py", "for a in b:\n    def c():\n        t.d += round(a)\n"},
		{"app.js", "for (const a of b) { c(function () { t += Math.round(a); }); }\n"},
		{"app.js", "for (const a of b) { let t = 0; t += Math.round(a); }\n"},
		{"A.java", "class A {\n  long f(double[] b) {\n    long t = 0;\n    for (double c : b) {\n      t += Math.round(c);\n    }\n    return t;\n  }\n}\n"},
		{"main.go", "package a\n\nfunc f() {\n\tfor _, c := range b {\n\t\tt += int(math.Round(c * 19))\n\t}\n}\n"},
	} {
		for _, m := range sound(t, c.name, []byte(c.text)) {
			if strings.Contains(m.Change, "of each") || strings.Contains(m.Change, "mean") {
				t.Errorf("%q: %s", c.text, m.Change)
			}
		}
	}
}
