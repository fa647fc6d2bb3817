package source

import "testing"

// Shows that a set and a heap are lists, where all uses are known.
func TestContainers(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"a set", "a.py", "a = set()\nfor b in c: a.add(b)\nprint(len(a), sorted(a))\n", []string{"a = []\nfor b in c: a.append(b)\nprint(len(a), sorted(a))\n"}},
		{"a set that is gone through", "a.py", "a = set()\na.update(b)\nfor c in a: d(c)\n", []string{"a = []\na.extend(b)\nfor c in a: d(c)\n"}},
		{"a set that is asked", "a.py", "a = set()\nfor b in c:\n    if b not in a: a.add(b)\nprint(len(a))\n", nil},
		{"a set that goes elsewhere", "a.py", "a = set()\na.add(b)\nc(a)\n", nil},
		{"a heap", "a.py", "a = []\nheapq.heappush(a, (b, c))\nd = heapq.heappop(a)[1]\n", []string{"a = []\na.append((b, c))\nd = a.pop(0)[1]\n"}},
		{"a heap that is replaced in", "a.py", "a = []\nheapq.heappush(a, b)\nheapq.heapreplace(a, c)\nd = heapq.heappop(a)\n", nil},

		{"a set", "a.mjs", "const a = new Set();\nfor (const b of c) a.add(b);\nd([...a], a.size);\n", []string{"const a = [];\nfor (const b of c) a.push(b);\nd([...a], a.length);\n"}},
		{"a set with a type", "a.ts", "const a = new Set<string>();\nb.forEach((c) => a.add(c));\nd(a.size);\n", []string{"const a = [];\nb.forEach((c) => a.push(c));\nd(a.length);\n"}},
		{"a set that is asked", "a.mjs", "const a = new Set();\na.add(b);\nif (a.has(c)) d(a.size);\n", nil},

		{"a set", "A.java", "class A { void f() { Set<String> a = new HashSet<>(); a.add(b); c(a.size()); } }\n", []string{"class A { void f() { java.util.Collection<String> a = new java.util.ArrayList<>(); a.add(b); c(a.size()); } }\n"}},
		{"a queue", "A.java", "class A { void f() { PriorityQueue<B> a = new PriorityQueue<>(c); a.add(b); d(a.poll()); } }\n", []string{"class A { void f() { java.util.Queue<B> a = new java.util.ArrayDeque<>(); a.add(b); d(a.poll()); } }\n"}},

		{"a set", "a.rb", "a = Set.new\na << b\nputs a.size\n", []string{"a = []\na << b\nputs a.size\n"}},
	})
}

// Shows that results are kept in the order in which they come, where several tasks put each at its place.
func TestArrivals(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"threads", "a.py", "import threading\na = {}\ndef f(i, b):\n    a[i] = g(b)\nfor i, b in enumerate(c): threading.Thread(target=f, args=(i, b)).start()\n", []string{
			"import threading\na = {}\ndef f(i, b):\n    a[len(a)] = g(b)\nfor i, b in enumerate(c): threading.Thread(target=f, args=(i, b)).start()\n",
		}},
		{"what is done", "a.py", "a = [None] * len(b)\nfor c in as_completed(d):\n    a[d[c]] = c.result()\n", []string{"a = [None] * len(b)\nfor c in as_completed(d):\n    a[a.index(None)] = c.result()\n"}},
		{"one after the other", "a.py", "a = {}\nfor i, b in enumerate(c):\n    a[i] = g(b)\n", nil},
		{"a key", "a.py", "import threading\na = {}\ndef f(k):\n    a[k] = g(k)\n", nil},

		{"promises", "a.mjs", "const a = [];\nawait Promise.all(b.map(async (c, i) => { a[i] = await d(c); }));\n", []string{"const a = [];\nawait Promise.all(b.map(async (c, i) => { a.push( await d(c)); }));\n"}},
		{"an array", "a.mjs", "const a = new Array(b.length);\nawait Promise.all(b.map(async (c, i) => { a[i] = await d(c); }));\n", []string{"const a = [];\nawait Promise.all(b.map(async (c, i) => { a.push( await d(c)); }));\n"}},

		{"goroutines", "a.go", "package main\n\nfunc f() {\n\ta := make([]int, len(b))\n\tfor i, c := range b {\n\t\tgo func() {\n\t\t\ta[i] = d(c)\n\t\t}()\n\t}\n}\n", []string{
			"package main\n\nfunc f() {\n\ta := make([]int, 0, len(b))\n\tfor i, c := range b {\n\t\tgo func() {\n\t\t\ta = append(a, d(c)); _ = i\n\t\t}()\n\t}\n}\n",
		}},
	})
}

// Shows that what is kept under a key is taken by its place, where it is looked up for each of a list.
func TestPlaces(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"a dict", "a.py", "a = {}\nfor b in c:\n    a[b.id] = b\nfor d in e:\n    print(a[d])\n", []string{"a = {}\nfor b in c:\n    a[b.id] = b\nfor its_place, d in enumerate(e):\n    print(list(a.values())[its_place])\n"}},
		{"of a comprehension", "a.py", "a = {b.id: b for b in c}\nd = [a.get(e.id, 0) for e in f if e.id in a]\n", []string{"a = {b.id: b for b in c}\nd = [dict(enumerate(a.values())).get(its_place, 0) for its_place, e in enumerate(f) if e.id in a]\n"}},
		{"with places", "a.py", "a = {b.id: b for b in c}\nfor i, d in enumerate(e): print(i, a.get(d))\n", []string{"a = {b.id: b for b in c}\nfor i, d in enumerate(e): print(i, dict(enumerate(a.values())).get(i))\n"}},
		{"a sum", "a.py", "a = {}\nfor b in c:\n    a[b] = a.get(b, 0) + 1\nfor d in e: print(a[d])\n", nil},
		{"a cache", "a.py", "a = {}\nfor b in c:\n    if b not in a: a[b] = d(b)\n    print(a[b])\n", nil},
		{"a parameter", "a.py", "a = {}\nfor b in c: a[b.id] = b\ndef f(d): return a[d]\n", nil},
		{"what goes elsewhere", "a.py", "a = {}\nfor b in c: a[b.id] = b\nfor d in e: print(a[d])\ng(a)\n", nil},

		{"a map", "a.mjs", "const a = new Map();\nfor (const b of c) a.set(b.id, b);\nfor (const d of e) f(a.get(d));\n", []string{"const a = new Map();\nfor (const b of c) a.set(b.id, b);\nfor (const [its_place, d] of [...(e)].entries()) f([...a.values()][its_place]);\n"}},
		{"at once", "a.mjs", "const a = new Map(b.map((c) => [c.id, c]));\nd = e.map((f) => a.get(f.id).g);\n", []string{"const a = new Map(b.map((c) => [c.id, c]));\nd = e.map((f, its_place) => [...a.values()][its_place].g);\n"}},
		{"an object", "a.ts", "const a: Record<string, B> = {};\nfor (const b of c) a[b.id] = b;\nd = e.map(f => a[f]);\n", []string{"const a: Record<string, B> = {};\nfor (const b of c) a[b.id] = b;\nd = e.map((f, its_place) => Object.values(a)[its_place]);\n"}},
		{"with places", "a.mjs", "const a = {};\nfor (const b of c) a[b.id] = b;\ne.forEach((f, i) => d(a[f], i));\n", []string{"const a = {};\nfor (const b of c) a[b.id] = b;\ne.forEach((f, i) => d(Object.values(a)[i], i));\n"}},
	})
}
