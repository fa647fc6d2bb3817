package interp

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"

	"github.com/scenario-lang/scenario/interp/internal/lint/constant"
	"github.com/scenario-lang/scenario/trace"
)

// A truth is what a condition comes to in the logic of three values.
type truth int

const (
	open truth = iota // not decided
	no
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// moment is what the reference knows of a run after one event.
type moment struct {
	attempts, bAttempts         int // of a step that has begun
	aBegan, aEnded              bool
	bBegan, bEnded              bool
	ended                       bool
	aStatus, bStatus, runStatus string
	// step is that of the event, and begins says that something of it begins with
	// it. judged says that null is the answer to what the other step lacks.
	step           string
	begins, judged bool
}

// lacks reports whether an operand that is not there is one of the other step, and
// that step is not waited for.
func (m moment) lacks(o operand) bool {
	return m.judged && !strings.HasPrefix(o.text, "step."+m.step+".") && strings.HasPrefix(o.text, "step.")
}

// operand is something that conditions read: its value at a moment, whether it
// is there, and whether it stands beneath something that is null.
type operand struct {
	text    string
	at      func(m moment) (value string, there bool)
	settled func(m moment) bool
	beneath bool
}

var nullOperands = []operand{
	{"step.a.status", func(m moment) (string, bool) { return m.aStatus, m.aEnded }, func(m moment) bool { return m.aEnded || m.ended }, false},
	{"step.a.error.kind", func(moment) (string, bool) { return "", false }, func(m moment) bool { return m.aEnded || m.ended }, true},
	{"step.a.skipped_reason", func(moment) (string, bool) { return "", false }, func(m moment) bool { return m.aEnded || m.ended }, false},
	{"step.b.status", func(m moment) (string, bool) { return m.bStatus, m.bEnded }, func(m moment) bool { return m.bEnded || m.ended }, false},
	{"step.b.error.kind", func(m moment) (string, bool) { return "http_status", m.bEnded }, func(m moment) bool { return m.bEnded || m.ended }, true},
	{"run.status", func(m moment) (string, bool) { return m.runStatus, m.ended }, func(m moment) bool { return m.ended }, false},
}

// words are what the operands are compared with; each is one that the checker
// takes for all of them.
var nullWords = map[string][]string{
	"step.a.status": {"success", "failed"}, "step.a.error.kind": {"timeout", "http_status"}, "step.a.skipped_reason": {"when is false", "workflow timeout"},
	"step.b.status": {"success", "failed"}, "step.b.error.kind": {"timeout", "http_status"}, "run.status": {"success", "partial"},
}

// A threeValued is a small condition: its text, and what it comes to.
type threeValued struct {
	text string
	at   func(m moment) truth
	// waits says of X == null, and of a disjunction with it, that X may still come.
	waits func(m moment) bool
}

// whole is what a condition comes to that is no part of another.
func (c threeValued) whole(m moment) truth {
	if c.waits != nil && c.waits(m) {
		return open
	}
	return c.at(m)
}

// compared is a comparison of an operand with a word.
func compared(r *rand.Rand) (operand, string, bool) {
	o := nullOperands[r.IntN(len(nullOperands))]
	words := nullWords[o.text]
	return o, words[r.IntN(len(words))], r.IntN(2) == 0
}

func sign(equal bool) string {
	if equal {
		return "=="
	}
	return "!="
}

func randomCondition(r *rand.Rand, depth int) threeValued {
	if depth == 0 {
		return randomAtom(r)
	}
	a, b := randomCondition(r, depth-1), randomCondition(r, depth-1)
	switch r.IntN(5) {
	case 0:
		return threeValued{text: "!(" + a.text + ")", at: func(m moment) truth { return [...]truth{open, yes, no}[a.at(m)] }}
	case 1:
		c := randomAtom(r)
		return threeValued{text: fmt.Sprintf("(%s ? %s : %s)", c.text, a.text, b.text), at: func(m moment) truth {
			return [...]truth{open, b.at(m), a.at(m)}[c.at(m)]
		}}
	case 2:
		return threeValued{text: "(" + a.text + " && " + b.text + ")", at: func(m moment) truth {
			x, y := a.at(m), b.at(m)
			if x == no || y == no {
				return no
			}
			return min(x, y) // open where one is
		}}
	default:
		return threeValued{text: "(" + a.text + " || " + b.text + ")", at: func(m moment) truth {
			x, y := a.at(m), b.at(m)
			if x == yes || y == yes {
				return yes
			}
			return min(x, y)
		}, waits: func(m moment) bool { return a.waits != nil && a.waits(m) || b.waits != nil && b.waits(m) }}
	}
}

func randomAtom(r *rand.Rand) threeValued {
	o, word, equal := compared(r)
	known := func(m moment, otherwise truth) truth {
		v, there := o.at(m)
		switch {
		case there:
			return truthOf((v == word) == equal)
		case m.lacks(o):
			return truthOf(!equal) // null is no word
		}
		return otherwise
	}
	plain := fmt.Sprintf("%s %s %q", o.text, sign(equal), word)
	switch r.IntN(7) {
	case 0:
		n := r.IntN(4)
		return threeValued{text: fmt.Sprintf("length(step.a.attempts) <= %d", n), at: func(m moment) truth {
			if !m.aBegan {
				return open
			}
			return truthOf(m.attempts <= n)
		}}
	case 1: // null is the answer
		return threeValued{text: fmt.Sprintf("%s %s null", o.text, sign(equal)), at: func(m moment) truth {
			_, there := o.at(m)
			return truthOf(!there == equal)
		}, waits: func(m moment) bool {
			_, there := o.at(m)
			return equal && !there && !o.settled(m)
		}}
	case 2: // an error is; null beneath nothing is none, and equals no word
		return threeValued{text: fmt.Sprintf("try(%s, %t)", plain, word == "timeout"), at: func(m moment) truth {
			switch _, there := o.at(m); {
			case there:
				return known(m, open)
			case !o.settled(m) && !m.lacks(o):
				return open
			case o.beneath:
				return truthOf(word == "timeout")
			}
			return truthOf(!equal)
		}}
	case 3:
		return threeValued{text: fmt.Sprintf("can(tostring(%s))", plain), at: func(m moment) truth {
			_, there := o.at(m)
			if !there && !o.settled(m) && !m.lacks(o) {
				return open
			}
			return truthOf(there || !o.beneath)
		}}
	case 4:
		return threeValued{text: fmt.Sprintf("coalesce(%s, %q) %s %q", o.text, word, sign(equal), word), at: func(m moment) truth {
			if _, there := o.at(m); !there && (o.settled(m) || m.lacks(o)) {
				return truthOf(equal)
			}
			return known(m, open)
		}}
	}
	return threeValued{text: plain, at: func(m moment) truth { return known(m, open) }}
}

// ordered is a condition that says of a step's attempts that there are none, or
// not as many, unless the rest holds.
func ordered(r *rand.Rand, rest threeValued) threeValued {
	n, of := 1+r.IntN(2), "a"
	if r.IntN(2) == 0 {
		n, of = 0, "b"
	}
	return threeValued{text: fmt.Sprintf("length(step.%s.attempts) <= %d || %s", of, n, rest.text), waits: rest.waits, at: func(m moment) truth {
		began, attempts := m.aBegan, m.attempts
		if of == "b" {
			began, attempts = m.bBegan, m.bAttempts
		}
		x, y := open, rest.at(m)
		if began {
			x = truthOf(attempts <= n)
		}
		if x == yes || y == yes {
			return yes
		}
		return min(x, y)
	}}
}

const nullWorld = `
provider "openai" "any" { model = "gpt-4o-mini" }
retry "linear" "twice" {
  delay       = "1s"
  max_retries = 2
}
workflow "w" {
  provider   = provider.any
  on_failure = "continue"
  step "llm" "a" {
    prompt = "x"
    retry  = retry.twice
  }
  step "llm" "b" {
    prompt     = "y"
    depends_on = [step.a]
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    fault "http_error" { times = 2 }
    reply { content = "x" }
  }
  on "b" {
    fault "http_error" { status_code = 400 }
  }
  expect "run" { status = "partial" }
`

// moments are what the reference knows after each event of a run, by nothing but
// the types of the events.
func moments(events []trace.Event) []moment {
	var m moment
	var list []moment
	for i := range events {
		e := &events[i]
		m.step, m.begins = e.Step, e.Type == trace.StepStart || e.Type == trace.AttemptStart
		switch {
		case e.Type == trace.StepStart && e.Step == "a":
			m.aBegan = true
		case e.Type == trace.AttemptStart && e.Step == "a":
			m.attempts++
		case e.Type == trace.StepStart && e.Step == "b":
			m.bBegan = true
		case e.Type == trace.AttemptStart && e.Step == "b":
			m.bAttempts++
		case e.Type == trace.StepEnd && e.Step == "a":
			m.aEnded, m.aStatus = true, e.Text("status")
		case e.Type == trace.StepEnd && e.Step == "b":
			m.bEnded, m.bStatus = true, e.Text("status")
		case e.Type == trace.RunEnd:
			m.ended, m.runStatus = true, e.Text("status")
		}
		list = append(list, m)
	}
	return list
}

// isConstant reports whether the form of a condition decides it.
func isConstant(t *testing.T, condition string) bool {
	t.Helper()
	e, diags := hclsyntax.ParseExpression([]byte(condition), "null", hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	return slices.ContainsFunc(constant.Find(e, []byte(condition)), func(f constant.Finding) bool { return f.Whole })
}

// Shows that an invariant over operands that are null for a while, or for ever,
// breaks at the event, and is evaluated as often, as a three-valued logic says
// that knows nothing of HCL: null is neither true nor false, an operand beside
// it may decide, and null is an answer to a comparison with null, and once nothing
// can come any more to what handles it otherwise. What held until something of one
// step begins is judged then by what the other one has.
func TestInvariantsOverNullFollowThreeValuedLogic(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 4))
	broke, held, idle, tooEarly := 0, 0, 0, 0
	for range 6 {
		var conditions []threeValued
		source := nullWorld
		for i := 0; i < 120; i++ {
			c := randomCondition(r, r.IntN(4))
			if i%10 == 0 { // waits for the operand, whatever the rest is
				rest := c
				c = threeValued{text: "run.status == null || " + rest.text, at: func(m moment) truth {
					if !m.ended {
						return open
					}
					return rest.at(m)
				}}
			}
			if i%10 > 5 { // one step is to begin after what the other has
				c = ordered(r, randomCondition(r, r.IntN(2)))
			}
			if isConstant(t, c.text) { // refused
				i--
				continue
			}
			conditions = append(conditions, c)
			source += fmt.Sprintf("  invariant \"i%d\" { condition = %s }\n", i, c.text)
		}
		result := Run(compileAt(t, "null.scenario.hcl", source+"}\n")[0], RunOptions{})
		brokenBy := map[string]string{}
		for _, p := range result.Problems {
			if p.Kind != "invariant" || !strings.Contains(p.Message, "broken by event ") {
				t.Fatalf("%s %s: %s", p.Kind, p.Name, p.Message)
			}
			_, text, _ := strings.Cut(p.Message, "broken by event ")
			brokenBy[p.Name], _, _ = strings.Cut(text, " ")
		}
		all := moments(result.Events)
		for i, c := range conditions {
			want, evaluated, early := reference(c, all, result.Events)
			tooEarly += early
			name := fmt.Sprintf("i%d", i)
			if got := brokenBy[name]; got != want {
				t.Errorf("%s: broken by event %q, want %q", c.text, got, want)
			}
			if got := result.Invariants[i]; got.Name != name || got.Evaluated != evaluated {
				t.Errorf("%s: %s evaluated %d times, want %d", c.text, got.Name, got.Evaluated, evaluated)
			}
			switch {
			case want != "":
				broke++
			case evaluated > 0:
				held++
			default:
				idle++
			}
		}
	}
	if min(broke, held, idle) < 20 || tooEarly < 10 {
		t.Errorf("%d broke, %d of them as something began too early, %d held and %d were never evaluated: the conditions are all alike", broke, tooEarly, held, idle)
	}
}

