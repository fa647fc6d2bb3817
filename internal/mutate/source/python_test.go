package source

import "testing"

// Shows what is changed in Python, one operator after another, and what is left alone.
func TestPython(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a guard", "if not seen(x):\n    stop()\n", `
			condition 1 ` + "`if not seen(x)` always" + `
			condition 1 ` + "`if not seen(x)` never" + `
			statement 2 ` + "`stop()` left out"},
		{"a guard on one line", "def f(a):\n    if a is None: return\n", `
			condition 2 ` + "`if a is None` always" + `
			condition 2 ` + "`if a is None` never" + `
			statement 2 ` + "`return` left out" + `
			compare 2 ` + "`a is None` → `a is not None`"},
		{"sides", "while a and b.c or not d:\n    go()\n", `
			condition 1 ` + "`while a and b.c or not d` never" + `
			condition 1 ` + "without `a and b.c`" + `
			condition 1 ` + "without `a`" + `
			condition 1 ` + "without `b.c`" + `
			condition 1 ` + "without `not d`" + `
			statement 2 ` + "`go()` left out"},
		{"the main program", "if __name__ == \"__main__\":\n    main()\n", "statement 2 `main()` left out"},
		{"a choice and a filter", "x = a if b else c\ny = [n for n in x if n.ok]\n", `
			condition 1 ` + "`if b` always" + `
			condition 1 ` + "`if b` never" + `
			condition 2 ` + "`if n.ok` always" + `
			condition 2 ` + "`if n.ok` never"},
		{"names", "def f(tries):\n    left = 3\n    tries = tries\n    left = left\n    self.x = left\n    left += tries\n", `
			statement 3 ` + "`tries = tries` left out" + `
			statement 4 ` + "`left = left` left out" + `
			statement 5 ` + "`self.x = left` left out" + `
			statement 6 ` + "`left += tries` left out" + `
			number 2 ` + "`3` → `4`" + `
			arithmetic 6 ` + "`left += tries` → `left -= tries`"},
		{"a lock", "with lock:\n    with open(a) as f:\n        f.b()\nasync def g():\n    async with tx:\n        await h\n", `
			statement 1 ` + "`with lock` left out" + `
			statement 3 ` + "`f.b()` left out" + `
			statement 5 ` + "`async with tx` left out" + `
			statement 6 ` + "`await h` left out"},
		{"an order", "begin(a)\nb = charge(a)\nend(b)\nif a:\n    c()\nd()\n", `
			condition 4 ` + "`if a` always" + `
			condition 4 ` + "`if a` never" + `
			statement 1 ` + "`begin(a)` left out" + `
			statement 3 ` + "`end(b)` left out" + `
			statement 5 ` + "`c()` left out" + `
			statement 6 ` + "`d()` left out" + `
			order 1 ` + "`b = charge(a)` before `begin(a)`"},
		{"arguments", "x = f(a, timeout=b, *c, **d)\ny = {e: a, **x}\nz = {e, a}\n", `
			argument 1 ` + "`timeout=b` left out" + `
			argument 1 ` + "`**d` left out" + `
			argument 2 ` + "`e: a` left out" + `
			argument 2 ` + "`**x` left out" + `
			declaration 1 ` + "`f(a, timeout=b, *c, **d)` → `f(a, timeout=b, c, **d)`"},
		{"calls", "x = round(a, b)\ny = min(x, c)\nz = y.strip().other()\nround(x)\nw = html.escape(z + y)\n", `
			statement 4 ` + "`round(x)` left out" + `
			order 3 ` + "`round(x)` before `z = y.strip().other()`" + `
			order 4 ` + "`w = html.escape(z + y)` before `round(x)`" + `
			call 1 ` + "`round(a, b)` → `a`" + `
			call 2 ` + "`min(x, c)` → `x`" + `
			call 2 ` + "`min(x, c)` → `c`" + `
			call 3 ` + "`y.strip()` → `y`" + `
			call 5 ` + "`html.escape(z + y)` → `z + y`" + `
			related 4 ` + "`round(x)` → `int(x)`" + `
			arithmetic 5 ` + "`z + y` → `z - y`" + `
			part 3 ` + "`y.strip().other()` → `y`" + `
			part 3 ` + "`.other()` left out" + `
			part 5 ` + "`.escape(z + y)` left out"},
		{"comparisons", "x = a < b, a >= b, a not in b, a in b, a is not b, a != b\nfor i in x: pass\n", `
			compare 1 ` + "`a < b` → `a <= b`" + `
			compare 1 ` + "`a >= b` → `a > b`" + `
			compare 1 ` + "`a not in b` → `a in b`" + `
			compare 1 ` + "`a in b` → `a not in b`" + `
			compare 1 ` + "`a is not b` → `a is b`" + `
			compare 1 ` + "`a != b` → `a == b`"},
		{"numbers", "x = a[0], b[-1], 7, 0.5, 1_000, 0o644, 1e3\n", `
			number 1 ` + "`7` → `8`" + `
			number 1 ` + "`0.5` → `1.0`" + `
			number 1 ` + "`1_000` → `1001`" + `
			number 1 ` + "`1e3` → `2000.0`"},
		{"arithmetic", "x = a * b, a // b, -a, a + \"x\" + b, f(*a), a % b\n", `
			related 1 ` + "`a + \"x\" + b` → `\"x\" + b`" + `
			related 1 ` + "`a + \"x\" + b` → `a + \"x\"`" + `
			declaration 1 ` + "`f(*a)` → `f(a)`" + `
			arithmetic 1 ` + "`a * b` → `a / b`" + `
			arithmetic 1 ` + "`a // b` → `a * b`" + `
			arithmetic 1 ` + "`a % b` → `a * b`" + `
			text 1 ` + "`a + \"x\" + b` → `a + \"\" + b`"},
		{"texts", "\"\"\"A page.\"\"\"\nx = 'a', \"\", b'c', f\"{d!r:>{e}}-{len(x)}\", d['k'], '" + long + "'\nraise KeyError('gone')\n", `
			statement 3 ` + "`raise KeyError('gone')` left out" + `
			related 2 ` + "`f\"{d!r:>{e}}-{len(x)}\"` → `f\"-{len(x)}\"`" + `
			related 2 ` + "`f\"{d!r:>{e}}-{len(x)}\"` → `f\"{d!r:>{e}}-\"`" + `
			declaration 2 ` + "`{d!r:>{e}}` → `{d:>{e}}`" + `
			format 2 ` + "`{d!r:>{e}}` → `{d!r}`" + `
			text 2 ` + "`'a'` → `''`" + `
			text 2 ` + "`\"\"` → `\"other\"`" + `
			text 2 ` + "`b'c'` → `b''`" + `
			text 2 ` + "`f\"{d!r:>{e}}-{len(x)}\"` → `\"\"`"},
		{"left alone", "import a.b as c, d\nfrom e import (f, g)\n# if x == 3: y()\nVERSION = \"1.2\"\ndef h(i: int = 4, j: \"str\" = None) -> \"int\":\n    \"\"\"Doc.\"\"\"\n    k: int\n    print(i, file=sys.stderr)\n    logging.info(\"x %d\", 3)\n    self.logger.warning('y')\nclass L:\n    m = other\n", `
			number 5 ` + "`4` → `5`"},
		{"decorators", "app = a()\n@app.get(\"/x\")\n@needs_login\n@staticmethod\n@functools.cache\n@functools.wraps(f)\ndef b(): c()\nd()\n", `
			statement 3 ` + "`@needs_login` left out" + `
			statement 5 ` + "`@functools.cache` left out" + `
			statement 7 ` + "`c()` left out" + `
			statement 8 ` + "`d()` left out" + `
			text 2 ` + "`\"/x\"` → `\"\"`"},
		{"a boolean", "f(True)\n", "statement 1 `f(True)` left out\nboolean 1 `True` → `False`"},
	} {
		t.Run(c.name, func(t *testing.T) {
			compareLists(t, listed(sound(t, "app.py", []byte(c.text))), c.want)
		})
	}
}

