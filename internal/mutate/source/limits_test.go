package source

import (
	"slices"
	"testing"
)

// Shows what takes off a limit, what leaves out an element of what is joined, and which
// functions always give the same: each row is a text, an operator, and all texts that are
// among its changes and are such. none are those that are not.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		name, file, operator, text string
		want, none                 []string
	}{
		{"a chain", "a.py", "condition", "x = [o for o in a if b and low <= o.c <= high]\n", []string{
			"x = [o for o in a if b and o.c <= high]\n", "x = [o for o in a if b and low <= o.c]\n",
		}, nil},
		{"a chain of three", "a.py", "condition", "assert not a < b <= c < d\n", []string{"assert not b <= c < d\n", "assert not a < b <= c\n"}, nil},
		{"no chain", "a.py", "condition", "x = a < b, c < d\ny = a in b == c\nz = a < b and c < d\n", nil, []string{"x = b, c < d\ny = a in b == c\nz = a < b and c < d\n", "x = a < b, c < d\ny = a in c\nz = a < b and c < d\n"}},
		{"a slice", "a.py", "call", "x = f(a)[:top]\n", []string{"x = f(a)\n"}, nil},
		{"both bounds", "a.py", "call", "x = a[b:c + 1]\n", []string{"x = a[b:]\n", "x = a[:c + 1]\n"}, nil},
		{"the last ones", "a.py", "call", "x = a[-n:]\n", []string{"x = a\n"}, nil},
		{"what is no slice", "a.py", "call", "x = a[:3]\na[:n] = b\ndel a[:n]\ny = a[n]\nz = {a: n}\n", nil, []string{"x = a\na[:n] = b\ndel a[:n]\ny = a[n]\nz = {a: n}\n", "x = a[:3]\na = b\ndel a[:n]\ny = a[n]\nz = {a: n}\n", "x = a[:3]\na[:n] = b\ndel a\ny = a[n]\nz = {a: n}\n"}},
		{"a slice of Go", "a.go", "call", "package a\n\nfunc f() { b(c.d[e:n]) }\n", []string{
			"package a\n\nfunc f() { b(c.d[e:len(c.d)+0*int(n)]) }\n", "package a\n\nfunc f() { b(c.d[0*int(e):n]) }\n",
		}, nil},
		{"the first ones", "a.rb", "call", "x = a.first(n)\ny = a.take(2)\n", []string{"x = a\ny = a.take(2)\n", "x = a.first(n)\ny = a\n"}, nil},
		{"between", "a.rb", "call", "x = a.between?(b, c)\ny = a.clamp(b, c)\n", []string{
			"x = (a >= b)\ny = a.clamp(b, c)\n", "x = (a <= c)\ny = a.clamp(b, c)\n", "x = a.between?(b, c)\ny = [a, b].max\n", "x = a.between?(b, c)\ny = [a, c].min\n",
		}, nil},
		{"iterators", "a.py", "call", "x = islice(a, n)\ny = a.most_common(n)\nz = heapq.nlargest(n, a, key=b)\n", []string{
			"x = iter(a)\ny = a.most_common(n)\nz = heapq.nlargest(n, a, key=b)\n", "x = islice(a, n)\ny = a.most_common()\nz = heapq.nlargest(n, a, key=b)\n",
			"x = islice(a, n)\ny = a.most_common(n)\nz = sorted(a, key=b, reverse=True)\n",
		}, []string{"x = islice(a, n)\ny = a\nz = heapq.nlargest(n, a, key=b)\n"}},
		{"a cap", "a.py", "call", "x = min(5.0, cap)\n", []string{"x = cap\n", "x = 5.0\n"}, nil},
		{"a floor of nothing", "a.py", "call", "x = max(0, a)\n", []string{"x = a\n"}, []string{"x = 0\n"}},
		{"waits", "a.py", "call", "x = await asyncio.wait_for(a(), timeout=b)\ny = await asyncio.shield(c)\nasync with asyncio.timeout(d) as e:\n    f()\n", []string{
			"x = await a()\ny = await asyncio.shield(c)\nasync with asyncio.timeout(d) as e:\n    f()\n",
			"x = await asyncio.wait_for(a(), timeout=b)\ny = await c\nasync with asyncio.timeout(d) as e:\n    f()\n",
			"x = await asyncio.wait_for(a(), timeout=b)\ny = await asyncio.shield(c)\nasync with asyncio.timeout(None) as e:\n    f()\n",
		}, nil},
		{"a block with a limit", "a.py", "statement", "async with asyncio.timeout(a):\n    await b()\n", []string{"if True:\n    await b()\n"}, nil},
		{"a race", "a.mjs", "argument", "x = await Promise.race([a(), later(b)]);\n", []string{"x = await Promise.race([later(b)]);\n", "x = await Promise.race([a()]);\n"}, nil},
		{"a race of Promise.all", "a.mjs", "argument", "x = await Promise.all([a(), b()]);\n", nil, []string{"x = await Promise.all([a()]);\n"}},
		{"promises that fail", "a.mjs", "call", "x = a().then(b, c).catch(d).finally(e);\na().catch(f);\n", []string{
			"x = a().then(b).catch(d).finally(e);\na().catch(f);\n", "x = a().then(b, c).finally(e);\na().catch(f);\n",
			"x = a().then(b, c).catch(d);\na().catch(f);\n", "x = a().then(b, c).catch(d).finally(e);\na();\n",
		}, nil},
		{"all that are settled", "a.mjs", "call", "x = await Promise.allSettled(a);\ny = await Promise.all(b);\n", []string{
			"x = await Promise.all(Array.from(a, async (one) => ({ status: \"fulfilled\", value: await one })));\ny = await Promise.all(b);\n",
			"x = await Promise.allSettled(a);\ny = await Promise.allSettled(b).then((all) => all.map((one) => one.value));\n",
		}, nil},
		{"a signal", "a.mjs", "call", "f(a, AbortSignal.timeout(b));\ng({ signal: AbortSignal.timeout(b) });\n", []string{
			"f(a, new AbortController().signal);\ng({ signal: AbortSignal.timeout(b) });\n",
		}, []string{"f(a, AbortSignal.timeout(b));\ng({ signal: new AbortController().signal });\n"}},
		{"contexts", "a.go", "call", "package a\n\nfunc f() {\n\tb, c := context.WithTimeout(d, e)\n\t<-time.After(e)\n}\n", []string{
			"package a\n\nfunc f() {\n\tb, c := context.WithTimeout(d, (e) + 1<<50)\n\t<-time.After(e)\n}\n",
			"package a\n\nfunc f() {\n\tb, c := context.WithTimeout(d, e)\n\t<-time.After((e) + 1<<50)\n}\n",
		}, nil},
		{"what runs a command", "a.sh", "call", "x=$(timeout -k 1 \"$t\" curl a)\nflock -w 2 f make b\nnice -n 5 nohup c\nexec timeout 3 d\n", []string{
			"x=$(curl a)\nflock -w 2 f make b\nnice -n 5 nohup c\nexec timeout 3 d\n", "x=$(timeout -k 1 \"$t\" curl a)\nmake b\nnice -n 5 nohup c\nexec timeout 3 d\n",
			"x=$(timeout -k 1 \"$t\" curl a)\nflock -w 2 f make b\nnohup c\nexec timeout 3 d\n", "x=$(timeout -k 1 \"$t\" curl a)\nflock -w 2 f make b\nnice -n 5 nohup c\nexec d\n",
		}, nil},
		{"what runs no command", "a.sh", "call", "flock 9\nflock f -c 'a b'\ntimeout 3\n", nil, []string{"9\nflock f -c 'a b'\ntimeout 3\n", "flock 9\n-c 'a b'\ntimeout 3\n", "flock 9\nflock f -c 'a b'\n3\n", "flock 9\nflock f -c 'a b'\n\n"}},
		{"what is joined", "a.py", "related", "k = \"/\".join([a, \"x\", b.c])\n", []string{"k = \"/\".join([\"x\", b.c])\n", "k = \"/\".join([a, \"x\"])\n"}, []string{"k = \"/\".join([a, b.c])\n"}},
		{"what is hashed", "a.py", "related", "k = hash((a, b))\n", []string{"k = hash((b,))\n", "k = hash((a,))\n"}, nil},
		{"what is joined in JavaScript", "a.mjs", "related", "k = [a, b].join('/');\n", []string{"k = [b].join('/');\n", "k = [a].join('/');\n"}, nil},
		{"what is written as JSON", "a.mjs", "related", "k = JSON.stringify([a, b]);\n", []string{"k = JSON.stringify([b]);\n", "k = JSON.stringify([a]);\n"}, nil},
		{"what is joined in Ruby", "a.rb", "related", "k = [a, b].join('/')\n", []string{"k = [b].join('/')\n", "k = [a].join('/')\n"}, nil},
		{"what is joined in Java", "A.java", "related", "class A { String k(String a, String b) { return String.join(\"/\", a, b); } }\n", []string{
			"class A { String k(String a, String b) { return String.join(\"/\", b); } }\n", "class A { String k(String a, String b) { return String.join(\"/\", a); } }\n",
		}, nil},
		{"what is joined in Go", "a.go", "related", "package a\n\nvar k = strings.Join([]string{a, b}, \"/\")\n", []string{
			"package a\n\nvar k = strings.Join([]string{(a)[:0], b}, \"/\")\n", "package a\n\nvar k = strings.Join([]string{a, (b)[:0]}, \"/\")\n",
		}, nil},
		{"formats", "a.go", "related", "package a\n\nvar k = fmt.Sprintf(\"%s/%d\", a, b)\n", []string{
			"package a\n\nvar k = fmt.Sprintf(\"/%[2]d\", a, b)\n", "package a\n\nvar k = fmt.Sprintf(\"%[1]s/\", a, b)\n",
		}, nil},
		{"sentences", "a.py", "related", "k = \"%s has %s\" % (a, b)\n", nil, []string{"k = \" has %s\" % (b,)\n"}},
		{"a helper on one line", "a.go", "call", "package a\n\nfunc k(a string) string { return a }\n\nvar x, y = k(b), k(c)\n", []string{
			"package a\n\nfunc k(a string) string { if true { return \"0\" }; return a }\n\nvar x, y = k(b), k(c)\n",
		}, nil},
		{"formats of Python", "a.py", "related", "k = \"%s/%s\" % (a, b)\nl = \"{}/{}\".format(a, b)\n", []string{
			"k = \"/%s\" % (b,)\nl = \"{}/{}\".format(a, b)\n", "k = \"%s/\" % (a,)\nl = \"{}/{}\".format(a, b)\n",
			"k = \"%s/%s\" % (a, b)\nl = \"/{1}\".format(a, b)\n", "k = \"%s/%s\" % (a, b)\nl = \"{0}/\".format(a, b)\n",
		}, nil},
		{"a helper", "a.mjs", "call", "const mac = (a) => h(key).update(a).digest(\"hex\");\nx = b + mac(b);\ny = mac(c) === d;\n", []string{
			"const mac = (a) => \"0\";\nx = b + mac(b);\ny = mac(c) === d;\n",
		}, nil},
		{"a helper of Python", "a.py", "call", "def key(a, b):\n    c = a\n    return f\"{c}/{b}\"\n\nx[key(d, e)] = 1\ny = x[key(d, e)]\n", []string{
			"def key(a, b):\n    return \"0\"\n    c = a\n    return f\"{c}/{b}\"\n\nx[key(d, e)] = 1\ny = x[key(d, e)]\n",
		}, nil},
		{"a helper of Go", "a.go", "call", "package a\n\nfunc k(a string) string {\n\treturn a + \"/\"\n}\n\nvar x, y = k(b), k(c)\n", []string{
			"package a\n\nfunc k(a string) string { if true { return \"0\" };\n\treturn a + \"/\"\n}\n\nvar x, y = k(b), k(c)\n",
		}, nil},
		{"helpers that are none", "a.py", "call", "def once(a):\n    return f\"{a}/\"\n\ndef number(a):\n    return a + 1\n\ndef get(a):\n    return urlopen(a).read().decode()\n\nx = once(1), number(1), number(2), get(1), get(2)\n", nil, []string{
			"def once(a):\n    return \"0\"\n    return f\"{a}/\"\n\ndef number(a):\n    return a + 1\n\ndef get(a):\n    return urlopen(a).read().decode()\n\nx = once(1), number(1), number(2), get(1), get(2)\n",
			"def once(a):\n    return f\"{a}/\"\n\ndef number(a):\n    return \"0\"\n    return a + 1\n\ndef get(a):\n    return urlopen(a).read().decode()\n\nx = once(1), number(1), number(2), get(1), get(2)\n",
			"def once(a):\n    return f\"{a}/\"\n\ndef number(a):\n    return a + 1\n\ndef get(a):\n    return \"0\"\n    return urlopen(a).read().decode()\n\nx = once(1), number(1), number(2), get(1), get(2)\n",
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range sound(t, c.file, []byte(c.text)) {
				if m.Operator == c.operator {
					got = append(got, string(m.Apply([]byte(c.text))))
				}
			}
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s", w)
				}
			}
			for _, n := range c.none {
				if slices.Contains(got, n) {
					t.Errorf("too much:\n%s", n)
				}
			}
			if t.Failed() {
				t.Logf("got %q", got)
			}
		})
	}
}
