package source

import (
	"strings"
	"testing"
)

// Shows what is taken for another thing, and what stands in its place: each row has
// what the changed text has in the place of a part.
func TestRelated(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string // the changed texts, in their order
	}{
		{"all calls of a conversion", "a.py", "x = Decimal('0')\nx += decimal.Decimal(y)\nDecimal\n", []string{
			"x = float('0')\nx += float(y)\nDecimal\n",
		}},
		{"whole numbers", "a.mjs", "x = 0n + BigInt(y.big);\n", []string{"x = 0 + Number(y.big);\n"}},
		{"numbers alone", "a.mjs", "x = 10n;\n", nil},
		{"functions of a module", "a.py", "x = math.fsum(a)\n", []string{"x = sum(a)\n"}},
		{"functions of a path of modules", "a.py", "x = urllib.parse.quote_plus(a)\n", []string{"x = urllib.parse.quote(a)\n"}},
		{"functions that are imported", "a.py", "from statistics import median\nx = median(a)\n", []string{
			"from statistics import median\nx = __import__(\"statistics\").mean(a)\n",
		}},
		{"functions of the program", "a.py", "x = median(a)\n", nil},
		{"declared functions", "a.mjs", "class A { parseInt(b) { return b; } }\n", nil},
		{"patterns that begin", "a.py", "x = a.match(b), re.fullmatch(c, d)\n", []string{
			"x = a.search(b), re.fullmatch(c, d)\n", "x = a.match(b), re.match(c, d)\n",
		}},
		{"beginnings", "a.py", "x = a.b.startswith(c)\ny = a.endswith((b, c))\n", []string{"x = (c in a.b)\ny = a.endswith((b, c))\n"}},
		{"methods", "a.mjs", "x = a.startsWith(b) || c.lastIndexOf(d);\n", []string{
			"x = a.includes(b) || c.lastIndexOf(d);\n", "x = a.startsWith(b) || c.indexOf(d);\n",
		}},
		{"escapes", "a.mjs", "x = encodeURIComponent(a);\n", []string{"x = encodeURI(a);\n"}},
		{"comparators", "a.mjs", "x = a.sort((b, c) => b - c), d.sort();\n", []string{"x = a.sort(), d.sort();\n"}},
		{"alphabets", "a.mjs", "x = a.localeCompare(b);\n", []string{"x = (a < b ? -1 : a > b ? 1 : 0);\n"}},
		{"orders that stay", "a.go", "package a\n\nfunc f() {\n\tsort.SliceStable(a, b)\n}\n", []string{"package a\n\nfunc f() {\n\tsort.Slice(a, b)\n}\n"}},
		{"calendars in Go", "a.go", "package a\n\nvar x = a.AddDate(0, 1, 0)\n", []string{"package a\n\nvar x = a.AddDate(0, 0, 30)\n"}},
		{"calendars in Java", "A.java", "class A { B c = d.plusMonths(e); }\n", []string{"class A { B c = d.plusDays(30L * (e)); }\n"}},
		{"calendars in Python", "a.py", "x = a + relativedelta(years=2)\nyears = 3\n", []string{"x = a + relativedelta(days=365 * 2)\nyears = 3\n"}},
		{"calendars in JavaScript", "a.mjs", "x = a.plus({ months: 1 });\n", []string{"x = a.plus({ days: 30 });\n"}},
		{"halves", "a.py", "x = a.quantize(b, rounding=decimal.ROUND_HALF_UP)\n", []string{"x = a.quantize(b, rounding=\"ROUND_HALF_EVEN\")\n"}},
		{"Ruby", "a.rb", "x = a.start_with?(b)\n", []string{"x = a.include?(b)\n"}},
		{"an order of answers", "a.mjs", "const x = await Promise.all(a);\nawait Promise.all(\n  b,\n);\n", []string{
			"const x = await (async (all, done) => { await Promise.all([...all].map(async (p) => done.push(await p))); return done; })(a, []);\nawait Promise.all(\n  b,\n);\n",
		}},
		{"an order of answers in Python", "a.py", "async def f():\n    x = await asyncio.gather(*a, b)\n    await asyncio.gather(*c)\n", []string{
			"async def f():\n    x = [await done for done in __import__(\"asyncio\").as_completed([*a, b])]\n    await asyncio.gather(*c)\n",
			"async def f():\n    x = [await one for one in [*a, b]]\n    await asyncio.gather(*c)\n",
		}},
		{"an order of threads", "a.py", "with ThreadPoolExecutor() as p:\n    x = p.map(f, a)\n", []string{
			"with ThreadPoolExecutor() as p:\n    x = (done.result() for done in __import__(\"concurrent.futures\").futures.as_completed([p.submit(f, each) for each in a]))\n",
		}},
		{"tables", "a.py", "x = csv.reader(a)\ny = csv.reader(b, delimiter=c)\n", []string{
			"x = ([field.strip().strip('\"') for field in line.rstrip(\"\\r\\n\").split(\",\")] for line in a)\ny = csv.reader(b, delimiter=c)\n",
		}},
		{"what is kept", "a.py", "@functools.lru_cache(maxsize=2)\ndef f(a): return a\n", []string{
			"@(lambda size, kept: lambda f: lambda *a: (kept[a] if a in kept else (len(kept) >= size and kept.pop(next(iter(kept))), kept.setdefault(a, f(*a)))[1]))(2, {})\ndef f(a): return a\n",
		}},
		{"instants", "a.py", "x = datetime.fromisoformat(a)\ny = datetime.fromisoformat(a) < datetime.fromisoformat(b)\nz = datetime.fromisoformat(c).date()\n", []string{
			"x = a\ny = datetime.fromisoformat(a) < datetime.fromisoformat(b)\nz = datetime.fromisoformat(c).date()\n",
			"x = datetime.fromisoformat(a)\ny = a < b\nz = datetime.fromisoformat(c).date()\n",
		}},
		{"instants in JavaScript", "a.mjs", "x = new Date(a) - new Date(b);\ny = new Date();\n", []string{
			"x = (a < b ? -1 : a > b ? 1 : 0);\ny = new Date();\n",
		}},
		{"zones", "a.py", "x = ZoneInfo('Europe/Berlin'), ZoneInfo('Asia/Tokyo'), 'Text/Plain'\n", []string{
			"x = ZoneInfo('Etc/GMT-1'), ZoneInfo('Asia/Tokyo'), 'Text/Plain'\n", "x = ZoneInfo('Etc/GMT-2'), ZoneInfo('Asia/Tokyo'), 'Text/Plain'\n",
		}},
		{"weeks", "a.py", "x = a.strftime('%G-W%V'), '%V'\n", []string{
			"x = a.strftime('%Y-W%V'), '%V'\n", "x = a.strftime('%G-W%W'), '%V'\n",
		}},
		{"years of weeks", "A.java", "class A { B c = B.ofPattern(\"yyyy-MM\"); }\n", []string{"class A { B c = B.ofPattern(\"YYYY-MM\"); }\n"}},
		{"hours", "a.go", "package a\n\nvar x = a.Format(\"15:04:05\")\n", []string{"package a\n\nvar x = a.Format(\"03:04:05\")\n"}},
		{"anchors", "a.mjs", "x = /^a\\.\\b[^$.]$/i.test(b);\n", []string{
			"x = /a\\.\\b[^$.]$/i.test(b);\n", "x = /^a.\\b[^$.]$/i.test(b);\n", "x = /^a\\.[^$.]$/i.test(b);\n", "x = /^a\\.\\b[^$.]/i.test(b);\n",
		}},
		{"groups", "a.mjs", "x = a.match(/<([^>]+)>; b/);\n", []string{"x = a.match(/<([^>]+)/);\n"}},
		{"patterns in texts", "a.py", "x = re.search(r'a-(b)', c), d('^e')\n", []string{"x = re.search(r'(b)', c), d('^e')\n"}},
		{"escapes in texts", "a.py", "x = re.search('a\\\\.b', c)\n", []string{"x = re.search('a.b', c)\n"}},
		{"alternatives", "a.mjs", "x = /a|b$/.test(c);\n", nil},
		{"placeholders", "a.py", "x = f'{a}:{b}'\ny = f'{c}'\nprint(f'{a}:{b}')\nz = f'{BASE}/{d}'\n", []string{
			"x = f':{b}'\ny = f'{c}'\nprint(f'{a}:{b}')\nz = f'{BASE}/{d}'\n", "x = f'{a}:'\ny = f'{c}'\nprint(f'{a}:{b}')\nz = f'{BASE}/{d}'\n",
			"x = f'{a}:{b}'\ny = f'{c}'\nprint(f'{a}:{b}')\nz = f'{BASE}/'\n",
		}},
		{"where a text leads", "a.py", "x = f'{a}/{b}'\ny = f'{c}:{base}'\n", []string{"x = f'{a}/'\ny = f'{c}:{base}'\n", "x = f'{a}/{b}'\ny = f':{base}'\n"}},
		{"parts of texts", "a.mjs", "x = a + ':' + b(c);\ny = d + '!';\n", []string{"x = ':' + b(c);\ny = d + '!';\n", "x = a + ':';\ny = d + '!';\n"}},
		{"a key", "a.py", "for e in b:\n    n = e['id']\n    if n in seen: continue\n    seen.add(n)\n    c(e['kind'], n)\n", []string{
			"for e in b:\n    n = e['id']\n    if e['kind'] in seen: continue\n    seen.add(e['kind'])\n    c(e['kind'], n)\n",
			"for e in b:\n    n = e['id']\n    if str(e) in seen: continue\n    seen.add(str(e))\n    c(e['kind'], n)\n",
		}},
		{"a key in JavaScript", "a.mjs", "if (!seen.has(e.id)) { seen.add(e.id); }\n", []string{
			"if (!seen.has(JSON.stringify(e))) { seen.add(JSON.stringify(e)); }\n",
		}},
		{"a key in Go", "a.go", "package a\n\nfunc f() {\n\tb(e.kind)\n\tif seen[e.id] {\n\t\treturn\n\t}\n\tseen[e.id] = true\n}\n", []string{
			"package a\n\nfunc f() {\n\tb(e.kind)\n\tif seen[e.kind] {\n\t\treturn\n\t}\n\tseen[e.kind] = true\n}\n",
		}},
		{"addresses", "a.py", "k = self.path\nif k not in c:\n    c[k] = d(self.path)\n", []string{
			"k = self.path\nif k.split(\"?\")[0] not in c:\n    c[k.split(\"?\")[0]] = d(self.path)\n",
		}},
		{"tuples", "a.py", "k = (a, b)\nif k in c:\n    c[k] = d\n", []string{"k = (b,)\nif k in c:\n    c[k] = d\n", "k = (a,)\nif k in c:\n    c[k] = d\n"}},
		{"what gets no keys", "a.py", "if e['code'] in CODES: f(e['kind'])\nx = [1, 2]\ny = x[e.n]\n", nil},
		{"members that are compared", "a.py", "x = a['id'] == b['id'] and a['kind']\n", []string{"x = a['kind'] == b['kind'] and a['kind']\n"}},
		{"members that are sorted by", "a.py", "x = sorted(a, key=lambda e: e['at'])\nfor e in x: f(e['id'])\n", []string{
			"x = sorted(a, key=lambda e: e['id'])\nfor e in x: f(e['id'])\n",
		}},
		{"options", "a.sh", "curl -sf -m 3 --retry 2 \"$U\"\nx=$(sort -rn -k2,2n a | grep -v \"$b\")\nmkdir -p d\n", []string{
			"curl -s -m 3 --retry 2 \"$U\"\nx=$(sort -rn -k2,2n a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf --retry 2 \"$U\"\nx=$(sort -rn -k2,2n a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 \"$U\"\nx=$(sort -rn -k2,2n a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 --retry 2 \"$U\"\nx=$(cat a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 --retry 2 \"$U\"\nx=$(sort -n -k2,2n a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 --retry 2 \"$U\"\nx=$(sort -r -k2,2n a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 --retry 2 \"$U\"\nx=$(sort -rn -k2,2 a | grep -v \"$b\")\nmkdir -p d\n",
			"curl -sf -m 3 --retry 2 \"$U\"\nx=$(sort -rn -k2,2n a | grep \"$b\")\nmkdir -p d\n",
		}},
		{"values of options", "a.sh", "curl -ofile \"$U\"\ngrep -- -v a\n", nil},
		{"a zone of a script", "a.sh", "TZ=Europe/Berlin date\n", []string{"TZ=Etc/GMT-1 date\n", "TZ=Etc/GMT-2 date\n"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range sound(t, c.file, []byte(c.text)) {
				if m.Operator == "related" {
					got = append(got, string(m.Apply([]byte(c.text))))
				}
			}
			for n := range max(len(got), len(c.want)) {
				switch {
				case n >= len(got):
					t.Errorf("missing:\n%s", c.want[n])
				case n >= len(c.want):
					t.Errorf("too much:\n%s", got[n])
				case got[n] != c.want[n]:
					t.Errorf("got\n%s\nwant\n%s", got[n], c.want[n])
				}
			}
		})
	}
}

// Shows that hosts, and what stands in for nothing, are no texts that are changed.
func TestTextsLeftAlone(t *testing.T) {
	for _, c := range []struct{ file, text string }{
		{"a.py", "x = f(('127.0.0.1', y))\n"},
		{"a.mjs", "x = a ?? '';\n"},
		{"a.mjs", "x = a || \"\";\n"},
		{"a.py", "x = a or ''\n"},
		{"a.sh", "a --host 'localhost'\n"},
	} {
		for _, m := range sound(t, c.file, []byte(c.text)) {
			if m.Operator == "text" {
				t.Errorf("%s: %s", strings.TrimSpace(c.text), m.Change)
			}
		}
	}
}