// reference says which event breaks a condition, "" for none, how often it is
// evaluated until then, and whether that event is one that begins something before
// the other step is as far.
func reference(c threeValued, all []moment, events []trace.Event) (broken string, evaluated, early int) {
	held := false // after the last event, or as far as is known
	for n, m := range all {
		v := c.whole(m)
		waits := c.waits != nil && c.waits(m)
		if v == open && !waits && held {
			m.judged = true
			now := c.at(m)
			if now == no && m.begins {
				return fmt.Sprint(events[n].Seq), evaluated + 1, 1
			}
			held = now == yes
			continue
		}
		held = v == yes || waits
		switch v {
		case no:
			return fmt.Sprint(events[n].Seq), evaluated + 1, 0
		case yes:
			evaluated++
		}
	}
	return "", evaluated, 0
}

// Shows that the condition of an event is decided by one side of || while the
// other reads what is not there yet.
func TestEventWhenOneSideDecides(t *testing.T) {
	result := play(t, strings.NewReplacer(
		`reply { content = "x" }`, "reply {\n content = \"x\"\n optional = true\n }",
		`fault "http_error" { status_code = 400 }`, "fault \"http_error\" {\n status_code = 400\n optional = true\n }",
		`expect "run" { status = "partial" }`, `expect "run" { status = "cancelled" }
  assert "it ends there" { condition = length(step.a.attempts) == 2 }
  event "enough" {
    when   = step.a.status == "failed" || length(step.a.attempts) >= 2
    cancel = "run"
  }`).Replace(nullWorld)+"}\n")
	if result.Verdict != Pass {
		t.Errorf("%s:\n%s", result.Verdict, told(result))
	}
}

// Shows that an invariant which asks by null whether something has ended breaks
// at the event that comes too early, though it would hold later.
func TestInvariantAsksWhatIsThereNow(t *testing.T) {
	const source = `
provider "http" "api" { base_url = "https://api.example.com" }
workflow "w" {
  provider = provider.api
  step "http" "reserve" { path = "/reserve" }
  step "http" "pay" {
    path = "/pay"
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "*" {
    reply { latency = "5s" }
  }
  expect "run" { status = "success" }
  invariant "reserved first" { condition = length(step.pay.attempts) == 0 || step.reserve.ended_ms != null }
}
`
	if early := Run(mustCompile(t, fmt.Sprintf(source, ""))[0], RunOptions{}); early.Verdict != Fail || !strings.Contains(told(early), `attempt_start of step "pay"`) {
		t.Errorf("a payment before the reservation has ended: %s", told(early))
	}
	if late := Run(mustCompile(t, fmt.Sprintf(source, "depends_on = [step.reserve]"))[0], RunOptions{}); late.Verdict != Pass {
		t.Errorf("a payment after it: %s", told(late))
	}
}
