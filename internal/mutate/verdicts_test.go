package mutate

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/explore"
	"github.com/scenario-lang/scenario/interp"
)

// judged is a world in which mutants of every verdict are made.
const judged = provided + `
retry "linear" "r" {
  delay       = "1s"
  max_retries = 2
}
retry "linear" "unused" { max_retries = 2 }
workflow "w" {
  provider = provider.api
  step "http" "a" {
    path    = "/"
    retry   = retry.r
    timeout = "30s"
  }
  step "http" "b" {
    path        = "/"
    when        = step.a.status_code == 200
    fallback    = step.c
    fallback_on = "any"
  }
  step "value" "c" { value = 1 }
}
scenario "one" {
  run = workflow.w
  on "a" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  on "b" {
    reply {}
  }
  expect "a" { retries = 1 }
  assert "c stands in for b" { condition = step.b.replaced_by == null }
}
scenario "two" {
  run = workflow.w
  on "a" {
    fault "http_error" {
      status_code = 503
      times       = "*"
    }
  }
  on "b" {
    reply { optional = true }
  }
  expect "run" { status = "failed" }
}
`

// verdicts are those of mutants, by what is changed.
func verdicts(r *Report) []string {
	var list []string
	for _, m := range r.Mutants {
		text := fmt.Sprintf("%s %s: %s", m.Declaration, m.Change, m.Verdict)
		if m.By != nil {
			text += fmt.Sprintf(" %q", m.By.Name)
		}
		if m.Check != "" {
			text += " by " + m.Check
		}
		list = append(list, text)
	}
	return list
}

