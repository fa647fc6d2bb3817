package source

import (
	"slices"
	"testing"
)

// An atOnce is a text, some texts that are made of it, and whether those are all of them.
type atOnce struct {
	name, file, text string
	want             []string
}

// checkAtOnce looks at what is made of texts by `together`: all of want, and nothing where want is empty.
func checkAtOnce(t *testing.T, all []atOnce) {
	t.Helper()
	for _, c := range all {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			got, _ := madeTogether(t, c.file, c.text)
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s\ngot %q", w, got)
				}
			}
			if len(c.want) == 0 && len(got) > 0 {
				t.Errorf("too much: %q", got)
			}
		})
	}
}

// Shows that the other end is taken of what is not sorted.
func TestEnds(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"in its place", "a.py", "a.sort(key=b)\nc = a.pop()\n", []string{"pass\nc = a.pop(0)\n"}},
		{"the first one", "a.py", "a.sort(key=b, reverse=True)\nprint(a[0])\n", []string{"pass\nprint(a[-1])\n"}},
		{"at once", "a.py", "c = sorted(a, key=b)[-1]\n", []string{"c = list(a)[0]\n"}},
		{"with a name", "a.py", "d = sorted(a)\nc = d[-1]\n", []string{"d = list(a)\nc = d[0]\n"}},
		{"a member", "a.py", "self.a.sort()\nc = self.a[-1]\n", []string{"pass\nc = self.a[0]\n"}},
		{"both ends", "a.py", "a.sort()\nc = a[0], a[-1]\n", nil},
		{"what is set", "a.py", "a.sort()\na[0] = 1\n", nil},
		{"another list", "a.py", "a.sort()\nc = b[-1]\n", nil},
		{"another function", "a.py", "def f(a):\n    a.sort()\ndef g(a):\n    return a[-1]\n", nil},
		{"the largest", "a.py", "c = max(a, key=b)\n", []string{"c = list(a)[0]\n", "c = list(a)[-1]\n"}},
		{"the largest or another one", "a.py", "c = min((d for d in a), default=0)\n", []string{"c = next(iter((d for d in a)), 0)\n", "c = [0, *((d for d in a))][-1]\n"}},
		{"the larger of two", "a.py", "c = max(a, b)\n", nil},

		{"in its place", "a.mjs", "a.sort((x, y) => x.b - y.b);\nconst c = a[a.length - 1];\n", []string{";;\nconst c = a[0];\n"}},
		{"at once", "a.mjs", "const c = a.sort((x, y) => x - y).at(-1);\n", []string{"const c = a.at(0);\n"}},
		{"a copy", "a.mjs", "const c = [...a].sort()[0];\n", []string{"const c = [...a].at(-1);\n"}},
		{"with a name", "a.ts", "const d: A[] = a.toSorted(b);\nconst c = d.pop();\n", []string{"const d: A[] = a;\nconst c = d.shift();\n"}},
		{"the largest", "a.mjs", "c = Math.max(...a);\n", []string{"c = [...a][0];\n", "c = [...a].at(-1);\n"}},
		{"one of each two", "a.mjs", "c = a.reduce((x, y) => x.b > y.b ? x : y);\n", []string{"c = a[0];\n", "c = a.at(-1);\n"}},
		{"a sum", "a.mjs", "c = a.reduce((x, y) => x + y.b * y.c);\n", nil},

		{"in its place", "a.go", "package a\n\nfunc f() {\n\tsort.Slice(a, func(i, j int) bool { return b })\n\tc(a[len(a)-1])\n}\n", []string{"package a\n\nfunc f() {\n\tif false { sort.Slice(a, func(i, j int) bool { return b }) }\n\tc(a[0])\n}\n"}},
		{"the first one", "a.go", "package a\n\nfunc f() {\n\tslices.Sort(a)\n\tc(a[0])\n}\n", []string{"package a\n\nfunc f() {\n\tif false { slices.Sort(a) }\n\tc(a[len(a)-1])\n}\n"}},
		{"the largest", "a.go", "package a\n\nvar c = slices.MaxFunc(a, b)\n", []string{"package a\n\nvar c = slices.Clip(a)[0]\n", "package a\n\nvar c = slices.Clip(a)[len(a)-1]\n"}},

		{"in its place", "A.java", "class A { void f() { Collections.sort(a); c = a.get(a.size() - 1); } }\n", []string{"class A { void f() { if (false) { Collections.sort(a); }; c = a.get(0); } }\n"}},
		{"of a list", "A.java", "class A { void f() { a.sort(b); c = a.get(0); } }\n", []string{"class A { void f() { if (false) { a.sort(b); }; c = a.get(a.size() - 1); } }\n"}},
		{"a stream", "A.java", "class A { void f() { c = a.stream().sorted(b).findFirst(); } }\n", []string{"class A { void f() { c = a.stream().reduce((one, next) -> next); } }\n"}},

		{"at once", "a.rb", "c = a.sort_by { |x| x.b }.last\n", []string{"c = a.to_a.first\n"}},
		{"in its place", "a.rb", "a.sort!\nc = a.last\n", []string{"nil\nc = a.first\n"}},
		{"the largest", "a.rb", "c = a.max_by { |x| x.b }\n", []string{"c = a.to_a.first\n", "c = a.to_a.last\n"}},

		{"a pipe", "a.sh", "a=$(b | sort -V | tail -n 1)\n", []string{"a=$(b | head -n 1)\n"}},
		{"a file", "a.sh", "sort -t , -k 2 b | head -1\n", []string{"cat b | tail -n 1\n"}},
		{"more lines", "a.sh", "a | sort | head -n 3\n", nil},
		{"something between", "a.sh", "a | sort | b | head -n 1\n", nil},
	})
}

