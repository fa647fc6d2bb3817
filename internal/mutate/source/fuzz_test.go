package source

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/cputime"
)

var samples = []struct{ name, text string }{
	{"a.py", "x = f\"{a!r:>{w}}\" if b else '''c\n'''\n@d\nclass E:\n  async def f(self, g: int = 3, *h) -> None:\n    with i, j: pass; return [k for l in m if n and not o]\n"},
	{"a.py", "lambda: (yield)\nif x: y = 1; z(y)\nelse:\n\tmatch = {**a, 'b': c}\n"},
	{"a.mjs", "for (const a of b) if (c) d(); else e => { f`${g}` };\nclass H { static #i = /[/]\\//g; get j() { return {k, ...l} } }\n"},
	{"a.ts", "export default async function a<B extends C>(d: E = {f: 1}): Promise<G> { switch (h) { case 1: default: i?.j ?? k } }\n"},
	{"a.go", "package a\nfunc (b *C) d(e ...F) (g error) {\nfor h := range i { select { case j := <-k: go func() { l[0]++ }() } }\nreturn &M{n: `o`, p: 'q'}\n}\n"},
	{"A.java", "class A<B> { @C int[] d = {1, 2}; void e() { try (F g = new F() { public void h() {} }) { i(j -> k); } catch (L m) {} } }\n"},
	{"a.py", "a = threading.local(); b = contextvars.ContextVar('c', default=1)\ndef d(e): return round(e)\nf = lambda g: g.quantize(h)\ni.acquire(); i.release(); j = sum(d(k) for k in l) + sum(map(f, m))\n"},
	{"a.go", "package a\nfunc b(c float64) float64 { d.Lock(); defer d.Unlock(); e.once.Do(f); return math.Round(c) }\n"},
	{"a.ts", "const a = new AsyncLocalStorage<Map<string, B>>(); const c = (d: number) => Math.round(d); e = f.map(g => c(g)).reduce((h, i) => h + i, 0)\n"},
	{"A.java", "class A { static synchronized double b(double c) { synchronized (d) { e.lock(); e.unlock(); } return Math.round(c); } }\n"},
	{"a.rb", "a.synchronize { b }; c.synchronize do d end\n"},
	{"a.rb", "def a(b: 1) = c\nd = <<~E\n #{f}\nE\n%w[g h].each { |i|\n j if k and :l\n}\ncase m when /n/ then o else p end\n"},
	{"a.go", "{\n{{{}()}}\n{}\n}\nfunc a() {\nb()\n}\n"},
	{"a.py", "a = \"\"\"SELECT b FROM c WHERE d = '\\'' AND e\"\"\" + f(g) + ' OR h'\ni = f\"UPDATE j SET k = {l['m']}\" \"WHERE n = '{o}' AND p\"\nq.r('SELECT s FROM t WHERE u = ?', (v, ))\n"},
	{"a.mjs", "a(`SELECT b FROM c WHERE d = ${e + \"f\"} AND g`, 'h' + i + \"SELECT j FROM k WHERE l\" + m);\nn('jq', ['.o | select(.p and .q)']);\n"},
	{"a.sh", "a=$(jq -r --arg b c '.d | select(.e and '\"$f\"' > 1)' | awk -F, \"\\$1 > 2 { print $g }\"); sed -e 's/^h/i/g' j; python3 - <<'K'\nif l: m(\"SELECT n FROM o WHERE p AND q\")\nK\nsqlite3 r <<S\nSELECT t FROM u WHERE v = $w AND x\nS\nnode -e 'y && z()'\n"},
	{"a.py", "a = f\"{b:>{c}.2f}{d!r:%H:%M}\" '%-5d' % e + \"{:08,.1f}\".format(g) + format(h, '.3')\n"},
	{"a.go", "package a\nvar b = fmt.Fprintf(c, `%+08.2[1]f %%`, d) + e.Format(\"Jan _2 15:04\") + strconv.FormatFloat(f, 'f', 2, 64)\n"},
	{"a.rb", "a = format \"%.2f#{b}%5d\", c\nd.strftime('%F')\n"},
	{"a.sh", "printf '%5.1f' \"$a\"; date +%F | awk '{ printf(\"%-5s\", strftime(\"%T\")) }'\n"},

	{"a.py", "t = a + '.b'; d, e = tempfile.mkstemp()\nwith tempfile.NamedTemporaryFile('w') as f: pass\nos.replace(t, a); shutil.move(f.name, g); e.rename(a)\nx = json.loads(json.dumps(b)).encode().decode() + self.k(c)[:4] + self.k(d)[:4]\ny.sort(); z.sort(); s = p.sign(a); q.verify(s, a)\nk = lambda l: l.m\n"},
	{"a.mjs", "const a = (b) => c.d, e = f => { return g }; fs.renameSync(a(1), a(2)); x = JSON.parse(JSON.stringify(sign(a, b, c))) + verify(d, e, f, g) + this.a(3) + this.a(4);\n"},
	{"a.go", "package a\nfunc b(c string) string { return c }\nfunc d() { e, f := os.CreateTemp(g, h); os.Rename(e.Name(), b(i) + b(j)); sort.Strings(k); sort.Strings(l); m = ed25519.Sign(n, []byte(string(o))); ed25519.Verify(p, q, m) }\n"},
	{"a.rb", "a = b + '.c'\nFile.rename(a, b); d = JSON.parse(e.to_json).downcase == f.downcase; g.sort!; h.sort!\ndef i(j) j end\n"},
	{"a.sh", "f() { tr a b; }; a=$(mktemp -d) b=$(f \"$1\") c=$(d | f) e=$(basename \"$g\" x)\nsort -k 2 \"$a\" < h | uniq > i && mv -f \"$a\" i || mv j.k j\n"},
	{"a.py", "a.b.sort(key=c); d = a.b.pop(); e = sorted(f)[-1:], max(g, key=h), min(*i, default=0)\n"},
	{"a.mjs", "const a = [...b].sort(c).at(-1), d = e.reduce((f, g) => f.h > g.h ? f : g); i.sort(); j = i[i.length - 1] + Math.max(...k);\n"},
	{"a.go", "package a\nfunc b() { sort.Slice(c, func(i, j int) bool { return d }); e(c[len(c)-1], slices.MaxFunc(c, f), slices.Max(g)) }\n"},
	{"A.java", "class A { void b() { Collections.sort(c); d = c.get(c.size() - 1); e = f.stream().sorted(g).findFirst(); h = Collections.max(i); } }\n"},
	{"a.rb", "a = b.sort_by { |c| c.d }.last; e = f.max; g.sort!; h = g.first\n"},
	{"a.sh", "a | sort -V | tail -n 1; sort -k 2 b | head -1\n"},
	{"a.py", "a = set(); a.add(b); c(len(a)); d = []; heapq.heappush(d, e); f = heapq.heappop(d)\nimport threading\ng = {h.i: h for h in j}\nfor k in l: m(g[k], [g.get(n) for n in o])\np = {}\ndef q(r): p[r] = 1\nfor r in range(3): q(r)\n"},
	{"a.mjs", "const a = new Set(); a.add(b); c(a.size, ...a); const d = new Map(); for (const e of f) d.set(e.g, e); for (const h of i) j(d.get(h)); const k = []; await Promise.all(l.map(async (m, n) => { k[n] = await o(m); }));\n"},
	{"a.go", "package p\nfunc b() { a := make([]int, len(c)); for i, d := range c { go func() { a[i] = e(d) }() } }\n"},
	{"A.java", "class A { void f() { Set<String> a = new HashSet<>(); a.add(b); c(a.size()); PriorityQueue<B> d = new PriorityQueue<>(e); } }\n"},
	{"a.py", "a = csv.writer(b); c = csv.DictReader(d); e = json.dumps(f); g = json.loads(h); i = int(round(j * 100)) + 100 * k; l = i / 100\n"},
	{"A.java", "class A { BigDecimal f(BigDecimal a) { return new BigDecimal(b).multiply(a).add(a.subtract(c)).max(d.reduce(a, BigDecimal::add)); } }\n"},
	{"a.py", "from b import c, heapq\nx = c(d).e(f, *g).h(i=1)[0][-1]\ny = heapq.merge(*z, key=k), urljoin(a, b), ElementTree.fromstring(c.d())\n(e).f(g)(h)\nasync def i(): j = await asyncio.gather(*k, l)\n"},
	{"a.mjs", "import { a } from 'b';\nx = new URL(c, d).e(f)?.g(h).at(0); y = await Promise.all(i.map(async (j) => j)); z = new StringDecoder('k');\n"},
	{"a.go", "package a\nimport \"cmp\"\nfunc b() { c := cmp.Or(d, e).F(g); z.Add(big.NewInt(1), h); i.ResolveReference(j) }\n"},
	{"A.java", "class A { BigInteger f(BigInteger a) { return a.add(new BigInteger(b)).multiply(c.resolve(d)); } }\n"},
	{"a.sh", "sort -m a b < c; tsort <<D | join e f\nD\nawk 'FNR == NR { a[$1] = $2; next } { print a[$1], a[$2] }' g h; comm i j\n"},
	{"a.py", "a[crc(b) % 3](c); d.setdefault(e, []).append(f); g = min(h, key=i)\nj += k\nl = round(j) - m; m += l\nn -= l; o -= k\np = {}; self.q = p\n"},
	{"a.mjs", "a[hash(b) % 3] += c[of(d)]; (e[f] ??= []).push(g); h += i; const j = k(h) - l; l += j; m = n.reduce((a, b) => a ? b : a); o = []; this.p = o;\n"},
	{"a.go", "package a\nfunc f() { a[crc(b)%3] = c[of(d)]; e[g] = append(e[g], h); i += j; k := l(i) - m; m += k; n := make(map[o]p); q.r = n; s = slices.MinFunc(t, u) }\n"},
	{"A.java", "class A { void f() { a[b.hashCode() % 3] = c; d.computeIfAbsent(e, g -> h).add(i); j += k; l = m(j) - n; n += l; o = new HashMap<>(); this.p = o; } }\n"},
	{"a.rb", "a[b.hash % 3]; c[d] << e; f = g.min_by { |h| i }; @j = {}; k = []; @j = k\n"},
	{"a.py", "match a:\n  case {\"b\": int(c), \"d\": 1} | [e, *_] if f: g\n  case str() as h: i(*j)\nclass K(BaseModel):\n  l: int | None = 3\nm = (n(o) for o in p(f'{q!r}')), \"r[@s='t']\"\nwith suppress(U): pass\n"},
	{"a.go", "package a\nimport \"html/template\"\ntype b struct { C int `json:\"c,omitempty,string\" xml:\"-\"` }\nconst (d = iota\n)\nfunc e() { f: for { switch g { case 1, 2: break f; default: } } }\n"},
	{"a.ts", "import a from 'node:assert/strict'; b: for (const c of d) { switch (e?.f ?? g(...h)) { case 1: case 2: continue b; default: i`j`.replace(/k/gi, \"*.csv\"); } }\n"},
	{"A.java", "class A { volatile int b; void c() { try (D d = e()) { switch (f) { case G g when h -> i(); case 1, 2 -> j(); default -> k(); } } } }\n"},
	{"a.sh", "#!/bin/sh -eu\nset -uo pipefail\nwhile IFS=, read -r a b c; do local d=\"${e:-f}\" & done\nfor g in h i; do case $j in k|l*) export m=1 > n 2>&1;; *) [ -s o ];; esac; done\ntrap 'p' EXIT INT\nq \"$r\" \"$@\" *.csv <<'S'\n$t\nS\n[[ $u == v* && $w =~ ^x$ ]]\n"},
	{"a.py", "async def a():\n  async with asyncio.TaskGroup() as b: b.create_task(c())\nwith urlopen(d) as e:\n  for f in e: g(shlex.split(f), e.headers.get('h'), i.split(',')[1], j == round(j))\n"},
	{"A.java", "class A { boolean b() { return !c.equals(d) && e.compareTo(f) != 0 || Objects.equals(g, h.split(\",\")[1]); } }\n"},
	{"a.py", "{1, 2} - {1}\n[a] - b\n"},
	{"a.ts", "(a) - b < c\n"},
	{"a.sh", "a() { case $b in c|d) e;; esac; } 2>&1 | f && $(g \"$(h)\" `i`) <<J\nk\nJ\nif [[ l == m && n ]]; then ((o++)); fi\nfor p in q; do r & done\n"},
}

