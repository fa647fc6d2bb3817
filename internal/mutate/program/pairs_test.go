package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// noticed are the mutants of a file, as if a scenario were red with each of them.
func noticed(path, text string) (*Source, []*Mutant) {
	of := &Source{Path: path, Shown: path, Text: []byte(text)}
	var list []*Mutant
	for _, m := range source.Mutants(path, of.Text) {
		list = append(list, &Mutant{Mutant: m, Of: of, Verdict: Killed})
	}
	return of, list
}

// Shows which pairs of a file are tried first, in six languages: those of what undoes each other.
func TestPairs(t *testing.T) {
	for _, c := range []struct{ path, text, want, change string }{
		{
			"a.py", "os.mkdir(\"import.lock\")\nload(a)\nstore(a)\nos.rmdir(\"import.lock\")\nload(b)\n", "pass\nload(a)\nstore(a)\npass\nload(b)\n",
			"`os.mkdir(\"import.lock\")` left out, and in line 4 `os.rmdir(\"import.lock\")` left out",
		},
		{"a.mjs", "events.subscribe(\"paid\", a);\nsend(a);\nevents.unsubscribe(\"paid\", a);\n", ";\nsend(a);\n;\n", ""},
		{"a.ts", "stack.push(one);\nvisit(one);\nstack.pop();\n", ";\nvisit(one);\n;\n", ""},
		{"a.go", "package a\n\nfunc f() {\n\tdb.Begin()\n\tsave(one)\n\tdb.Commit()\n}\n", "package a\n\nfunc f() {\n\tif false { db.Begin() }\n\tsave(one)\n\tif false { db.Commit() }\n}\n", ""},
		{"A.java", "class A { void f() { list.add(one); visit(two); list.remove(one); } }\n", "class A { void f() { if (false) { list.add(one); }; visit(two); if (false) { list.remove(one); }; } }\n", ""},
		{"a.rb", "queue.push(one)\nvisit(two)\nqueue.pop()\n", "nil\nvisit(two)\nnil\n", ""},
		{"a.sh", "mkdir import.lock\nload a\nrmdir import.lock\n", ":\nload a\n:\n", ""},
	} {
		of, list := noticed(c.path, c.text)
		var first string
		for range 5 { // in the same order in each run
			s := &suite{options: &Options{}, report: &Report{Mutants: list}}
			all := s.pairs()
			if len(all) == 0 {
				t.Errorf("%s: there are no pairs", c.path)
				break
			}
			if got := string(all[0].Apply(of.Text)); got != c.want || c.change != "" && all[0].Change != c.change {
				t.Errorf("%s: the first pair makes\n%s%s", c.path, got, all[0].Change)
			}
			var b strings.Builder
			for _, m := range all {
				b.WriteString(m.Change + "\n")
			}
			if first == "" {
				first = b.String()
			} else if first != b.String() {
				t.Errorf("%s: other pairs:\n%s\n%s", c.path, first, b.String())
			}
		}
	}
}

// Shows that there are few pairs, and that none has a change that no scenario noticed, prints, or is of another file.
func TestPairsAreFew(t *testing.T) {
	var b strings.Builder
	for n := range 200 {
		fmt.Fprintf(&b, "dir%d.mkdir()\ndir%d.rmdir()\n", n, n)
	}
	_, list := noticed("a.py", b.String())
	s := &suite{options: &Options{}, report: &Report{Mutants: list}}
	said := func() (list []string) {
		for _, m := range s.pairs() {
			list = append(list, m.Change)
		}
		return list
	}
	first := said()
	if n := len(first); n != mostPairs {
		t.Errorf("there are %d pairs", n)
	}
	if again := said(); !slices.Equal(first, again) { // which are alike in all but their places
		t.Errorf("there are other pairs: %q and %q", first, again)
	}
	s.options.Only = []string{"statement"}
	if n := len(s.pairs()); n != 0 {
		t.Errorf("there are %d pairs though only statements are tried", n)
	}
	_, list = noticed("a.py", "x = sorted(a) == sorted(b)\n")
	s = &suite{options: &Options{}, report: &Report{Mutants: list}}
	for _, m := range s.pairs() {
		if string(m.Apply(m.Of.Text)) == "x = a == b\n" {
			t.Errorf("it is tried again: %s", m.Change)
		}
	}
	_, list = noticed("a.py", "mark(\"x.lock\")\nprint(\"x.lock\")\n")
	s = &suite{options: &Options{}, report: &Report{Mutants: list}}
	for _, m := range s.pairs() {
		if m.Parts[1].Operator == "statement" {
			t.Errorf("what is printed is left out: %s", m.Change)
		}
	}
	_, list = noticed("a.py", "mark(\"x.lock\")\nunmark(\"x.lock\")\n")
	for _, m := range list {
		if m.Line == 2 {
			m.Verdict = Unseen
		}
	}
	s = &suite{options: &Options{}, report: &Report{Mutants: list}}
	if n := len(s.pairs()); n != 0 {
		t.Errorf("there are %d pairs with what is unseen", n)
	}
}

