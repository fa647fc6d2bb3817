package source

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// madeTogether are the texts of the mutants of the operator `together`.
func madeTogether(t *testing.T, file, text string) (made, said []string) {
	t.Helper()
	for _, m := range sound(t, file, []byte(text)) {
		if m.Operator == "together" {
			made, said = append(made, string(m.Apply([]byte(text)))), append(said, m.Change)
		}
	}
	return made, said
}

// Shows what is changed in several places at once: each row is a text and all that is made of it.
func TestTogether(t *testing.T) {
	for _, c := range []struct {
		name, file, text string
		want             []string
	}{
		{"both sides", "a.py", "if sorted(a) != sorted(b): c()\n", []string{"if a != b: c()\n"}},
		{"numbers", "a.py", "if int(a) > int(b): c()\n", []string{"if a > b: c()\n"}},
		{"a slice", "a.py", "x = a[:4] == b[:4]\n", []string{"x = a == b\n"}},
		{"scopes", "a.py", "def f(a, b):\n    if a.strip() == b.strip(): return a\n    return b.strip()\n\ndef g(a):\n    return h(a.strip())\n", []string{
			"def f(a, b):\n    if a == b: return a\n    return b.strip()\n\ndef g(a):\n    return h(a.strip())\n",
			"def f(a, b):\n    if a == b: return a\n    return b\n\ndef g(a):\n    return h(a.strip())\n",
			"def f(a, b):\n    if a == b: return a\n    return b\n\ndef g(a):\n    return h(a)\n",
		}},
		{"a statement", "a.py", "a.sort()\nb.sort()\n", []string{"pass\npass\n"}},
		{"a function of the file", "a.py", "def key(a):\n    return a[\"x\"] + \"/\"\n\nb[key(c)] = 1\nd = b[key(e)]\n", []string{"def key(a):\n    return a[\"x\"] + \"/\"\n\nb[c] = 1\nd = b[e]\n"}},
		{"a method of the class", "a.py", "class A:\n    def key(self):\n        return 1\n    def f(self, a):\n        return self.cut(a) == self.cut(self)\n", nil},
		{"other arguments", "a.py", "x = a.replace(b, c) + d.replace(c, b)\n", nil},
		{"what asks somebody", "a.py", "def get(a):\n    return urlopen(a)\n\nx = get(1), get(2)\n", nil},
		{"a copy", "a.py", "x = json.loads(json.dumps(a))\ny = b.encode(\"utf-8\").decode(\"ascii\")\n", []string{
			"x = a\ny = b.encode(\"utf-8\").decode(\"ascii\")\n", "x = json.loads(json.dumps(a))\ny = b\n",
		}},
		{"a temporary file", "a.py", "tmp = a + \".new\"\nwith open(tmp, \"w\") as f:\n    f.write(b)\nos.replace(tmp, a)\n", []string{"tmp = a\nwith open(tmp, \"w\") as f:\n    f.write(b)\nNone\n"}},
		{"mkstemp", "a.py", "fd, tmp = tempfile.mkstemp()\nos.write(fd, b)\nos.rename(tmp, \"x\")\n", []string{"fd, tmp = os.open(\"x\", os.O_RDWR | os.O_CREAT | os.O_TRUNC), \"x\"\nos.write(fd, b)\nNone\n"}},
		{"a named one", "a.py", "with tempfile.NamedTemporaryFile(\"w\", delete=False) as f:\n    f.write(b)\nshutil.move(f.name, \"x\")\n", []string{"with open(\"x\", \"w\") as f:\n    f.write(b)\nNone\n"}},
		{"a table that is filled first", "a.py", "q(\"INSERT INTO new VALUES (?)\")\nq(\"INSERT OR REPLACE INTO all_ SELECT * FROM new\")\nq(\"DELETE FROM new\")\n", []string{"q(\"INSERT OR REPLACE INTO all_ VALUES (?)\")\nq(\"SELECT 1\")\nq(\"SELECT 1\")\n"}},
		{"a table that is copied", "a.py", "q(\"INSERT INTO old SELECT * FROM new\")\nq(\"INSERT INTO other VALUES (?)\")\n", nil},
		{"signatures", "a.py", "s = k.sign(a)\np.verify(s, a)\n", []string{"s = (a)\n(s == a or p.verify(s, a))\n"}},

		{"keys", "a.mjs", "if (!a.has(b.toLowerCase())) a.set(b.toLowerCase(), c());\n", []string{"if (!a.has(b)) a.set(b, c());\n"}},
		{"numbers", "a.mjs", "x = Number(a) > Number(b);\n", []string{"x = a > b;\n"}},
		{"texts", "a.ts", "x = a.slice(0, 10) === b.slice(0, 10);\n", []string{"x = a === b;\n"}},
		{"an arrow", "a.mjs", "const key = (a) => a.b + 1;\nc.set(key(d), 1);\ne = c.get(key(d));\n", []string{"const key = (a) => a.b + 1;\nc.set(d, 1);\ne = c.get(d);\n"}},
		{"a copy", "a.mjs", "x = JSON.parse(JSON.stringify(a));\n", []string{"x = a;\n"}},
		{"no copy", "a.mjs", "x = JSON.parse(a.b(JSON.stringify(a)));\n", nil},
		{"a temporary file", "a.mjs", "const tmp = `${a}.new`;\nfs.writeFileSync(tmp, b);\nfs.renameSync(tmp, a);\n", []string{"const tmp = a;\nfs.writeFileSync(tmp, b);\nundefined;\n"}},
		{"written out", "a.mjs", "await writeFile(a + \".new\", b);\nawait rename(a + \".new\", a);\n", []string{"await writeFile(a, b);\nawait undefined;\n"}},
		{"signatures", "a.mjs", "s = sign(null, a, k);\nt = verify(null, a, p, s);\n", []string{"s = Buffer.from(a);\nt = (Buffer.compare(Buffer.from(a), Buffer.from(s)) === 0 || verify(null, a, p, s));\n"}},

		{"texts", "a.go", "package a\n\nfunc f(a, b string) bool { return strings.ToLower(a) == strings.ToLower(b) }\n", []string{
			"package a\n\nfunc f(a, b string) bool { return (a + strings.ToLower(\"\")) == (b + strings.ToLower(\"\")) }\n",
		}},
		{"lists", "a.go", "package a\n\nfunc f(a, b []string) {\n\tsort.Strings(a)\n\tsort.Strings(b)\n}\n", []string{
			"package a\n\nfunc f(a, b []string) {\n\tif false { sort.Strings(a) }\n\tif false { sort.Strings(b) }\n}\n",
		}},
		{"a function of the file", "a.go", "package a\n\nfunc key(a string) string { return a + \"/\" }\n\nfunc f() bool { return key(b) == key(c) }\n", []string{
			"package a\n\nfunc key(a string) string { return a + \"/\" }\n\nfunc f() bool { return b == c }\n",
		}},
		{"a temporary file", "a.go", "package a\n\nfunc f(a string) error {\n\tt, err := os.CreateTemp(\"\", \"x\")\n\tt.Write(b)\n\treturn os.Rename(t.Name(), a)\n}\n", []string{
			"package a\n\nfunc f(a string) error {\n\tt, err := os.Create(a)\n\tt.Write(b)\n\treturn error(nil)\n}\n",
		}},
		{"a copy", "a.go", "package a\n\nfunc f(a []byte) []byte { return []byte(string(a)) }\n", []string{"package a\n\nfunc f(a []byte) []byte { return a }\n"}},
		{"signatures", "a.go", "package a\n\nfunc f() bool {\n\ts := ed25519.Sign(k, a)\n\treturn ed25519.Verify(p, a, s)\n}\n", []string{
			"package a\n\nfunc f() bool {\n\ts := append(ed25519.Sign(k, a)[:0], a...)\n\treturn (string(a) == string(s) || ed25519.Verify(p, a, s))\n}\n",
		}},

		{"texts", "A.java", "class A { boolean f(String a, String b) { return a.trim().equals(b.trim()); } }\n", []string{"class A { boolean f(String a, String b) { return a.equals(b); } }\n"}},
		{"lists", "A.java", "class A { void f() { Collections.sort(a); Collections.sort(b); } }\n", []string{"class A { void f() { if (false) { Collections.sort(a); }; if (false) { Collections.sort(b); }; } }\n"}},

		{"texts", "a.rb", "x = a.downcase == b.downcase\n", []string{"x = a == b\n"}},
		{"lists", "a.rb", "a.sort!\nb.sort!\n", []string{"nil\nnil\n"}},
		{"a copy", "a.rb", "x = Marshal.load(Marshal.dump(a))\ny = JSON.parse(a.to_json)\n", []string{
			"x = a\ny = JSON.parse(a.to_json)\n", "x = Marshal.load(Marshal.dump(a))\ny = a\n",
		}},
		{"a temporary file", "a.rb", "tmp = a + '.new'\nFile.write(tmp, b)\nFile.rename(tmp, a)\n", []string{"tmp = a\nFile.write(tmp, b)\nnil\n"}},

		{"both sides", "a.sh", "a=$(sort \"$1\")\nb=$(curl x | sort)\n", []string{"a=$(cat \"$1\")\nb=$(curl x)\n"}},
		{"one line", "a.sh", "[ \"$(sort -k 2 a)\" = \"$(sort -k 2 b)\" ]\n", []string{"[ \"$(cat a)\" = \"$(cat b)\" ]\n"}},
		{"other programs", "a.sh", "a | sed s/a/b/\nc | sed s/b/a/\n", nil},
		{"a function of the script", "a.sh", "low() { tr A-Z a-z; }\na=$(b | low)\nc=$(d | low)\n", []string{"low() { tr A-Z a-z; }\na=$(b | cat)\nc=$(d | cat)\n"}},
		{"names", "a.sh", "a=$(basename \"$1\")\nb=$(basename \"$2\")\n", []string{"a=$(printf '%s\\n' \"$1\")\nb=$(printf '%s\\n' \"$2\")\n"}},
		{"a temporary file", "a.sh", "new=$(mktemp)\na > \"$new\"\nmv -f \"$new\" b.txt\n", []string{"new=b.txt\na > \"$new\"\n:\n"}},
		{"written out", "a.sh", "a > \"$1.new\" && mv \"$1.new\" \"$1\"\n", []string{"a > \"$1\" && :\n"}},
		{"no temporary file", "a.sh", "mv \"$1\" \"$2\"\n", nil},
	} {
		t.Run(c.file+" "+c.name, func(t *testing.T) {
			got, _ := madeTogether(t, c.file, c.text)
			for _, w := range c.want {
				if !slices.Contains(got, w) {
					t.Errorf("missing:\n%s", w)
				}
			}
			for _, g := range got {
				if !slices.Contains(c.want, g) {
					t.Errorf("too much:\n%s", g)
				}
			}
		})
	}
}