// Shows that no bytes stop the readers, and that what holds for every mutant holds for
// those of any text.
func FuzzMutants(f *testing.F) {
	for i, s := range samples {
		f.Add(uint8(i), []byte(s.text))
	}
	f.Fuzz(func(t *testing.T, which uint8, text []byte) {
		name := samples[int(which)%len(samples)].name
		sound(t, name, text)
		Changes(name, text, nil)
		for line := range min(bytes.Count(text, []byte("\n"))+2, 50) {
			Probe(name, text, line)
		}
		Broken(name, string(text))
	})
}

// Shows that every beginning of a text, and a text without any of its bytes, can be
// read.
func TestDamaged(t *testing.T) {
	for _, s := range samples {
		for i := range len(s.text) {
			sound(t, s.name, []byte(s.text[:i]))
			sound(t, s.name, []byte(s.text[i:]))
			sound(t, s.name, []byte(s.text[:i]+s.text[i+1:]))
			if i%4 == 0 {
				Changes(s.name, []byte(s.text[:i]+s.text[i+1:]), nil)
			}
			Probe(s.name, []byte(s.text[:i]+s.text[i+1:]), 2)
		}
		if len(Mutants(s.name, []byte(s.text))) == 0 {
			t.Errorf("%s: nothing is made of the whole text", s.name)
		}
	}
}