// Shows that what stands at the end of a file of 2,000 lines is tried together as well: conditions are tried first, and
// there are many of them.
func TestPairsOfManyLines(t *testing.T) {
	var b strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&b, "if a%d:\n    print(1)\n", n)
	}
	b.WriteString("os.mkdir(\"import.lock\")\nprint(2)\nos.rmdir(\"import.lock\")\n")
	_, list := noticed("a.py", b.String())
	s := &suite{options: &Options{}, report: &Report{Mutants: inTurn(list, nil)}}
	want := "`os.mkdir(\"import.lock\")` left out, and in line 2003 `os.rmdir(\"import.lock\")` left out"
	if all := s.pairs(); len(all) != 1 || all[0].Change != want {
		t.Errorf("there are %d pairs, of which the first should be %s", len(all), want)
	}
	if all := s.named(); len(all) != 1 || all[0].Change != want {
		t.Errorf("there are %d changes by name, of which the first should be %s", len(all), want)
	}
}

// Shows that a pair crashes in its own lines alone, also where the first change has fewer lines than what it replaces.
func TestPairsCrash(t *testing.T) {
	_, list := noticed("a.py", "lock.acquire(\n    1,\n)\nuse(\n    2)\nlock.release()\n")
	i := slices.IndexFunc(list, func(m *Mutant) bool { return m.Operator == "statement" && m.Line == 1 })
	k := slices.IndexFunc(list, func(m *Mutant) bool { return m.Operator == "statement" && m.Line == 6 })
	m := couple{a: &leaving{Mutant: list[i]}, b: &leaving{Mutant: list[k]}}.both()
	for line, want := range map[int]bool{1: true, 2: false, 3: false, 4: true, 6: false} {
		if got := m.crashes(&ending{file: "a.py", line: line, kind: "TypeError"}); got != want {
			t.Errorf("an error in line %d: %v", line, got)
		}
	}
}

// Shows that a call that is left out in several places crashes in the lines of these alone, and not in what stands
// between them.
func TestGroupsCrash(t *testing.T) {
	_, list := noticed("a.py", "a = int(x)\nb = use(a)\nc = int(y)\n")
	i := slices.IndexFunc(list, func(m *Mutant) bool { return m.Operator == together })
	if i < 0 {
		t.Fatal("nothing is left out in two places")
	}
	for line, want := range map[int]bool{1: true, 2: false, 3: true, 4: false} {
		if got := list[i].crashes(&ending{file: "a.py", line: line, kind: "NameError"}); got != want {
			t.Errorf("an error in line %d: %v", line, got)
		}
	}
}

// Shows of which words a part of a program is: those that begin or end a name, whatever its letters are.
func TestDoes(t *testing.T) {
	if len(opposites) > 64 {
		t.Errorf("there are %d opposites, and 64 bits for them", len(opposites))
	}
	for _, c := range []struct {
		code, word string
		want       bool
	}{
		{"os.mkdir(a)", "mkdir", true},
		{"fs.mkdirSync(a)", "mkdir", true},
		{"db.execute(\"BEGIN\")", "begin", true},
		{"mu.RLock()", "lock", true},
		{"mu.Unlock()", "lock", false},
		{"mu.unlock()", "unlock", true},
		{"since = a", "inc", false},
		{"hits.inc()", "inc", true},
		{"address(a)", "add", false},
		{"json(a)", "on(", false},
		{"bus.on(a)", "on(", true},
		{"offset = 1", "set", false},
		{"a += 1", "+=", true},
		{"addEventListener(a)", "addeventlistener", true},
		{"", "add", false},
		{"ä.add", "add", true},
	} {
		if got := does(c.code, c.word); got != c.want {
			t.Errorf("%q has %q: %v", c.code, c.word, got)
		}
	}
}
