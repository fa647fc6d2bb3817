package program

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// Shows that what a name is for is left out in all of its places at once, in six languages.
func TestByName(t *testing.T) {
	for _, c := range []struct{ path, text, want string }{
		{
			"a.py", "cache = {}\nfor k in keys:\n    if k in cache:\n        show(cache[k])\n        continue\n    value = fetch(k)\n    cache[k] = value\n    show(value)\n",
			"`if k in cache` never, and in line 4 `show(cache[k])` left out, and in line 7 `cache[k] = value` left out",
		},
		{
			"a.mjs", "const done = new Set();\nfor (const k of keys) {\n  if (done.has(k)) continue;\n  send(k);\n  done.add(k);\n}\n",
			"`if done.has(k)` never, and in line 5 `done.add(k)` left out",
		},
		{
			"a.ts", "let open: number = 0;\nfor (const k of keys) {\n  if (open > 3) break;\n  open += send(k);\n}\n",
			"`if open > 3` never, and in line 4 `open += send(k)` left out",
		},
		{
			"a.go", "package a\n\nfunc f(k string) {\n\tif failures > 2 {\n\t\treturn\n\t}\n\tfailures++\n\tcall(k)\n\tfailures = 0\n}\n",
			"`if failures > 2` never, and in line 7 `failures++` left out, and in line 9 `failures = 0` left out",
		},
		{
			"A.java", "class A { void f(String k) {\n  if (paid.contains(k)) { return; }\n  pay(k);\n  paid.add(k);\n} }\n",
			"`if paid.contains(k)` never, and in line 4 `paid.add(k)` left out",
		},
		{
			"a.rb", "keys.each do |k|\n  next if done.include?(k)\n  send(k)\n  done << k\nend\n",
			"`if done.include?(k)` never, and in line 4 `done << k` left out",
		},
		{
			"a.sh", "if [ -e last.txt ]; then\n  since=$(cat last.txt)\nfi\nload \"$since\"\ndate > last.txt\n",
			"`if [ -e last.txt ]` never, and in line 5 `date > last.txt` left out",
		},
		{
			"b.sh", "mkdir import.lock\necho $$ > import.lock/pid\nload\nrm import.lock/pid\nrmdir import.lock\n",
			"`mkdir import.lock` left out, and in line 2 `echo $$ > import.lock/pid` left out, and in line 4 `rm import.lock/pid` left out, and in line 5 `rmdir import.lock` left out",
		},
		{
			"b.py", "db.execute(\"CREATE TABLE a (id)\")\nfor order in orders:\n    db.execute(\"BEGIN\")\n    try:\n        store(db, order)\n    except OSError:\n        db.execute(\"ROLLBACK\")\n    else:\n        db.execute(\"COMMIT\")\nshow(db)\n",
			"`db.execute(\"BEGIN\")` left out, and in line 7 `db.execute(\"ROLLBACK\")` left out, and in line 9 `db.execute(\"COMMIT\")` left out",
		},
	} {
		_, list := noticed(c.path, c.text)
		s := &suite{options: &Options{}, report: &Report{Mutants: list}}
		var said []string
		for _, m := range s.named() {
			said = append(said, m.Change)
		}
		if !slices.Contains(said, c.want) {
			t.Errorf("%s: there is no %s among\n%s", c.path, c.want, strings.Join(said, "\n"))
		}
	}
}

// Shows that the text of changes at once has each of them, and all that is between.
func TestAtOnce(t *testing.T) {
	of, list := noticed("a.py", "a(one)\nb(two)\nc(one)\nd(two)\ne(one)\n")
	all := namedIn(of, list)
	if len(all) != 2 {
		t.Fatalf("there are %d", len(all))
	}
	if got := string(atOnce(all[0]).Apply(of.Text)); got != "pass\nb(two)\npass\nd(two)\npass\n" {
		t.Errorf("the first makes\n%s", got)
	}
	if got := string(atOnce(all[1]).Apply(of.Text)); got != "a(one)\npass\nc(one)\npass\ne(one)\n" {
		t.Errorf("the second makes\n%s", got)
	}
}

// Shows that there are few, that none is made twice, and that a name that stands everywhere is none.
func TestByNameAreFew(t *testing.T) {
	var b strings.Builder
	for n := range 100 {
		fmt.Fprintf(&b, "open_%d(conn)\nclose_%[1]d(x_%[1]d, y_%[1]d)\nsend_%[1]d(x_%[1]d, y_%[1]d)\n", n)
	}
	_, list := noticed("a.py", b.String())
	s := &suite{options: &Options{}, report: &Report{Mutants: list}}
	s.report.Mutants = append(s.report.Mutants, s.pairs()...)
	paired := map[string]bool{}
	for _, m := range s.report.Mutants {
		if m.Verdict = Killed; m.Parts != nil {
			paired[m.made()] = true
		}
	}
	all := s.named()
	if len(all) != mostByName {
		t.Errorf("there are %d", len(all))
	}
	for _, m := range all {
		if paired[m.made()] {
			t.Errorf("it is tried before: %s", m.Change)
		}
		paired[m.made()] = true
		if len(m.Parts) > mostParts {
			t.Errorf("%d places are changed: %s", len(m.Parts), m.Change)
		}
	}
	s.options.Only = []string{"statement"}
	if n := len(s.named()); n != 0 {
		t.Errorf("there are %d though only statements are tried", n)
	}
}

// Shows that of many changes at once the first four are told one by one, and of the others the lines.
func TestManyAtOnceAreTold(t *testing.T) {
	_, list := noticed("a.py", "a(one)\nb(one)\nc(one)\nd(one)\ne(one)\nf(one)\ng(one); h(one)\n")
	list = slices.DeleteFunc(list, func(m *Mutant) bool { return m.Operator != "statement" })
	four := "`a(one)` left out, and in line 2 `b(one)` left out, and in line 3 `c(one)` left out, and in line 4 `d(one)` left out"
	for n, want := range map[int]string{
		4: four,
		5: four + ", and in line 5 `e(one)` left out",
		6: four + ", and 2 more in lines 5 and 6",
		8: four + ", and 4 more in lines 5, 6 and 7",
	} {
		if got := atOnce(list[:n]).Change; got != want {
			t.Errorf("of %d:\n%s\nand not\n%s", n, got, want)
		}
	}
}