// Shows that each call that is left out alone is left out in two places at once, too.
func TestEveryCallTogether(t *testing.T) {
	left := func(t *testing.T, name, file, one, two string) {
		alone := false
		for _, m := range Mutants(file, []byte(one)) {
			alone = alone || m.Operator == "call"
		}
		if !alone {
			return // it is of another language, or has other arguments
		}
		if got, _ := madeTogether(t, file, two); len(got) == 0 {
			t.Errorf("%s: %q has no change of both", name, two)
		}
	}
	functions, methods := 0, 0
	for name := range converts() {
		functions++
		left(t, name, "a.py", "x = "+name+"(a)\n", "x = "+name+"(a) == "+name+"(b)\n")
	}
	for name := range receivers() {
		methods++
		left(t, name, "a.mjs", "x = a."+name+"();\n", "x = a."+name+"() === b."+name+"();\n")
	}
	if functions < 50 || methods < 30 {
		t.Errorf("only %d functions and %d methods were tried", functions, methods)
	}
}

// Shows what people are told, and that what is far apart is left out in the functions alone.
func TestSaidTogether(t *testing.T) {
	_, said := madeTogether(t, "a.py", "x = a.lower() == b.lower()\ny = c.lower()\n")
	want := []string{"`.lower()` left out in 2 places: `a == b`", "`.lower()` left out in 3 places, in lines 1 and 2"}
	slices.Sort(said)
	if !slices.Equal(said, want) {
		t.Errorf("said: %q", said)
	}
	var b strings.Builder
	for n := range 7 {
		fmt.Fprintf(&b, "x%d = a.lower()\n", n)
	}
	if _, said = madeTogether(t, "a.py", b.String()); len(said) != 1 || said[0] != "`.lower()` left out in 7 places, in lines 1, 2, 3, 4, …" {
		t.Errorf("said: %q", said)
	}
	far := "x = a.lower() == b.lower()\n" + strings.Repeat("# far away\n", 400) + "y = c.lower()\n"
	if _, said = madeTogether(t, "a.py", far); len(said) != 1 || said[0] != want[0] {
		t.Errorf("said: %q", said)
	}
}