// Shows that the work grows with a text as it does, and not with its square: texts
// that nest, and long lines.
func TestLinear(t *testing.T) {
	for _, c := range []struct{ name, file, from, part, to string }{
		{"brackets", "a.py", "x = ", "f(", ")"},
		{"chains", "a.py", "x = a", " and b", ""},
		{"sums", "a.mjs", "x = a", " + b < c ? d : e", ""},
		{"methods", "a.mjs", "x = a", ".filter(b)", ""},
		{"functions", "a.mjs", "", "f(() => { a(1); ", " })"},
		{"blocks", "a.go", "package a\nfunc f() {", "if a == 1 { ", "}"},
		{"classes", "A.java", "", "class A { int a(int b) { new C() { ", "}; } }"},
		{"lists", "a.py", "x = [", "1, {2: min(3, 4)}, ", ""},
		{"lines", "a.py", "", "a = b(1)\nif a: c()\n", ""},
		{"added up", "a.py", "for a in b:\n", "  t += round(a)\n", ""},
		{"sums in sums", "a.py", "x = ", "sum(map(round, sum(round(a) for a in ", "))"},
		{"maps in maps", "a.mjs", "x = ", "a.map(b => Math.round(", ")).reduce((a, b) => a + b, 0)"},
		{"keys", "a.py", "", "b = e['c']\nif b in a: a[b] = g(e)\n", ""},
		{"one key", "a.py", "b = e['c']\n", "if b in a: a[b] = e\n", ""},
		{"texts", "a.py", "x = a", " + 'b' + c", ""},
		{"conversions", "a.py", "x = a", " + Decimal(median(a.map(b", ")))"},
		{"types", "a.ts", "", "interface A { b: { ", "} }"},
		{"templates", "a.mjs", "x = ", "`${", "}`"},
		{"commands", "a.sh", "", "a | sort && b; ", ""},
		{"computed", "a.sh", "", "a \"$(b; c)\" $((1 + 2)); ", ""},
		{"blocks of commands", "a.sh", "", "if a; then b 1; ", "fi; "},
		{"locks", "a.go", "package a\nfunc f() {\n", "a.Lock()\nb.Unlock()\n", ""},
		{"functions that round", "a.py", "", "def f(v): return round(v)\nt += sum(f(a) for a in b)\n", ""},
		{"statements of SQL", "a.py", "", "a(\"SELECT b FROM c WHERE d = ? AND e\", (f,))\n", ""},
		{"texts that are joined", "a.mjs", "x = \"SELECT a FROM b WHERE c\"", " + d + \" AND e\"", ""},
		{"programs of jq", "a.sh", "", "jq '.a | select(.b and .c)' d; ", ""},
		{"programs in programs", "a.sh", "", "python3 -c 'if a: b(1)'\n", ""},
		{"formats", "a.py", "x = ", "'%5.2f' % f'{a:>8}' + ", "'%d'"},
		{"formats of calls", "a.go", "package a\nvar b = ", "fmt.Sprintf(\"%05d\", ", ")"},

		{"the same call", "a.py", "", "x = sorted(a) == sorted(b)[:4]\n", ""},
		{"the same filter", "a.sh", "", "x=$(sort a | uniq)\n", ""},
		{"files that take the place of others", "a.py", "", "t = a + 'b'\nos.replace(t, a)\n", ""},
		{"functions that map", "a.mjs", "", "const f = (a) => a.b;\nx = f(y) + this.f(z);\n", ""},
		{"signatures", "a.mjs", "", "x = sign(a, b, c);\n", ""},
		{"copies", "a.mjs", "x = ", "JSON.parse(JSON.stringify(", "))"},
		{"ends", "a.py", "", "a.sort()\nb = a[0] + max(a)\n", ""},
		{"what undoes each other", "a.py", "", "a = json.dumps(b)\nc = json.loads(d) * 100 + e / 100\n", ""},
		{"calls in calls", "a.py", "from b import f\nx = ", "f(a, ", ")"},
		{"calls of calls", "a.py", "from b import f\nx = f", "(a).b(c)", ""},
		{"calls without a change", "a.py", "", "a.b()\n", ""},
		{"tables of awk", "a.sh", "", "awk 'NR == FNR { a[$1] = 1; next } a[$2]' b c\n", ""},
		{"sets", "a.py", "", "a = set()\na.add(b)\nc(len(a))\n", ""},
		{"looked up by their key", "a.py", "a = {}\na[b] = c\n", "for d in e: f(a[d])\n", ""},
		{"maps in lists", "a.mjs", "const a = new Map(b);\nx = ", "c.map((d) => a.get(d) + ", "e)"},
		{"names of one list", "a.py", "x = [", "a, {}, b[c], ", ""},
		{"sorted lists of sorted lists", "a.py", "x = ", "sorted(", ")[0]"},
		{"tags", "a.go", "package a\ntype b struct {", " C int `json:\"c,string\"`;", ""},
		{"switches", "a.go", "package a\nfunc b() {", " switch c { case 1, 2: ", "}"},
		{"labels", "a.mjs", "", "a: for (;;) { break a; ", "}"},
		{"patterns", "a.py", "match a:\n  case ", "{'b': int(c), 'd': [", "]}"},
		{"alternatives", "a.py", "match a:\n  case 'b'", " | 'c'", ": d()"},
		{"generators", "a.py", "x = ", "(f(a) for a in ", ")"},
		{"spread", "a.py", "x = [", "1, *a, f(*b), ", ""},
		{"what is nothing", "a.mjs", "x = a", " ?? b || c", ""},
		{"members that may be there", "a.mjs", "x = a", "?.b", ""},
		{"cases of a shell", "a.sh", "", "case a in b|c) ", "d;; esac;"},
		{"set for commands", "a.sh", "", "a=b ", ""},
		{"read", "a.sh", "", "IFS=, read a b \"$c\" ${d:-e} > f\n", ""},
		{"lines of answers", "a.py", "with urlopen(a) as b:\n", " for c in b: d(e.split(',')[1])\n", ""},
		{"ruby", "a.rb", "", "a.b do |c|\n d c if e and f\n", "end\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			cost := func(bytes int) time.Duration {
				n := bytes / (len(c.part) + len(c.to))
				end := strings.Repeat(c.to, n)
				if c.name == "lists" {
					end = "]"
				}
				text := []byte(c.from + strings.Repeat(c.part, n) + end + "\n")
				best := time.Hour
				for range 3 { // processor time, which others on the machine do not use up
					start := cputime.Spent()
					Changes(c.file, text, nil)
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
