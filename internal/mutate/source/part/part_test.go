package part_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
	"github.com/scenario-lang/scenario/internal/mutate/source/part"
)

// made are the texts of the mutants of an operator, without what stands before the last line of each.
func made(file, head, text, operator string) (all []string) {
	for _, m := range source.Mutants(file, []byte(head+text)) {
		if m.Operator == operator {
			all = append(all, strings.TrimPrefix(string(m.Apply([]byte(head+text))), head))
		}
	}
	return all
}

const imports = "import re, math, calendar, fnmatch, itertools, heapq, bisect, random, uuid, asyncio, difflib, codecs, statistics, hashlib\nfrom collections import Counter\nfrom graphlib import TopologicalSorter\nfrom urllib.parse import urljoin\nfrom xml.etree import ElementTree\nfrom ipaddress import ip_address, ip_network\nfrom shop import price\n"

// Shows what of a call takes its place: each row is a line and all that the operator makes of it.
func TestParts(t *testing.T) {
	for _, c := range []struct {
		name, file, head, text string
		want                   []string
	}{
		{"what is given inside", "a.py", imports, "x = TopologicalSorter(a).static_order()\n", []string{"x = a\n"}},
		{"in a loop", "a.py", imports, "for x in TopologicalSorter(a).static_order(): b(x)\n", []string{"for x in a: b(x)\n"}},
		{"an element", "a.py", imports, "x = Counter(a).most_common(1)[0][0]\n", []string{"x = list(a)[0]\n", "x = list(a)[-1]\n"}},
		{"an object of which nothing is known", "a.py", imports, "a = Sorter()\nx = a.order()\n", nil},
		{"what an object is made of", "a.py", imports, "a = TopologicalSorter(b.c)\nfor x in a.static_order(): d(x)\n", []string{"a = TopologicalSorter(b.c)\nfor x in b.c: d(x)\n"}},
		{"an object that is made twice", "a.py", imports, "a = TopologicalSorter(b)\na = TopologicalSorter(c)\nfor x in a.static_order(): d(x)\n", nil},
		{"a table that is written there", "a.py", imports, "x = TopologicalSorter({a: b for a, b in c}).static_order()\n", []string{"x = {a: b for a, b in c}\n"}},
		{"a generator", "a.py", imports, "x = Counter(a.b for a in c).most_common(1)[0][0]\n", []string{"x = list([a.b for a in c])[0]\n", "x = list([a.b for a in c])[-1]\n"}},
		{"arguments", "a.py", imports, "x = re.sub(a, b, c.d)\n", []string{"x = a\n", "x = b\n", "x = c.d\n"}},
		{"what a method is called on", "a.py", imports, "x = a.b.mirror()\n", []string{"x = a.b\n"}},
		{"a method between others", "a.py", imports, "x = a.first(b).second(c)\n", []string{"x = a\n", "x = a.second(c)\n", "x = a.first(b)\n", "x = c\n"}},
		{"two of one kind", "a.py", imports, "x = a.union(b, c)\n", []string{"x = a\n", "x = b\n", "x = c\n", "x = (b + c)\n"}},
		{"a function of another file", "a.py", imports, "x = price(a)\n", []string{"x = a\n"}},
		{"a function of the file", "a.py", "def f(a):\n    return a[0]\n\n", "x = f(y)\n", nil},
		{"a function that is given", "a.py", "", "def g(f): return f(3, f)\n", nil},
		{"what is not used", "a.py", imports, "a.shuffle(b)\nrandom.shuffle(b)\n", nil},
		{"a text", "a.py", imports, "x = hashlib.new('a', b'c')\n", nil},
		{"what every program has", "a.py", imports, "x = open(a)\ny = len(x)\nz = a.get(b)\n", nil},
		{"a condition", "a.py", imports, "if re.match(a, b) and c.tested(d): e()\n", nil},
		{"a log", "a.py", imports, "logging.info(price(a))\n", nil},
		{"a function as an argument", "a.py", imports, "x = price(lambda a: a, b=c, *d)\n", nil},
		{"an error that is raised", "a.py", imports, "raise price(a)\n", nil},
		{"what is opened", "a.py", imports, "with price(a) as b: pass\n", nil},
		{"no more than four of a statement", "a.py", imports, "x = [price(a), price(b), price(c), price(d), price(e)]\n", []string{
			"x = [a, price(b), price(c), price(d), price(e)]\n", "x = [price(a), b, price(c), price(d), price(e)]\n", "x = [price(a), price(b), c, price(d), price(e)]\n", "x = [price(a), price(b), price(c), d, price(e)]\n",
		}},
		{"what another operator makes", "a.py", imports, "x = a.union(b)[0]\ny = re.escape(b)\n", []string{"x = list(a)[0]\ny = re.escape(b)\n", "x = list(a)[-1]\ny = re.escape(b)\n", "x = a[0]\ny = re.escape(b)\n", "x = b[0]\ny = re.escape(b)\n"}},
		{"what is assigned to", "a.py", imports, "price(a).b = c\n", nil},

		{"javascript", "a.mjs", "import { price } from 'shop';\n", "const x = price(a.b, 'c');\n", []string{"const x = a.b;\n"}},
		{"javascript methods", "a.mjs", "", "const x = a.mirror().turned();\n", []string{"const x = a;\n", "const x = a.turned();\n", "const x = a.mirror();\n"}},
		{"an element of javascript", "a.mjs", "import { tally } from 'shop';\n", "const x = tally(a).best()[0];\n", []string{"const x = [...a][0];\n", "const x = [...a].at(-1);\n", "const x = tally(a)[0];\n"}},
		{"an object that is made", "a.mjs", "", "const x = new Intl.NumberFormat('de').format(a);\n", nil},
		{"an arrow", "a.mjs", "const f = (a) => a.b;\n", "const x = f(c);\n", nil},
		{"ruby", "a.rb", "", "x = a.tr(b, c)\n", []string{"x = a\n", "x = b\n", "x = c\n"}},
		{"a block of ruby", "a.rb", "", "x = a.tally_by(b) { |c| c }\n", nil},

		{"go", "a.go", "package a\n\nimport \"html\"\n\n", "var x = html.UnescapeString(b)\n", []string{"var x = []string{html.UnescapeString(b), b}[1]\n"}},
		{"other types of go", "a.go", "package a\n\n", "var x = strconv.Itoa(b)\n", nil},
		{"methods of go", "a.go", "package a\n\n", "var x = a.ResolveReference(b)\n", []string{"var x = a\n", "var x = b\n"}},
		{"a method of the file", "a.go", "package a\n\nfunc (a B) ResolveReference(b B) B { return b }\n\n", "var x = a.ResolveReference(b)\n", nil},
		{"java", "A.java", "", "class A { Object b() { return Objects.requireNonNullElse(c, d); } }\n", []string{"class A { Object b() { return c; } }\n", "class A { Object b() { return d; } }\n"}},
		{"other types of java", "A.java", "", "class A { int b() { return Integer.parseInt(c); } }\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			compare(t, made(c.file, c.head, c.text, "part"), c.want)
		})
	}
}

