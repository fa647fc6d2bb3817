package program

import (
	"bytes"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// Shows in what two runs differ, and that what is another time anyway is no difference.
func TestDiffers(t *testing.T) {
	a := []feature{{"the status", "0"}, {"line 1 of stdout", "pid 7"}, {"line 2 of stdout", "three orders of Ann's are open since yesterday, all are paid"}, {"the file log", "a"}}
	b := []feature{{"the status", "0"}, {"line 1 of stdout", "pid 8"}, {"line 2 of stdout", a[2].text}, {"the file log", "a"}}
	same := usual(a, b)
	varying := map[string]bool{"line 1 of stdout": true}
	change := func(i int, text string) []feature {
		list := append([]feature(nil), a...)
		list[i].text = text
		return list
	}
	for _, row := range []struct {
		run  []feature
		want string
	}{
		{a, ""},
		{change(1, "pid 9"), ""},
		{change(0, "1"), `the status is "1" (without it "0")`},
		{change(2, strings.Replace(a[2].text, "since yesterday", "since today", 1)), `line 2 of stdout is …"nn's are open since today, all are paid" (without it …"nn's are open since yesterday, all are paid")`},
		{a[:3], `there is no file log (without it "a")`},
		{append(change(0, "0"), feature{"the file new", "x"}), `the file new is "x" (without it there is none)`},
	} {
		if got := differs(same, varying, row.run); got != row.want {
			t.Errorf("%v: %s", row.run, got)
		}
	}
	if got := differs(map[string]string{"the file db": "a\x00b"}, nil, []feature{{"the file db", "a\x00c"}}); got != "the file db is other binary data" {
		t.Errorf("two databases: %s", got)
	}
	if got := excerpt("a\x00b", ""); got != "binary data" {
		t.Errorf("a database: %s", got)
	}
	if got := excerpt(strings.Repeat("é", 300)+"a", strings.Repeat("é", 300)+"b"); got != `…"`+strings.Repeat("é", 10)+`a"` {
		t.Errorf("a long text: %s", got)
	}
}

// Shows how the parts of a file are told that no scenario comes to.
func TestStretches(t *testing.T) {
	of := &Source{Path: "a.py", Shown: "src/a.py"}
	r := &Report{}
	for _, row := range []struct {
		line    int
		verdict Verdict
	}{{9, Unrun}, {1, Killed}, {3, Unrun}, {5, Unrun}, {5, Unrun}, {6, Invalid}, {7, Unseen}, {10, Unrun}, {12, Survived}, {20, Unrun}, {30, ""}} {
		m := &Mutant{Mutant: source.Mutant{Line: row.line, Change: "c"}, Of: of, Verdict: row.verdict}
		if row.verdict == Survived {
			continue // it would need a scenario
		}
		r.Mutants = append(r.Mutants, m)
	}
	var got []string
	for _, s := range r.Stretches() {
		got = append(got, s.String())
	}
	if text := strings.Join(got, " "); text != "src/a.py:3–5 src/a.py:9–20" {
		t.Error(text)
	}
	var b bytes.Buffer
	r.Late = true
	if err := WriteText(&b, r, 0); err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"unseen    src/a.py:7: c\n", "unrun     src/a.py:3–5\n", "not tried    1", "score: 1 of 8, 12.5 % of what was tried\n"} {
		if !strings.Contains(b.String(), line) {
			t.Errorf("no %q in\n%s", line, b.String())
		}
	}
}

// Shows that what changes the shape of a program has a line of its own, beside the other changes of its first line.
func TestShapeStandsAlone(t *testing.T) {
	of := &Source{Path: "a.py", Shown: "a.py"}
	r := &Report{}
	for _, operator := range []string{"number", "compare", shape} {
		r.Mutants = append(r.Mutants, &Mutant{Mutant: source.Mutant{Line: 3, Operator: operator, Change: operator}, Of: of, Verdict: Unseen})
	}
	var b bytes.Buffer
	if err := WriteText(&b, r, 0); err != nil {
		t.Fatal(err)
	}
	if want := "unseen    a.py:3: shape\nunseen    a.py:3: number, compare\n"; !strings.HasPrefix(b.String(), want) {
		t.Errorf("it says\n%s", b.String())
	}
}

// Shows that there is no percentage where more than half of the mutants were not tried.
func TestScoreOfFew(t *testing.T) {
	for _, row := range []struct {
		left int
		want string
	}{
		{0, "score: 4 of 4, 100 %\n"},
		{4, "score: 4 of 4, 100 % of what was tried\n"},
		{17, "score: 4 of 4 tried (17 not tried)\n"},
	} {
		r := &Report{Interrupted: true}
		for i := range 4 + row.left {
			m := &Mutant{Mutant: source.Mutant{Line: i, Change: "c"}, Of: &Source{}}
			if i < 4 {
				m.Verdict = Killed
			}
			r.Mutants = append(r.Mutants, m)
		}
		var b bytes.Buffer
		if err := WriteText(&b, r, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.HasSuffix(b.String(), "\n"+row.want) {
			t.Errorf("%d were not tried:\n%s", row.left, b.String())
		}
	}
}

// Shows that two runs at two times are no difference.
func TestClockless(t *testing.T) {
	for _, row := range [][2]string{
		{"2026/11/29 17:38:25 attempt 1: status 503", "2026/11/29 17:38:26 attempt 1: status 503"},
		{"[2026-11-29T17:38:25.123Z] ok", "[2026-11-29T18:00:00.9Z] ok"},
		{`{"ts":1764437905,"at":1764437905123}`, `{"ts":1764437906,"at":1764437906999}`},
		{"took 12ms, 0.3 s in all", "took 15ms, 1.25 s in all"},
		{"Sun, 29 Nov 2026 17:38:25 GMT", "Sun, 29 Nov 2026 17:38:26 GMT"},
	} {
		if a, b := clockless(row[0]), clockless(row[1]); a != b {
			t.Errorf("%q and %q", a, b)
		}
	}
	for _, text := range []string{"order 17 of 1299 cents", "A-1764", "v1.2.3", "ratio 16:9", "5 sizes"} {
		if got := clockless(text); got != text {
			t.Errorf("%q for %q", got, text)
		}
	}
}