// Shows that a part of a text is left out at all places in which the text stands.
func TestRepeated(t *testing.T) {
	checkAtOnce(t, []atOnce{
		{"a key", "a.py", "if f\"{a}:{b}\" not in c: c[f\"{a}:{b}\"] = d(a)\ne = c[f\"{a}:{b}\"]\n", []string{
			"if f\":{b}\" not in c: c[f\":{b}\"] = d(a)\ne = c[f\":{b}\"]\n", "if f\"{a}:\" not in c: c[f\"{a}:\"] = d(a)\ne = c[f\"{a}:\"]\n",
		}},
		{"other keys", "a.py", "c[f\"{a}:{b}\"] = 1\nd = c[f\"{a}/{b}\"]\n", nil},
		{"a key", "a.mjs", "a.set(`${b}:${c}`, d);\ne = a.get(`${b}:${c}`);\n", []string{"a.set(`:${c}`, d);\ne = a.get(`:${c}`);\n"}},
		{"what is joined", "a.mjs", "a[[b, c].join(\"/\")] = d;\ne = a[[b, c].join(\"/\")];\n", []string{"a[[c].join(\"/\")] = d;\ne = a[[c].join(\"/\")];\n"}},
		{"texts that are added", "a.mjs", "a[b + \":\" + c] = d;\ne = a[b + \":\" + c];\n", []string{"a[\":\" + c] = d;\ne = a[\":\" + c];\n"}},
		{"a format", "a.go", "package a\n\nfunc f() {\n\ta[fmt.Sprintf(\"%s:%s\", b, c)] = d\n\te(a[fmt.Sprintf(\"%s:%s\", b, c)])\n}\n", []string{
			"package a\n\nfunc f() {\n\ta[fmt.Sprintf(\":%[2]s\", b, c)] = d\n\te(a[fmt.Sprintf(\":%[2]s\", b, c)])\n}\n",
		}},
	})
	_, said := madeTogether(t, "a.py", "c[f\"{a}:{b}\"] = 1\nd = c[f\"{a}:{b}\"]\n")
	if want := "`f\"{a}:{b}\"` → `f\":{b}\"` in lines 1 and 2"; !slices.Contains(said, want) {
		t.Errorf("said %q", said)
	}
}
