package source

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Checks what holds for every mutant of any text: it changes one place, the text is
// another one, its line is right, and what it says fits on a line.
func sound(t *testing.T, name string, text []byte) []Mutant {
	t.Helper()
	before := bytes.Clone(text)
	all := Mutants(name, text)
	operators := map[string]bool{}
	for _, o := range Operators() {
		operators[o.Name] = true
	}
	seen := map[string]bool{}
	for _, m := range all {
		key := fmt.Sprintf("%d %d %q", m.From, m.To, m.Text)
		switch {
		case m.From < 0 || m.To < m.From || m.To > len(text):
			t.Fatalf("%s: %+v is not in the text", name, m)
		case m.From == m.To && m.Text == "":
			t.Errorf("%s: %+v changes nothing", name, m)
		case !operators[m.Operator]:
			t.Errorf("%s: %+v is of no operator", name, m)
		case m.Line != 1+bytes.Count(text[:m.From], []byte("\n")):
			t.Errorf("%s: %+v: the line is wrong", name, m)
		case utf8.RuneCountInString(m.Change) > 80 || m.Change == "" || strings.ContainsAny(m.Change, "\n\r\t") || !utf8.ValidString(m.Change):
			t.Errorf("%s: %q is no line of at most 80 characters", name, m.Change)
		case seen[key]:
			t.Errorf("%s: %+v is there twice", name, m)
		}
		seen[key] = true
		got := m.Apply(text)
		want := string(text[:m.From]) + m.Text + string(text[m.To:])
		if string(got) != want || bytes.Equal(got, text) {
			t.Errorf("%s: %+v makes %q", name, m, got)
		}
	}
	if !bytes.Equal(before, text) {
		t.Errorf("%s: the text itself was changed", name)
	}
	return all
}

// listed is a mutant as tests write it down.
func listed(all []Mutant) []string {
	var lines []string
	for _, m := range all {
		lines = append(lines, fmt.Sprintf("%s %d %s", m.Operator, m.Line, m.Change))
	}
	return lines
}

// Shows that a list of mutants is the one that was written down, and names what is
// missing and what is too much.
func compareLists(t *testing.T, got []string, want string) {
	t.Helper()
	expected := strings.Split(strings.Trim(want, "\n"), "\n")
	if strings.TrimSpace(want) == "" {
		expected = nil
	}
	for i := range expected {
		expected[i] = strings.TrimSpace(expected[i])
	}
	for _, e := range expected {
		if !slices.Contains(got, e) {
			t.Errorf("missing: %s", e)
		}
	}
	for _, g := range got {
		if !slices.Contains(expected, g) {
			t.Errorf("too much: %s", g)
		}
	}
	if !t.Failed() && !slices.Equal(got, expected) {
		t.Errorf("the order is another one:\n%s", strings.Join(got, "\n"))
	}
}

// Shows that a language is known by the end of a name, and by the first line where a
// name has none.
func TestKnown(t *testing.T) {
	for _, c := range []struct {
		name, text string
		want       bool
	}{
		{"app.py", "", true},
		{"a/b/App.PY", "", true},
		{"app.mjs", "", true},
		{"app.ts", "", true},
		{"main.go", "", true},
		{"Main.java", "", true},
		{"app.rb", "", true},
		{"run.sh", "", true},
		{"run", "#!/bin/sh\n", true},
		{"run", "#!/usr/bin/env python3\n", true},
		{"run", "#!/usr/bin/env -S node --no-warnings\n", true},
		{"run", "#! /usr/bin/python3.11 -u\n", true},
		{"run", "echo\n", false},
		{"run", "#!/usr/bin/perl\n", false},
		{"run", "#!/usr/bin/env\n", false},
		{"notes.txt", "#!/bin/sh\n", false},
		{"data.json", "{}", false},
		{"", "", false},
	} {
		if got := Known(c.name, []byte(c.text)); got != c.want {
			t.Errorf("%s %q: known is %v", c.name, c.text, got)
		}
	}
}

// Shows that there is nothing for what is too large, and for what does not match.
func TestNoMutants(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"app.txt", "x = 1"},
		{"app.py", strings.Repeat("x = x + 1\n", limit/10+1)},
		{"app.py", "x = (1"},
		{"app.py", "x = 1)"},
		{"app.py", "x = 'a"},
		{"app.py", "x = \"\"\"a"},
		{"app.py", "x = f'{a"},
		{"app.py", "x = f'{a:"},
		{"app.js", "x = `a${b`"},
		{"app.js", "/* x = 1"},
		{"main.go", "var x = `a"},
		{"app.py", ""},
	} {
		if got := Mutants(c.name, []byte(c.text)); got != nil {
			t.Errorf("%s %.40q: %d mutants, such as %+v", c.name, c.text, len(got), got[0])
		}
	}
}

// Shows that the page of the package names each of its files once, and each operator.
func TestFilesAreNamed(t *testing.T) {
	doc, err := os.ReadFile("doc.go")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, word := range strings.FieldsFunc(string(doc), func(c rune) bool { return strings.ContainsRune(" ,;:\t\n", c) }) {
		count[word]++
	}
	for _, name := range files {
		if n := count[name]; name != "doc.go" && !strings.HasSuffix(name, "_test.go") && n != 1 {
			t.Errorf("doc.go names %s %d times, want once", name, n)
		}
	}
	made := map[string]bool{}
	for line := range strings.Lines(string(doc)) {
		if row, is := strings.CutPrefix(line, "//\t"); is {
			operators, _, _ := strings.Cut(row, "   ")
			for _, o := range strings.Split(operators, ", ") {
				made[o] = true
			}
		}
	}
	for _, o := range Operators() {
		if !made[o.Name] {
			t.Errorf("doc.go does not say where the operator %s is made", o.Name)
		}
	}
}
