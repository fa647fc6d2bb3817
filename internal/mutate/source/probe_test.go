package source

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Shows where a program ends that a probe is put into, and where there is none.
func TestProbe(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		want       string // "" for none
	}{
		{"app.py", "a()\nif b:\n    c()\n", 3, "a()\nif b:\n    __import__(\"os\")._exit(97); c()\n"},
		{"app.py", "a()\nif b:\n    c()\n", 2, "a()\n__import__(\"os\")._exit(97)\nif b:\n    c()\n"},
		{"app.py", "if b: c()\n", 1, "__import__(\"os\")._exit(97)\nif b: c()\n"},
		{"app.py", "if a:\n  b()\nelif c:\n  d()\nelse:\n  e()\n", 3, "if a:\n  b()\nelif __import__(\"os\")._exit(97) or (c):\n  d()\nelse:\n  e()\n"},
		{"app.py", "if a:\n  b()\nelse:\n  e()\n", 3, ""},
		{"app.py", "f(a,\n  b=1)\n", 2, "__import__(\"os\")._exit(97); f(a,\n  b=1)\n"},
		{"app.py", "@a\ndef f(): pass\n", 2, ""},
		{"app.py", "\n# x\n", 2, ""},
		{"app.py", "a()\n", 7, ""},
		{"app.txt", "a()\n", 1, ""},
		{"app.mjs", "f(() => {\n  g();\n});\n", 2, "f(() => {\n  process.exit(97); g();\n});\n"},
		{"app.mjs", "if (a)\n  return b();\nelse c();\n", 2, "if (a)\n  process.exit(97);\nelse c();\n"},
		{"app.mjs", "if (a) {\n} else if (b) {\n}\n", 2, "if (a) {\n} else if (process.exit(97) || (b)) {\n}\n"},
		{"app.mjs", "switch (a) {\ncase 1:\n  b();\n}\n", 2, "switch (a) {\ncase 1: process.exit(97);\n  b();\n}\n"},
		{"app.mjs", "class A {\n  b = 3;\n}\n", 2, ""},
		{"main.go", "package a\n\nimport \"os\"\n\nfunc f() {\n\tg()\n}\n", 6, "package a\n\nimport \"os\"\n\nfunc f() {\n\tos.Exit(97); g()\n}\n"},
		{"main.go", "package a\n\nfunc f() {\n\tg()\n}\n", 4, "package a\n\nfunc f() {\n\tgo panic(97); select {}; g()\n}\n"},
		{"main.go", "package a\n\nvar x = 3\n", 3, ""},
		{"run.sh", "a\nif b; then\n  c\nelif d; then e\nfi\nf() {\n  g\n}\n", 3, "a\nif b; then\n  exit 97; c\nelif d; then e\nfi\nf() {\n  g\n}\n"},
		{"run.sh", "if b; then\n  c\nelif d; then e\nfi\n", 3, "if b; then\n  c\nelif exit 97; d; then e\nfi\n"},
		{"run.sh", "f() {\n  # g\n  :\n}\n", 2, ""},
		{"app.js", "module.exports = {\n  a: b,\n}\n", 2, "process.exit(97); module.exports = {\n  a: b,\n}\n"},
		{"run.sh", "f() {\n  g\n}\n", 2, "f() {\n  kill -9 $$; exit 97; g\n}\n"},
		{"app.rb", "def f\n  g\nend\n", 2, "def f\n  exit!(97); g\nend\n"},
		{"A.java", "class A {\n  void f() {\n    g();\n  }\n}\n", 3, "class A {\n  void f() {\n    System.exit(97); g();\n  }\n}\n"},
	} {
		m, ok := Probe(c.name, []byte(c.text), c.line)
		got := ""
		if ok {
			got = string(m.Apply([]byte(c.text)))
			if m.Line != 1+bytes.Count([]byte(c.text[:m.From]), []byte("\n")) {
				t.Errorf("%s line %d: the probe says line %d", c.name, c.line, m.Line)
			}
		}
		if got != c.want {
			t.Errorf("%s %q line %d:\n got %q\nwant %q", c.name, c.text, c.line, got, c.want)
		}
	}
}