const long = "a text that is longer than what is shown of it"

// Shows what stands in the place of what is changed.
func TestApplied(t *testing.T) {
	for _, c := range []struct{ name, text, change, want string }{
		{"app.py", "if a:\n  b()\n", "`if a` always", "if (a) or True:\n  b()\n"},
		{"app.py", "if a:\n  b()\n", "`if a` never", "if (a) and False:\n  b()\n"},
		{"app.py", "if a:\n  b()\n", "`b()` left out", "if a:\n  pass\n"},
		{"app.py", "x = a and b and c\n", "without `b`", "x = a and c\n"},
		{"app.py", "x = a and b and c\n", "without `a`", "x = b and c\n"},
		{"app.py", "with lock:\n  b()\n", "`with lock` left out", "if True:\n  b()\n"},
		{"app.py", "a(1)\n\n# then\nb(2)\n", "`b(2)` before `a(1)`", "b(2)\n\n# then\na(1)\n"},
		{"app.py", "f(a, b=c, d=e)\n", "`b=c` left out", "f(a, d=e)\n"},
		{"app.py", "f(a, b=c, d=e)\n", "`d=e` left out", "f(a, b=c)\n"},
		{"app.py", "x = {\n  a: b,\n  c: d,\n}\n", "`c: d` left out", "x = {\n  a: b,\n  \n}\n"},
		{"app.py", "x = round(a + b, 2)\n", "`round(a + b, 2)` → `a + b`", "x = (a + b)\n"},
		{"app.py", "x = a.now.astimezone(z).hour\n", "`a.now.astimezone(z)` → `a.now`", "x = a.now.hour\n"},
		{"app.mjs", "if (a) { b(); }\n", "`if a` always", "if ((a) || true) { b(); }\n"},
		{"app.mjs", "if (a) return b(); else c();\n", "`return b()` left out", "if (a) ; else c();\n"},
		{"app.mjs", "const x = `${encodeURIComponent(a)}`\n", "`encodeURIComponent(a)` → `a`", "const x = `${a}`\n"},
		{"app.mjs", "x = [...a].sort((b, c) => b - c)[0];\n", "`[...a].sort((b, c) => b - c)` → `[...a]`", "x = [...a][0];\n"},
		{"main.go", "func f() {\n\tif err := g(); err != nil {\n\t\treturn\n\t}\n}\n", "`if err != nil` never", "func f() {\n\tif err := g(); (err != nil) && false {\n\t\treturn\n\t}\n}\n"},
		{"main.go", "func f() {\n\tg()\n}\n", "`g()` left out", "func f() {\n\tif false { g() }\n}\n"},
	} {
		found := false
		for _, m := range sound(t, c.name, []byte(c.text)) {
			if m.Change == c.change {
				found = true
				if got := string(m.Apply([]byte(c.text))); got != c.want {
					t.Errorf("%s %q: %s makes %q, want %q", c.name, c.text, c.change, got, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s %q: nothing does %s, only %q", c.name, c.text, c.change, listed(Mutants(c.name, []byte(c.text))))
		}
	}
}
