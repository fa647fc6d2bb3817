package part_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows what stands in the place of a call that is taken for another one of its library, "" where nothing does.
func TestPairs(t *testing.T) {
	for _, c := range []struct{ name, file, text, want string }{
		{"words in quotes", "a.py", "a = shlex.split(b)\n", `a = [word.replace('"', "").replace("'", "") for word in (b).split()]`},
		{"the second piece", "a.py", "a = b.split(',')[1]\n", "a = b.split(',')[-1]"},
		{"two pieces", "a.py", "a = b.split(',')[1]\n", "a = b.split(',', 1)[1]"},
		{"the first piece", "a.py", "a = b.split(',')[0]\n", "a = b.rsplit(',', 1)[0]"},
		{"the last piece", "a.py", "a = b.split(',')[-1]\n", "a = b.split(',', 1)[-1]"},
		{"the second piece of JavaScript", "a.mjs", "a = b.split(',')[1];\n", "a = b.split(',').at(-1);"},
		{"the last piece of JavaScript", "a.mjs", "a = b.split(',').pop();\n", "a = b.split(',')[1];"},
		{"two pieces of Go", "a.go", "package a\nvar a = strings.Split(b, \",\")[1]\n", "package a\nvar a = strings.SplitN(b, \",\", 2)[1]"},
		{"two pieces of Java", "A.java", "class A { String a = b.split(\",\")[1]; }\n", "class A { String a = b.split(\",\", 2)[1]; }"},
		{"a header", "a.py", "a = b.headers.get('c')\n", "a = dict(b.headers).get('c')"},
		{"a whole number", "a.py", "if a['b'] == round(a['b']): c()\n", "if (isinstance(a['b'], int)): c()"},
		{"no whole number", "a.py", "if a != int(a): c()\n", "if (not isinstance(a, int)): c()"},
		{"digits of a text", "a.mjs", "a = b.match(/(\\d+)/)[1];\n", "a = Number(b.match(/(\\d+)/)[1]);"},
		{"an object", "A.java", "class A { boolean a = !b.c().equals(d); }\n", "class A { boolean a = !(b.c() == d); }"},
		{"objects", "A.java", "class A { boolean a = Objects.equals(b, c); }\n", "class A { boolean a = (b == c); }"},
		{"numbers that are written in another way", "A.java", "class A { boolean a = b.compareTo(c) != 0; }\n", "class A { boolean a = !b.equals(c); }"},
		{"lines of an answer", "a.py", "with urlopen(a) as b:\n    for c in b: d(c)\n", "with urlopen(a) as b:\n    for c in (line for packet in iter(b.read1, b\"\") for line in packet.splitlines(True)): d(c)"},
		{"lines of requests", "a.py", "for a in b.iter_lines(): c(a)\n", "for a in (line for packet in b.iter_content(None) for line in packet.splitlines()): c(a)"},
		{"tasks", "a.py", "async def a():\n    async with asyncio.TaskGroup() as b: pass\n", `async def a():
    async with type("Tasks", (list,), {"__aenter__": lambda tasks: asyncio.sleep(0, tasks), "__aexit__": lambda tasks, kind, *_: asyncio.sleep(0) if kind else asyncio.gather(*tasks), "create_task": lambda tasks, one, **_: (tasks.append(asyncio.ensure_future(one)), tasks[-1])[1]})() as b: pass`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, m := range source.Mutants(c.file, []byte(c.text)) {
				got = append(got, strings.TrimSuffix(string(m.Apply([]byte(c.text))), "\n"))
			}
			if !slices.Contains(got, c.want) {
				t.Errorf("no such change:\n%s\ngot\n%s", c.want, strings.Join(got, "\n"))
			}
		})
	}
	for _, c := range []struct{ file, text, part string }{
		{"a.py", "a = b.get('c')\n", "dict("},
		{"a.py", "try: a()\nexcept ExceptionGroup: pass\nasync def b():\n    async with asyncio.TaskGroup() as c: pass\n", "Tasks"},
		{"a.py", "for a in b: c(a)\n", "packet"},
	} {
		for _, m := range source.Mutants(c.file, []byte(c.text)) {
			if strings.Contains(m.Text, c.part) {
				t.Errorf("%s: %s", c.text, m.Change)
			}
		}
	}
}