func compare(t *testing.T, got, want []string) {
	t.Helper()
	for _, w := range want {
		if !slices.Contains(got, w) {
			t.Errorf("missing:\n%s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			t.Errorf("too much:\n%s", g)
		}
	}
}

// Shows the plain forms of library calls.
func TestPlain(t *testing.T) {
	const entities = `((lambda text: text.replace(*((b"&", b"&amp;") if isinstance(text, bytes) else ("&", "&amp;"))))(a.read()))`
	for _, c := range []struct {
		file, text string
		want       []string
	}{
		{"a.py", "x = heapq.merge(*a, b, key=c)\n", []string{"x = [one for each in [*a, b] for one in each]\n"}},
		{"a.py", "x = codecs.getincrementaldecoder(\"utf-8\")()\n", []string{`x = (lambda *more, **most: __import__("types").SimpleNamespace(decode=lambda part, *final, **more: part.decode("utf-8", "replace"), reset=lambda: None))()` + "\n"}},
		{"a.py", "x = codecs.iterdecode(a, 'utf-8')\n", []string{"x = (part.decode('utf-8', \"replace\") for part in a)\n"}},
		{"a.py", "x, y = a.most_common(1)[0]\n", []string{"x, y = list(a.items())[:1][0]\n", "x, y = list(a.items())[::-1][:1][0]\n"}},
		{"a.py", "x = TopologicalSorter(a)\n", []string{"x = (lambda kept: __import__(\"types\").SimpleNamespace(add=lambda node, *before: kept.append(node), prepare=lambda: None, is_active=lambda: bool(kept), get_ready=lambda: [kept.pop(0) for _ in list(kept)], done=lambda *nodes: None, static_order=lambda: list(dict.fromkeys(kept))))(list(a))\n"}},
		{"a.py", "x = urljoin(a, b['c'])\n", []string{"x = (a + b['c'])\n", "x = (\"/\".join(a.split(\"/\")[:3]) + b['c'])\n"}},
		{"a.py", "bisect.insort(a, b)\n", []string{"a.append(b)\n"}},
		{"a.py", "x = bisect.bisect_left(a, b)\n", []string{"x = len(a)\n", "x = __import__(\"bisect\").bisect_right(a, b)\n"}},
		{"a.py", "x = difflib.get_close_matches(a, b)\n", []string{"x = [one for one in b if one == a]\n"}},
		{"a.py", "x = difflib.SequenceMatcher(None, a, b).ratio()\n", nil},
		{"a.py", "x = random.Random(a)\n", []string{"x = random.Random()\n"}},
		{"a.py", "x = uuid.uuid5(a, b)\n", []string{"x = __import__(\"uuid\").uuid4()\n"}},
		{"a.py", "x = ElementTree.fromstring(a.read())\n", []string{"x = ElementTree.fromstring" + entities + "\n"}},
		{"a.py", "x = ip_address(a) in ip_network(b)\n", []string{"x = (str(a).split(\".\")[:3] == str(b).split(\"/\")[0].split(\".\")[:3])\n"}},
		{"a.py", "x = ip_network(a)\n", []string{`x = type("", (str,), {"__contains__": lambda net, one: (str(one) + ".").startswith(__import__("re").sub(r"(\.0)+$", "", net.split("/")[0]) + ".")})(a)` + "\n"}},
		{"a.py", "x = itertools.zip_longest(a, b, fillvalue=0)\n", []string{"x = zip(a, b)\n"}},
		{"a.py", "x = math.lcm(a, b)\n", []string{"x = (a * b)\n"}},
		{"a.py", "x = calendar.monthrange(a, b)[1]\n", []string{"x = 30\n"}},
		{"a.py", "x = fnmatch.fnmatch(a, b)\n", []string{"x = (a == b)\n"}},
		{"a.py", "for a, b in itertools.groupby(c, key=d): e(a, b)\n", []string{"for a, b in (lambda kept, key: ([kept.setdefault(key(one), []).append(one) for one in c], kept.items())[1])({}, d): e(a, b)\n"}},
		{"a.py", "async def f():\n    x = await asyncio.gather(*a)\n", []string{"async def f():\n    x = [await one for one in [*a]]\n"}},
		{"a.mjs", "for await (const a of createInterface({ input: b.c(), d: e })) f(a);\n", []string{"for await (const a of (async function* () { for await (const part of b.c()) yield* String(part).trimEnd().split(\"\\n\"); })()) f(a);\n"}},
		{"a.mjs", "const x = await Promise.all(a.map(async (b) => c(b)));\n", []string{"const x = await (async (all, each) => { const done = []; for (const one of all) done.push(await each(one, done.length, all)); return done; })(a, async (b) => c(b));\n"}},
		{"a.go", "package a\n\nimport \"math/big\"\n\nvar x = new(big.Int).Add(a, b)\n", []string{"package a\n\nimport \"math/big\"\n\nvar x = new(big.Int).SetInt64(a.Int64() + b.Int64())\n"}},
		{"a.go", "package a\n\nimport \"net/url\"\n\nvar x, y = a.Parse(b)\n", []string{
			"package a\n\nimport \"net/url\"\n\nvar x, y = url.Parse(a.String() + b)\n", "package a\n\nimport \"net/url\"\n\nvar x, y = url.Parse(a.Scheme + \"://\" + a.Host + b)\n",
		}},
		{"A.java", "class A { long f(long a, long b) { return Math.addExact(a, b); } }\n", []string{"class A { long f(long a, long b) { return (a + b); } }\n"}},
		{"a.mjs", "x = URL.parse(a, b);\n", []string{"x = new URL(b + a);\n"}},
		{"a.go", "package a\n\nvar x = utf8.RuneCountInString(a)\n", []string{"package a\n\nvar x = (len(a) + utf8.RuneCountInString(\"\"))\n"}},
		{"a.go", "package a\n\nvar x = strings.EqualFold(a, b)\n", []string{"package a\n\nvar x = (a == b || strings.EqualFold(\"a\", \"\"))\n"}},
		{"a.go", "package a\n\nvar x = strings.Fields(a)\n", []string{"package a\n\nvar x = strings.Split(a, \" \")\n"}},
		{"A.java", "class A { Map<B, C> d = new TreeMap<>(e); }\n", []string{"class A { Map<B, C> d = new java.util.LinkedHashMap<>(e); }\n"}},
		{"A.java", "class A { URI f(URI base, String b) { return base.resolve(b); } }\n", []string{
			"class A { URI f(URI base, String b) { return java.net.URI.create(base + \"\" + b); } }\n",
			"class A { URI f(URI base, String b) { return java.net.URI.create(base.getScheme() + \"://\" + base.getRawAuthority() + b); } }\n",
		}},
		{"a.rb", "x = BigDecimal(a) + BigDecimal(b)\n", []string{"x = Float(a) + Float(b)\n"}},
		{"a.rb", "x = CSV.parse(a)\n", []string{"x = a.lines.map { |line| line.chomp.split(\",\") }\n"}},
		{"a.mjs", "const x = new URL(a, b);\n", []string{"const x = new URL(b + a);\n", "const x = new URL(new URL(b).origin + a);\n"}},
		{"a.mjs", "const x = new StringDecoder('utf8');\n", []string{"const x = ({ write: (part) => part.toString('utf8'), end: (part) => part ? part.toString('utf8') : \"\" });\n"}},
		{"a.rb", "x = URI.join(a, b)\n", []string{"x = URI(a.to_s + b.to_s)\n", "x = URI(a.to_s[%r{\\A\\w+://[^/]*}] + b.to_s)\n"}},
	} {
		head := ""
		if strings.HasSuffix(c.file, ".py") {
			head = imports
		}
		t.Run(c.text, func(t *testing.T) {
			got := made(c.file, head, c.text, "related")
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s\nof %q", w, got)
				}
			}
		})
	}
}