// Shows each verdict, worked out by hand: which scenario and which check is red; what
// differs without a check that fails; what only faults show, and which; what differs
// under no fault; what no scenario reads.
func TestVerdicts(t *testing.T) {
	texts := map[string]string{"a.scenario.hcl": judged}
	r := mutated(t, texts, "", Options{K: 2, Runs: 500, Only: []string{"retry", "retries", "retry_after", "deadline", "when", "fallback"}})
	want := []string{
		`step.a retry retry.r dropped: killed "one" by run unexpected_failure`,
		`retry.r max_retries 2 → 1: survived "two"`,
		`retry.r max_retries 2 → 3: survived "two"`,
		`retry.unused max_retries 2 → 1: unread`,
		`retry.unused max_retries 2 → 3: unread`,
		`retry.r respect_retry_after true → false: unseen "one"`,
		`retry.unused respect_retry_after true → false: unread`,
		`step.b fallback step.c dropped: survived "one"`, // c is a step like any other then
		`step.a timeout "30s" dropped: unseen "one"`,
		`step.a timeout "30s" → "1m0s": unseen "one"`,
		`step.b when step.a.status_code == 200 → always: equivalent`, // no fault gives another good status
	}
	got := verdicts(r)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// A mutant that does not compile says why.
func TestInvalid(t *testing.T) {
	world := provided + `
breaker "b" {}
gateway "g" {
  target "one" {
    provider = provider.api
    breaker  = breaker.b
  }
}
workflow "w" {
  gateway = gateway.g
  step "http" "a" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply {}
  }
  expect "a" { status_code = 200 }
  assert "closed" { condition = breaker.one.state == "closed" }
}
`
	r := mutated(t, map[string]string{"a.scenario.hcl": world}, "", Options{Only: []string{"breaker"}})
	if i := slices.IndexFunc(r.Mutants, func(m *Mutant) bool { return m.Verdict == Invalid }); i < 0 || !strings.Contains(r.Mutants[i].Why, "breaker") {
		t.Errorf("got %q", verdicts(r))
	}
	if killed, of := r.Score(); killed != 0 || of != len(r.Mutants)-r.Count(Invalid) {
		t.Errorf("score %d of %d", killed, of)
	}
}

// A declaration of an imported file is read by the scenarios of every file that imports
// it, and only by those that use it; the mutant is one, whichever of them kills it.
func TestImportedDeclarations(t *testing.T) {
	world := provided + `
retry "linear" "r" { max_retries = 1 }
workflow "w" {
  provider = provider.api
  step "http" "a" {
    path  = "/"
    retry = retry.r
  }
}
`
	head := "import = [\"./world.scenario.hcl\"]\n"
	weak := head + `
scenario "weak" {
  run = workflow.w
  on "a" {
    reply {}
  }
  expect "a" { status = "success" }
}
workflow "other" {
  step "value" "v" { value = 1 }
}
scenario "of another workflow" {
  run = workflow.other
  expect "v" { output = 1 }
}
`
	strong := head + `
scenario "strong" {
  run = workflow.w
  on "a" {
    fault "http_error" { status_code = 503 }
    reply {}
  }
  expect "a" { status = "success" }
}
`
	texts := map[string]string{"world.scenario.hcl": world, "a.scenario.hcl": weak, "b.scenario.hcl": strong}
	r := mutated(t, texts, "", Options{Only: []string{"retry"}})
	want := []string{`step.a retry retry.r dropped: killed "strong" by run unexpected_failure`}
	if got := verdicts(r); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if r.Mutants[0].File != "world.scenario.hcl" || r.Mutants[0].By.File != "b.scenario.hcl" {
		t.Errorf("of %s, by %s", r.Mutants[0].File, r.Mutants[0].By.File)
	}
	delete(texts, "b.scenario.hcl")
	if got := verdicts(mutated(t, texts, "", Options{Only: []string{"retry"}})); !slices.Equal(got, []string{"step.a retry retry.r dropped: unseen"}) {
		t.Errorf("without the strong one: %q", got)
	}
}

// What a set of faults is said to show differs under that set, and not without it, with
// runs that the test makes itself.
func TestUnseenIsShown(t *testing.T) {
	texts := map[string]string{"a.scenario.hcl": judged}
	r := mutated(t, texts, "", Options{K: 2, Runs: 5000, Only: []string{"retry_after", "deadline"}})
	shown := 0
	for _, m := range r.Mutants {
		if m.Verdict != Unseen {
			continue
		}
		shown++
		f := compilerOf(texts)("a.scenario.hcl", map[string][]byte{"a.scenario.hcl": m.Text()})
		i := slices.IndexFunc(f.Plans, func(p *interp.Plan) bool { return p.Name == m.By.Name })
		run := func(p *interp.Plan, set explore.Set) string {
			o := interp.RunOptions{EventLimit: 5000, Inject: set.Injector()}
			var b strings.Builder
			for _, e := range interp.Run(p, o).Events {
				fmt.Fprintln(&b, e.At, e.Type, e.Step, e.Attempt, e.Text("outcome"), e.Text("status"))
			}
			return b.String()
		}
		if run(m.By, m.Shown) == run(f.Plans[i], m.Shown) {
			t.Errorf("%s %s: equal under %s", m.Declaration, m.Change, m.Shown)
		}
		if run(m.By, nil) != run(f.Plans[i], nil) {
			t.Errorf("%s %s: differs under no fault", m.Declaration, m.Change)
		}
	}
	if shown < 3 {
		t.Errorf("%d are shown, want 3 or more", shown)
	}
}

// The assertions that are printed for survivors kill them: put into the scenario by
// hand, they hold of the program, and each fails for its mutant.
func TestAssertionsKill(t *testing.T) {
	world, err := os.ReadFile("testdata/operators.txtar")
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, section := range strings.Split(string(world), "\n-- ")[1:] {
		name, text, _ := strings.Cut(section, " --\n")
		text = provided + text
		r := mutated(t, map[string]string{"a.scenario.hcl": text}, "weak", Options{Only: []string{name}})
		for _, m := range r.Mutants {
			if m.Verdict != Survived {
				continue
			}
			tried++
			head := fmt.Sprintf("scenario %q {\n", m.By.Name)
			with := func(src string) *interp.Result {
				src = strings.Replace(src, head, head+m.Difference.Assert+"\n", 1)
				f := compilerOf(nil)("a.scenario.hcl", map[string][]byte{"a.scenario.hcl": []byte(src)})
				if f.Failed() {
					t.Fatal(f.Diags)
				}
				i := slices.IndexFunc(f.Plans, func(p *interp.Plan) bool { return p.Name == m.By.Name })
				return interp.Run(f.Plans[i], interp.RunOptions{})
			}
			if r := with(text); r.Verdict != interp.Pass {
				t.Errorf("%s %s: %s fails for the program: %+v", m.Declaration, m.Change, m.Difference.Assert, r.Problems)
			}
			if r := with(string(m.Text())); r.Verdict != interp.Fail || r.Problems[0].Kind != "assert" {
				t.Errorf("%s %s: %s does not kill it", m.Declaration, m.Change, m.Difference.Assert)
			}
		}
	}
	if tried < 25 {
		t.Errorf("%d survivors were tried, want 25 or more", tried)
	}
}

// A report is the same whatever is tried at one time.
func TestReportsAreEqual(t *testing.T) {
	var first string
	for _, n := range []int{1, 2, 7} {
		r := mutated(t, map[string]string{"a.scenario.hcl": judged}, "", Options{K: 2, Runs: 300, Parallel: n})
		var b strings.Builder
		if err := WriteText(&b, r, Options{K: 2, Runs: 300}, 0); err != nil {
			t.Fatal(err)
		}
		if err := WriteJSON(&b, r, 0); err != nil {
			t.Fatal(err)
		}
		if first == "" {
			first = b.String()
		}
		if b.String() != first {
			t.Errorf("with %d at one time:\n%s\nwith one:\n%s", n, b.String(), first)
		}
	}
}

// A mutant differs from its file in one place of a few lines, or in each of its places, and leaves all others
// where they are but for those that it adds.
func TestEditsAreSmall(t *testing.T) {
	world, err := os.ReadFile("testdata/operators.txtar")
	if err != nil {
		t.Fatal(err)
	}
	const most = 6
	for _, section := range strings.Split(string(world), "\n-- ")[1:] {
		_, text, _ := strings.Cut(section, " --\n")
		u := &unit{path: "a.scenario.hcl", source: []byte(provided + text)}
		for _, m := range u.mutants(nil) {
			if m.Operator == ofEach { // it takes from one place, and gives to several
				continue
			}
			a, b := strings.Split(string(m.Original), "\n"), strings.Split(string(m.Text()), "\n")
			same := func(i, j int) bool { return strings.TrimRight(a[i], " ") == strings.TrimRight(b[j], " ") }
			head, tail := 0, 0
			for head < min(len(a), len(b)) && same(head, head) {
				head++
			}
			for tail < min(len(a), len(b))-head && same(len(a)-1-tail, len(b)-1-tail) {
				tail++
			}
			if len(m.places) > 1 && len(a) == len(b) { // of several places each is small
				n := 0
				for i := range a {
					if !same(i, i) {
						n++
					}
				}
				if n == 0 || n > most*len(m.places) {
					t.Errorf("%s %s: %d lines are changed", m.Declaration, m.Change, n)
				}
				continue
			}
			if changed := len(b) - head - tail; changed == 0 || changed > most || len(b) < len(a) {
				t.Errorf("%s %s: %d lines are changed, of %d there are %d", m.Declaration, m.Change, changed, len(a), len(b))
			}
		}
	}
}

// The page for users lists every operator with what it does.
func TestPageListsOperators(t *testing.T) {
	page, err := os.ReadFile("../../docs/mutate.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, op := range Operators() {
		if row := fmt.Sprintf("| `%s` | %s |\n", op.Name, op.Summary); !strings.Contains(string(page), row) {
			t.Errorf("docs/mutate.md has no row %s", row)
		}
	}
}

// The scenario that is written for an unseen mutant is green for the program and red for
// the mutant, by the ordinary loader and runner; where an outage shows it, and where one
// fault does.
func TestScenariosKill(t *testing.T) {
	texts := map[string]string{"a.scenario.hcl": judged}
	o := Options{K: 1, Runs: 5000, Only: []string{"retry_after", "deadline", "retries"}}
	r := mutated(t, texts, "one", o)
	o.Compile = compilerOf(texts)
	written, outages := 0, 0
	for _, m := range r.Mutants {
		if m.Verdict != Unseen {
			continue
		}
		text, err := m.Scenario("new.scenario.hcl", "./a.scenario.hcl", o)
		if err != nil {
			t.Errorf("%s %s: %v", m.Declaration, m.Change, err)
			continue
		}
		written++
		if m.Shown[0].Outage != nil {
			outages++
		}
		verdict := func(program []byte) interp.Verdict {
			f := compilerOf(nil)("new.scenario.hcl", map[string][]byte{"new.scenario.hcl": text, "a.scenario.hcl": program})
			if f.Failed() || len(f.Plans) != 1 {
				t.Fatal(f.Diags)
			}
			return interp.Run(f.Plans[0], interp.RunOptions{}).Verdict
		}
		if v := verdict([]byte(judged)); v != interp.Pass {
			t.Errorf("%s %s: %s for the program:\n%s", m.Declaration, m.Change, v, text)
		}
		if v := verdict(m.Text()); v != interp.Fail {
			t.Errorf("%s %s: %s for the mutant:\n%s", m.Declaration, m.Change, v, text)
		}
	}
	if written != 5 || outages != 1 {
		t.Errorf("%d were written, %d of them for an outage, want 5 and 1", written, outages)
	}
}

// The scenario that is written for an unseen mutant is green for the program and red for
// the mutant where an event shows it, too: an actor that dies, with its way back and without.
func TestScenariosOfEventsKill(t *testing.T) {
	const text = provided + `
retry "linear" "again" {
  delay       = "1s"
  max_retries = 3
}
actor "back" {
  handler "answer" {
    takes  = "2s"
    return = "so"
  }
}
workflow "w" {
  step "call" "ask" {
    target     = actor.back.answer
    timeout    = "30s"
    idempotent = true
    retry      = retry.again
  }
}
scenario "s" {
  run = workflow.w
  expect "ask" { status = "success" }
}
`
	texts := map[string]string{"a.scenario.hcl": text}
	kill := interp.Occurrence{Name: "it dies", What: "kill", Actor: "back", At: time.Second}
	back := interp.Occurrence{Name: "it is back", What: "restart", Actor: "back", At: 2500 * time.Millisecond}
	for _, list := range [][]interp.Occurrence{{kill}, {kill, back}} {
		o := Options{K: 1, Runs: 5000, Only: []string{"retry"}}
		r := mutated(t, texts, "s", o)
		o.Compile = compilerOf(texts)
		i := slices.IndexFunc(r.Mutants, func(m *Mutant) bool { return m.Verdict == Unseen })
		if i < 0 {
			t.Fatalf("no mutant is unseen: %q", verdicts(r))
		}
		m := r.Mutants[i]
		m.Shown = explore.Set{{Events: list}}
		written, err := m.Scenario("new.scenario.hcl", "./a.scenario.hcl", o)
		if err != nil {
			t.Fatal(err)
		}
		for _, happens := range list {
			if !strings.Contains(string(written), fmt.Sprintf("event %q {", happens.Name)) {
				t.Errorf("%q is not written:\n%s", happens.Name, written)
			}
		}
		for program, want := range map[string]interp.Verdict{text: interp.Pass, string(m.Text()): interp.Fail} {
			f := compilerOf(nil)("new.scenario.hcl", map[string][]byte{"new.scenario.hcl": written, "a.scenario.hcl": []byte(program)})
			if f.Failed() || len(f.Plans) != 1 {
				t.Fatal(f.Diags)
			}
			if v := interp.Run(f.Plans[0], interp.RunOptions{}).Verdict; v != want {
				t.Errorf("%s, want %s, of\n%s\nunder\n%s", v, want, program, written)
			}
		}
	}
}
