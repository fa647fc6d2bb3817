package program

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/mutate/source"
)

// changesOf are the mutants of a text, each as the source makes it.
func changesOf(name, text string) (list []*Mutant) {
	of := &Source{Path: name, Shown: name, Text: []byte(text)}
	for _, m := range source.Mutants(name, of.Text) {
		list = append(list, &Mutant{Mutant: m, Of: of})
	}
	return list
}

// Shows which changes are those that every program has: of fields that say how a body is written, and of numbers of
// time-outs.
func TestNoisy(t *testing.T) {
	for _, c := range []struct {
		name, text string
		noisy, not []string
	}{
		{"app.py", "ask(url, body, {\"Content-Type\": \"application/json\", \"Authorization\": token}, timeout=5 * slow)\n", []string{`"Content-Type": "application/json"`, `"application/json"`, `5`}, []string{`"Authorization": token`, `timeout=5 * slow`}},
		{"app.mjs", "await fetch(url, { headers: { \"User-Agent\": \"agent/1\", \"Idempotency-Key\": key }, retries: 3 });\n", []string{`"User-Agent": "agent/1"`}, []string{`"Idempotency-Key": key`, `headers: { "User-Agent": "agent/1", "Idempotency-Key": key }`, `3`}},
		{"one.mjs", "await fetch(url, { headers: { \"Accept\": \"text/plain\" }, method: \"PUT\" });\n", []string{`headers: { "Accept": "text/plain" }`}, []string{`method: "PUT"`}},
	} {
		noisy := map[string]bool{}
		for _, m := range changesOf(c.name, c.text) {
			text := strings.Trim(string(m.Of.Text[m.From:m.To]), ", ")
			noisy[text] = noisy[text] || m.noisy()
		}
		for _, want := range c.noisy {
			if is, known := noisy[want]; !is || !known {
				t.Errorf("%s: %s is not noisy (a change: %v)", c.name, want, known)
			}
		}
		for _, not := range c.not {
			if is, known := noisy[not]; is || !known {
				t.Errorf("%s: %s is noisy (a change: %v)", c.name, not, known)
			}
		}
	}
}

// Shows that each line has its first change before any has its second, and that what is noisy comes last.
func TestInTurn(t *testing.T) {
	list := inTurn(changesOf("app.py", "import a\n\ndef f(x):\n    if x < 3 and a.b(x):\n        a.c(x)\n    a.ask(x, {\"Accept\": \"text/plain\"}, timeout=5)\n    return x + 1\n"), nil)
	first := map[int]bool{}
	second := false
	for _, m := range list {
		if first[m.Line] {
			second = true
		} else if second && !m.noisy() {
			t.Errorf("line %d has its first change after another one had its second", m.Line)
		}
		first[m.Line] = true
	}
	if i := slices.IndexFunc(list, (*Mutant).noisy); i < 0 || slices.ContainsFunc(list[i:], func(m *Mutant) bool { return !m.noisy() }) {
		t.Error("what is noisy is not last")
	}
	if len(list) == 0 || list[0].Operator != "condition" {
		t.Error("a condition is not first")
	}
}

// Shows that a field of a header is only what a run differs in where nothing else differs.
func TestFieldAlone(t *testing.T) {
	const kind, key = "the header field content-type of request 1 of bank", "the header field authorization of request 1 of bank"
	of := map[string]string{kind: "application/json", key: "Bearer x"}
	for _, c := range []struct {
		name, want string
		run        []feature
	}{
		{"another one", "Content-Type", []feature{{kind, "text/plain"}, {key, "Bearer x"}}},
		{"none", "Content-Type", []feature{{key, "Bearer x"}}},
		{"and a field that matters", "", []feature{{kind, "text/plain"}}},
		{"and the output", "", []feature{{kind, "text/plain"}, {key, "Bearer x"}, {"line 1 of stdout", "x"}}},
		{"the same", "", []feature{{kind, "application/json"}, {key, "Bearer x"}}},
	} {
		if got := fieldAlone(of, nil, c.run); got != c.want {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}

// Shows that the lines of such a field are one, and that conditions and statements are listed before others.
func TestListed(t *testing.T) {
	of := &Source{Path: "app.py", Shown: "app.py", Text: []byte("a\nb\nc\nd\ne\n")}
	mutant := func(line int, operator, field string) *Mutant {
		m := &Mutant{Mutant: source.Mutant{Operator: operator, Line: line, Change: operator + " in `x`"}, Of: of, Verdict: Unseen, field: field}
		if field != "" {
			m.Verdict = Survived
		}
		return m
	}
	var b bytes.Buffer
	r := &Report{Mutants: []*Mutant{mutant(1, "number", ""), mutant(2, "argument", "Content-Type"), mutant(3, "argument", "Content-Type"), mutant(3, "text", "Content-Type"), mutant(4, "text", "Accept"), mutant(5, "statement", "")}}
	if err := WriteText(&b, r, 0); err != nil {
		t.Fatal(err)
	}
	const want = "unseen    app.py:5: statement in `x`\nunseen    app.py:1: number in `x`\nsurvived  app.py:4: Accept is read by no check\nsurvived  app.py: Content-Type is read by no check (2 lines)\n\n"
	if !strings.HasPrefix(b.String(), want) || !strings.Contains(b.String(), "survived     4\n") {
		t.Errorf("listed:\n%s", b.String())
	}
}

// Shows that changes which look like a secret when they are cut are shown without their texts.
func TestWithout(t *testing.T) {
	hides := func(text string) string { return strings.ReplaceAll(text, "Bearer", "<REDACTED>") }
	for changes, want := range map[string]string{
		"`a: \"Bearer \" + b, 'c…` left out, `\"d\"` → `\"\"`": "`a: … + b, …` left out, `…` → `…`",
		"`f(\"Bearer\\\"x\", y)` left out":                     "`f(…, y)` left out",
		"`f(\"x\")` left out":                                  "`f(\"x\")` left out",
	} {
		if got := Without(changes, hides, "other"); got != want {
			t.Errorf("%s is %s", changes, got)
		}
	}
}
