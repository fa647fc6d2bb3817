package program

import (
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows which commands have code in them.
func TestCoded(t *testing.T) {
	for _, row := range [][2]string{
		{"python3 app.py -c", ""},
		{"python3 -c print()", "python3 -c"},
		{"/usr/bin/env python3 -u -c print()", "python3 -c"},
		{"sh -ec true", "sh -ec"},
		{"sh run.sh", ""},
		{"node app.mjs --eval", ""},
		{"node --no-warnings -e x()", "node -e"},
		{"bin/agent -c conf", ""},
		{"awk {print} a", "awk"},
		{"awk -f sum.awk a", ""},
		{"jq --from-file a.jq", ""},
		{"jq .a", "jq"},
		{"", ""},
		{"sh", ""},
		{"npx tsx app.ts", ""},
	} {
		if got := coded(strings.Fields(row[0])); got != row[1] {
			t.Errorf("%s: %q", row[0], got)
		}
	}
}

// Shows why nothing in a file is changed.
func TestNot(t *testing.T) {
	for _, row := range []struct{ name, text, want string }{
		{"app.py", "x = 1\n", ""},
		{"app.py", "", ""},
		{"app.py", "import os\n", ""},
		{"app.py", "x = (1\n", noMatch},
		{"app.go", "package a\n", ""},
		{"A.java", "package a;\n", ""},
		{"a.rb", "require 'a'\n", ""},
		{"a.mjs", "import './b.mjs'\n", ""},
		{"a.ts", "", ""},
		{"a.js", "export default () => <p>it's {x}</p>\n", jsx},
		{"app.py", strings.Repeat("x = 1\n", 50_000), tooLarge},
	} {
		if got := illegible(row.name, []byte(row.text)); got != row.want {
			t.Errorf("%s %.20q: %q and not %q", row.name, row.text, got, row.want)
		}
	}
	for _, row := range []struct{ name, text, want string }{
		{"app.jsx", "", jsx}, {"app.rs", "", "Rust is not read"}, {"run", "#!/usr/bin/env perl\n", "a program of perl is not read"}, {"run", "#!/bin/sh\n", ""}, {"rules.json", "", ""}, {"hosts", "a\n", ""},
	} {
		if got := unknown(row.name, []byte(row.text)); got != row.want {
			t.Errorf("%s: %q and not %q", row.name, got, row.want)
		}
	}
}

// Shows which files of data the source names.
func TestNamed(t *testing.T) {
	for _, row := range []struct {
		rel, code, word string
		want            string
	}{
		{"conf/rules.json", `open("conf/rules.json")`, "", "told"},
		{"rules.json", `open("my-rules.json")`, "", ""},
		{"rules.json", `load("rules") + ".json"`, "", "quiet"},
		{"rules.json", `import rules from "./rules"`, "", "quiet"},
		{"rules.json", `rules = []`, "", ""},
		{"prompts/de.txt", `open(f"prompts/{lang}.txt")`, "", "quiet"},
		{"prompts/de.txt", `open("de.md")`, "", ""},
		{"app.yaml", "", `command = ["python3", "app.py", "--config", "app.yaml"]`, "quiet"},
		{".env", `from dotenv import load_dotenv`, "", "quiet"},
	} {
		got := ""
		for _, f := range named([]Source{{Path: row.rel}}, []Source{{Text: []byte(row.code)}}, []string{row.word}) {
			if got = "told"; f.Quiet {
				got = "quiet"
			}
		}
		if got != row.want {
			t.Errorf("%s of %s%s: %q", row.rel, row.code, row.word, got)
		}
	}
}

// Shows how several changes of one line are told of.
func TestChangesOfALine(t *testing.T) {
	code, rules := &Source{Shown: "a.py"}, &Source{Shown: "rules.json", Data: true}
	for _, row := range []struct {
		of      *Source
		changes [][2]string
		want    string
	}{
		{code, [][2]string{{"condition", "`if failures >= 3` never"}}, "a.py:5: `if failures >= 3` never"},
		{
			code,
			[][2]string{{"condition", "`if failures >= 3` never"}, {"condition", "`if failures >= 3` always"}, {"compare", "`failures >= 3` → `failures > 3`"}, {"number", "`3` → `4`"}},
			"a.py:5: `if failures >= 3` never, `>=` → `>`, `3` → `4`, and 1 other change",
		},
		{
			code,
			[][2]string{{"condition", "without `p`"}, {"condition", "without `typeof value === properties.type`"}, {"condition", "without `q`"}, {"condition", "without `r`"}, {"condition", "without `s`"}},
			"a.py:5: without `p`, without `typeof value === properties…`, without `q`, and 2 other changes",
		},
		{code, [][2]string{{"text", "`\"a b\"` → `\"\"`"}, {"argument", "`a: `x`` left out"}, {"number", "`f(a, 1)` → `f(b, 1)`"}}, "a.py:5: `\"a b\"` → `\"\"`, `a: `x`` left out, `a` → `b`"},
		{
			rules,
			[][2]string{{"data", "`[0].parameters.properties.cents.maximum 5000` left out"}, {"data", "`[0].parameters.properties.cents.maximum 5000` → `5001`"}},
			"rules.json:5: `[0].parameters.properties.cents.maximum 5000` left out, `…operties.cents.maximum 5000` → `5001`",
		},
	} {
		r := &Report{}
		for _, c := range row.changes {
			r.Mutants = append(r.Mutants, &Mutant{Mutant: source.Mutant{Operator: c[0], Line: 5, Change: c[1]}, Of: row.of, Verdict: Unseen})
		}
		if list := r.unnoticed(); len(list) != 1 || list[0].String() != row.want {
			t.Errorf("%s\nand not\n%s", list[0], row.want)
		}
	}
}

// Shows that what a build has made stays where a run leaves it as it is, and that all else is as it was.
func TestRevert(t *testing.T) {
	for _, row := range []struct {
		ran  map[string]string // what the run writes; "" is removed
		kept bool
		want string
	}{
		{map[string]string{"out.txt": "1", "deep/er/a": "2", "__pycache__/b.pyc": "3"}, true, "deep/er/a out.txt"},
		{map[string]string{"data.txt": "other"}, true, "data.txt"},
		{map[string]string{"data.txt": ""}, true, "data.txt (gone)"},
		{map[string]string{"made.bin": "longer", "out.txt": "1"}, false, "made.bin out.txt"},
		{map[string]string{"made.bin": ""}, false, ""},
		{map[string]string{"app.sh": "longer than it was"}, false, "app.sh"},
		{nil, true, ""},
	} {
		of, at := t.TempDir(), t.TempDir()
		lay(t, of, map[string]string{"app.sh": "1", "data.txt": "x", "sub/a": "y"})
		tr, err := copyTree(of, at, never)
		if err != nil {
			t.Fatal(err)
		}
		lay(t, at, map[string]string{"app.sh": "changed", "made.bin": "z", "obj/a.o": "z"})
		before, err := tr.now()
		if err != nil {
			t.Fatal(err)
		}
		first := laid(t, at)
		for name, text := range row.ran {
			if text != "" {
				lay(t, at, map[string]string{name: text})
			} else if err := os.Remove(filepath.Join(at, name)); err != nil {
				t.Fatal(err)
			}
		}
		list, kept, err := tr.revert(before)
		if err != nil || kept != row.kept {
			t.Fatalf("%v: kept %v, %v", row.ran, kept, err)
		}
		var names []string
		for _, w := range list {
			if w.gone {
				w.path += " (gone)"
			}
			names = append(names, w.path)
		}
		if got := strings.Join(names, " "); got != row.want {
			t.Errorf("%v: written %q and not %q", row.ran, got, row.want)
		}
		if !row.kept {
			first = laid(t, of)
		}
		if got := laid(t, at); !maps.Equal(got, first) {
			t.Errorf("%v: %v and not %v", row.ran, got, first)
		}
	}
}

// Shows after how long a run is ended.
func TestLimit(t *testing.T) {
	for _, row := range [][2]time.Duration{
		{0, 2000}, {100, 2000}, {300, 3000}, {500, 5000}, {600, 5600}, {2200, 7200}, {10_000, 30_000},
	} {
		if got := (&subject{took: row[0] * time.Millisecond}).limit(); got != row[1]*time.Millisecond {
			t.Errorf("%v: %v", row[0]*time.Millisecond, got)
		}
	}
}
