package program

import (
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows which errors are those of a changed line, by what each language says of it, and which are not.
func TestCrashes(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		change           source.Mutant
		stderr           string
		status           int
		want             bool
	}{
		{
			"python", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\n    b\n    ^\n" +
				"TypeError: unsupported operand type(s) for +: 'set' and 'set'\n",
			1, true,
		},
		{
			"python, the second traceback", "app.py", "a\nb\n",
			source.Mutant{Operator: "text", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 1, in <module>\nKeyError: 'a'\n\n" +
				"During handling of the above exception, another exception occurred:\n\nTraceback (most recent call last):\n" +
				"  File \"/tmp/x/app.py\", line 2, in f\nAttributeError: no\n",
			1, true,
		},
		{
			"python, two functions on", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\n" +
				"  File \"/tmp/x/app.py\", line 7, in f\nTypeError: no\n",
			1, false,
		},
		{
			"python, an error of the data", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\nKeyError: 'b'\n",
			1, false,
		},
		{
			"python, raised", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\nValueError: b\n",
			1, false,
		},
		{
			"python, told and not ended by it", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\nTypeError: b\n",
			0, false,
		},
		{
			"python, another file", "app.py", "a\nb\n",
			source.Mutant{Operator: "arithmetic", Line: 2, Text: "+"},
			"Traceback (most recent call last):\n  File \"/tmp/x/other.py\", line 2, in <module>\nTypeError: b\n",
			1, false,
		},
		{
			"python, a value that is left out", "app.py", "found = []\nb\nfound.append(1)\n",
			source.Mutant{Operator: "statement", Line: 1, To: 10},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 3, in <module>\n" +
				"NameError: name 'found' is not defined. Did you mean: 'round'?\n",
			1, true,
		},
		{
			"python, another name", "app.py", "found = []\nb\nrest.append(1)\n",
			source.Mutant{Operator: "statement", Line: 1, To: 10},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 3, in <module>\n" +
				"NameError: name 'rest' is not defined\n",
			1, false,
		},
		{
			"a guard that is left out meets what it is for", "app.py", "a\nb\n",
			source.Mutant{Operator: "condition", Line: 2, Text: "x.y"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\n" +
				"AttributeError: 'NoneType' object has no attribute 'y'\n",
			1, false,
		},
		{
			"a condition with a name that is not there", "app.py", "a\nb\n",
			source.Mutant{Operator: "condition", Line: 2, Text: "x.y"},
			"Traceback (most recent call last):\n  File \"/tmp/x/app.py\", line 2, in <module>\nNameError: name 'x' is not defined\n",
			1, true,
		},
		{
			"two that are swapped", "app.py", "a\nb\nc\n",
			source.Mutant{Operator: "order", Line: 1, To: 3, Text: "b\na"},
			"Traceback (most recent call last):\n  File \"app.py\", line 2, in <module>\nNameError: name 'x' is not defined\n",
			1, true,
		},
		{
			"node", "src/app.mjs", "a\nb\nc\n",
			source.Mutant{Operator: "related", Line: 3},
			"file:///tmp/x/src/app.mjs:3\n  found.push(1);\n  ^\n\nReferenceError: found is not defined\n" +
				"    at f (file:///tmp/x/src/app.mjs:3:3)\n    at file:///tmp/x/app.mjs:5:1\n\nNode.js v20.20.2\n",
			1, true,
		},
		{
			"node, a function of its own", "app.cjs", "a\nb\n",
			source.Mutant{Operator: "text", Line: 2},
			"/tmp/x/app.cjs:2\n\nTypeError: number 3 is not iterable\n    at new Map (<anonymous>)\n    at /tmp/x/app.cjs:2:10\n",
			1, true,
		},
		{
			"node, data", "app.mjs", "a\nb\n",
			source.Mutant{Operator: "text", Line: 2},
			"<anonymous_script>:1\n{\n\nSyntaxError: Expected property name\n    at JSON.parse (<anonymous>)\n" +
				"    at file:///tmp/x/app.mjs:2:6\n",
			1, false,
		},
		{
			"node, what it asks is not there", "app.mjs", "a\nb\n",
			source.Mutant{Operator: "text", Line: 2},
			"node:internal/deps/undici/undici:14976\n\nTypeError: fetch failed\n    at node:internal/deps/undici/undici:14976:13\n" +
				"    at async file:///tmp/x/app.mjs:2:1 {\n",
			1, false,
		},
		{
			"ruby", "app.rb", "a\nb\n",
			source.Mutant{Operator: "call", Line: 2},
			"app.rb:2:in `<main>': undefined method `x' for nil:NilClass (NoMethodError)\n\nb.x\n ^^\n",
			1, true,
		},
		{
			"ruby, an error of its own", "app.rb", "a\nb\n",
			source.Mutant{Operator: "call", Line: 2},
			"app.rb:2:in `<main>': no (RuntimeError)\n",
			1, false,
		},
		{
			"go", "main.go", "a\nb\n",
			source.Mutant{Operator: "call", Line: 2},
			"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV]\n\ngoroutine 1 [running]:\n" +
				"main.main()\n\t/tmp/x/main.go:2 +0x1d\nexit status 2\n",
			1, true,
		},
		{
			"go, out of range", "main.go", "a\nb\n",
			source.Mutant{Operator: "call", Line: 2},
			"panic: runtime error: index out of range [1] with length 1\n\ngoroutine 1 [running]:\nmain.main()\n" +
				"\t/tmp/x/main.go:2 +0x1d\n",
			2, false,
		},
		{
			"bash, no such command", "app.sh", "a\nb\n",
			source.Mutant{Operator: "text", Line: 2},
			"app.sh: line 2: nosuch: command not found\n",
			127, true,
		},
		{
			"bash, no such command, and on it goes", "app.sh", "a\nb\nc\n",
			source.Mutant{Operator: "text", Line: 2},
			"app.sh: line 2: nosuch: command not found\n",
			0, false,
		},
		{
			"sh, a value that is left out", "app.sh", "x=1\nb\necho $x\n",
			source.Mutant{Operator: "statement", Line: 1, To: 3, Text: ":"},
			"app.sh: 3: x: parameter not set\n",
			2, true,
		},
		{
			"sh, a command of its own", "app.sh", "x=1\nb\n",
			source.Mutant{Operator: "text", Line: 2},
			"app.sh: line 2: y: no\n",
			1, false,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &Mutant{Mutant: c.change, Of: &Source{Path: c.file, Text: []byte(c.text)}}
			if got := m.crashes(endingOf(c.stderr, c.status)); got != c.want {
				t.Errorf("%v, of %+v", got, endingOf(c.stderr, c.status))
			}
		})
	}
}