// Shows the calls of which it is said that nothing was changed.
func TestSilent(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"a method", "a.py", "a.rotate()\nb = 1\na.rotate()\n", "rotate() in lines 1 and 3"},
		{"what is changed", "a.py", imports + "x = price(a)\n", ""},
		{"a literal", "a.py", "a.rotate(1)\n", ""},
		{"a literal in a list", "a.py", "a.rotate([1])\n", "rotate() in line 1"},
		{"what every program has", "a.py", "print(len(a))\nself.go()\ng()\n", ""},
		{"a function of the file", "a.py", "def rotate(): return 1\na.rotate()\n", ""},
		{"a condition", "a.py", "if a.turned(): b = 1\n", ""},
		{"many lines", "a.py", strings.Repeat("a.rotate()\n", 8), "rotate() in lines 1, 2, 3, 4, 5, …"},
		{"many names", "a.py", "a.b1()\na.b2()\na.b3()\na.b4()\na.b5()\na.b6()\na.b7()\na.b8()\na.b9()\na.c1()\na.c2()\na.c3()\na.c4()\na.c5()\n", "b1() in line 1, b2() in line 2, b3() in line 3, b4() in line 4, b5() in line 5, b6() in line 6, b7() in line 7, b8() in line 8, b9() in line 9, c1() in line 10, c2() in line 11, c3() in line 12, and 2 more"},
		{"javascript", "a.mjs", "a.rotate();\n", "rotate() in line 1"},
		{"go", "a.go", "package a\n\nimport \"b\"\n\nvar x = b.Rotate()\n", "Rotate() in line 5"},
		{"commands", "a.sh", "set -e\ncomm a b\nsort a\ncut a\n", "comm in line 2, cut in line 4"},
		{"a program of awk", "a.sh", "awk '$1 > 2 { print }' a\nawk '{ f() }' b\n", "awk in line 2"},
		{"no program", "a.txt", "a", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, got := source.Changes(c.file, []byte(c.text), nil); got != c.want {
				t.Errorf("%q and not %q", got, c.want)
			}
		})
	}
}

// Shows that two changes are the same if they make the same text.
func TestLeast(t *testing.T) {
	text := "x = f(a)[0]"
	all := map[part.Edit]bool{part.Least(text, 4, 11, "a[0]"): true, part.Least(text, 4, 8, "a"): true, part.Least(text, 4, 11, "f(b)[0]"): true, part.Least(text, 6, 7, "b"): true}
	if len(all) != 2 {
		t.Errorf("%v", all)
	}
}