// Shows that programs do end at a probe, and that what says that a source is broken is
// told from what a program says of its data.
func TestRunning(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		with       []string
		broken     string // a text that cannot be compiled
		data       string // a program that finds its data broken
	}{
		{"app.py", "import sys\ndef f(x):\n    if x:\n        return 1\n    return 2\nf(0)\n", 5, []string{"python3"}, "if x\n", "import ast\nast.parse('1 +')\n"},
		{"app.mjs", "function f(x) {\n  if (x) return 1;\n  return 2;\n}\nf(0);\n", 3, []string{"node"}, "if (x {\n", "JSON.parse('{a')\n"},
		{"run.sh", "f() { g; }\nif true; then\n  :\nfi\n", 3, []string{"sh"}, "if true; then\n", "echo 'syntax error' >&2\nexit 1\n"},
		{"run.bash", "x=1\necho $x\n", 2, []string{"bash"}, "if true; fi\n", "echo 'run: unexpected token' >&2\nexit 1\n"},
		{"main.go", "package main\n\nimport \"os\"\n\nfunc main() {\n\tprint(len(os.Args))\n}\n", 6, []string{"go", "run"}, "package main\n\nfunc main() {\n\tx := 1\n}\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			tool, err := exec.LookPath(c.with[0])
			if err != nil {
				t.Skipf("no %s here", c.with[0])
			}
			if testing.Short() && c.with[0] == "go" {
				t.Skip("what is compiled takes a second")
			}
			run := func(text string) (int, string) {
				dir := t.TempDir()
				if err := os.WriteFile(filepath.Join(dir, c.name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(tool, append(append([]string{}, c.with[1:]...), c.name)...)
				cmd.Dir = dir
				var stderr strings.Builder
				cmd.Stderr = &stderr
				err := cmd.Run()
				var failed *exec.ExitError
				if err != nil && !errors.As(err, &failed) {
					t.Fatal(err)
				}
				return cmd.ProcessState.ExitCode(), stderr.String()
			}
			if code, stderr := run(c.text); code != 0 {
				t.Fatalf("the program itself ends with %d: %s", code, stderr)
			}
			m, ok := Probe(c.name, []byte(c.text), c.line)
			if !ok {
				t.Fatal("no probe")
			}
			code, stderr := run(string(m.Apply([]byte(c.text))))
			if code != 97 && (c.with[0] != "go" || !strings.Contains(stderr, "exit status 97")) {
				t.Errorf("the probe ends with %d: %s", code, stderr)
			}
			if Broken(c.name, stderr) {
				t.Errorf("the probe is said to be broken: %s", stderr)
			}
			if _, stderr := run(c.broken); !Broken(c.name, stderr) || Broken("other"+filepath.Ext(c.name), stderr) {
				t.Errorf("broken is not seen, or of any file: %s", stderr)
			}
			if code, stderr := run(c.data); c.data != "" && (code == 0 || Broken(c.name, stderr)) {
				t.Errorf("ends with %d, and what it says of its data is said to be of the source: %s", code, stderr)
			}
		})
	}
}

// Shows what tools say that need not be there.
func TestBroken(t *testing.T) {
	for _, c := range []struct {
		name, stderr string
		want         bool
	}{
		{"app.py", "  File \"/tmp/x/app.py\", line 3\n    if x\n        ^\nSyntaxError: expected ':'\n", true},
		{"app.py", "Traceback (most recent call last):\n  File \"main.py\", line 1, in <module>\n    import app\n  File \"/tmp/x/app.py\", line 3\nIndentationError: unexpected indent\n", true},
		{"app.py", "Traceback (most recent call last):\n  File \"app.py\", line 1, in <module>\n  File \"<unknown>\", line 1\n    1 +\nSyntaxError: invalid syntax\n", false},
		{"app.py", "NameError: name 'SyntaxError: x' is not defined\n", false},
		{"app.ts", "/tmp/app.ts:3:5: ERROR: Expected \")\" but found \"{\"\n", true},
		{"app.ts", "app.ts(3,5): error TS1005: ',' expected.\n", true},
		{"main.go", "# command-line-arguments\n./main.go:4:2: declared and not used: x\n", true},
		{"cmd/main.go", "main.go:4:2: expected ';', found x\n", true},
		{"main.go", "2026/01/02 main.go:12: no such order\n", false},
		{"main.go", "panic: x\n\ngoroutine 1 [running]:\nmain.main()\n\t/tmp/main.go:3 +0x1d\n", false},
		{"A.java", "A.java:3: error: ';' expected\n", true},
		{"A.java", "Exception in thread \"main\" X\n\tat A.main(A.java:3)\n", false},
		{"app.rb", "app.rb:3: syntax error, unexpected end-of-input\n", true},
		{"app.rb", "app.rb:3:in `f': no (RuntimeError)\n", false},
		{"run.sh", "run.sh: line 3: syntax error near unexpected token `fi'\n", true},
		{"run.sh", "run.sh: 3: Syntax error: end of file unexpected\n", true},
		{"run.sh", "run.sh: line 3: 1 +: syntax error: operand expected\n", false},
		{"run", "./run: 3: Syntax error: end of file unexpected\n", true},
		{"run", "  File \"./run\", line 3\nSyntaxError: invalid syntax\n", true},
		{"run.sh", "other.sh: line 3: syntax error\n", false},
		{"run.sh", "  File \"<string>\", line 1\n    if\nSyntaxError: invalid syntax\n", true},
		{"run.sh", "[eval]:1\nif\n\nSyntaxError: Unexpected end of input\n", true},
		{"run.sh", "awk: line 1: syntax error at or near }\n", true},
		{"run.sh", "jq: error: syntax error, unexpected $end at <top-level>, line 1:\n", true},
		{"run.sh", "jq: error (at <stdin>:1): null (null) has no keys\n", false},
		{"notes.txt", "notes.txt: 3: syntax error\n", false},
		{"app.py", "", false},
	} {
		if got := Broken(c.name, c.stderr); got != c.want {
			t.Errorf("%s %q: broken is %v", c.name, c.stderr, got)
		}
	}
}
