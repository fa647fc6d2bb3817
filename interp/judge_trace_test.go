package interp

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace"
)

// played runs a plan, judges it as it goes on, and gives the result and the
// trace before anything is hidden.
func played(t *testing.T, p *plan.Plan) (*Result, []trace.Event) {
	t.Helper()
	r := engine.NewRun(p, RunOptions{}, nil)
	w := judge.Watch(r.Obs, "")
	if err := r.Play(); err != nil {
		t.Fatal(err)
	}
	live := &Result{}
	w.Judge(live)
	if p.BenchRun != nil {
		live.Bench = r.Obs.Report(nil)
	}
	return live, r.Log.Events()
}

// readBack are events as a trace file has them.
func readBack(t *testing.T, events []trace.Event) []trace.Event {
	t.Helper()
	var out []trace.Event
	for i := range events {
		e, err := event.Read(events[i].AppendJSON(nil))
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// judged is what a judge says of a run.
func judged(r *Result) Result {
	return Result{Verdict: r.Verdict, Problems: r.Problems, Relaxed: r.Relaxed, Checks: r.Checks, Snapshots: r.Snapshots, Bench: r.Bench}
}

// Law 4 for verdicts: of every scenario, the trace alone gives the verdict that
// the run gave, with every problem, operand and range, after it has been written
// to a file and read again; also where that hides secrets, on which no verdict
// here depends. What holds of the scenarios as they are holds of scenarios that
// fail, too: each is judged a second time with all of its gates closed and its
// conditions turned round.
func TestTraceGivesTheVerdict(t *testing.T) {
	runs, failed := 0, 0
	for _, path := range suiteFiles(t) {
		for _, h := range compileFile(t, path) {
			p := plan.Inside(h)
			if p.Skip != "" {
				continue
			}
			shown := Run(h, RunOptions{})
			fromFile, err := Judge(h, shown.Events)
			if err != nil {
				t.Errorf("%s: %q: %v", path, p.Name, err)
				continue
			}
			if diff := cmp.Diff(judged(shown), judged(fromFile)); diff != "" {
				t.Errorf("%s: %q, as it is shown:\n%s", path, p.Name, diff)
			}
			for _, p := range []*plan.Plan{p, turned(p)} {
				live, events := played(t, p)
				again, err := judge.Judge(p, readBack(t, events))
				if err != nil {
					t.Errorf("%s: %q: %v", path, p.Name, err)
					continue
				}
				if diff := cmp.Diff(judged(live), judged(again)); diff != "" {
					t.Errorf("%s: %q:\n%s", path, p.Name, diff)
				}
				runs++
				if live.Verdict != Pass {
					failed++
				}
			}
		}
	}
	if runs < 1000 || failed < 400 {
		t.Errorf("only %d runs were judged, %d of them red", runs, failed)
	}
}

// turned is a plan of which all that is checked is wrong, so that every problem
// is told: conditions say the opposite, expectations want what is never there,
// and no gate is allowed.
func turned(p *plan.Plan) *plan.Plan {
	q := *p
	q.Allow = nil
	not := func(a plan.Assertion) plan.Assertion {
		a.Condition = &hclsyntax.UnaryOpExpr{Op: hclsyntax.OpLogicalNot, Val: a.Condition, SrcRange: a.Condition.Range()}
		return a
	}
	q.Asserts = nil
	for _, a := range p.Asserts {
		turned := not(*a)
		q.Asserts = append(q.Asserts, &turned)
	}
	q.Invariants = nil
	for _, i := range p.Invariants {
		turned := *i
		turned.Assertion, turned.Checks, turned.Standard = not(i.Assertion), nil, false
		q.Invariants = append(q.Invariants, &turned)
	}
	q.Expects = nil
	for _, x := range p.Expects {
		turned := *x
		turned.Attrs = nil
		for _, a := range x.Attrs {
			b := *a
			b.Expr = &hclsyntax.LiteralValueExpr{Val: cty.StringVal("what is never there"), SrcRange: a.Range}
			turned.Attrs = append(turned.Attrs, &b)
		}
		q.Expects = append(q.Expects, &turned)
	}
	return &q
}

// A scenario that cannot be played as it is written is judged as that from its
// trace, too.
func TestTraceTellsDefects(t *testing.T) {
	p := plan.Inside(compileAt(t, "a.scenario.hcl", `
provider "http" "shop" {
  base_url = "https://shop.test"
}
taxonomy "odd" {
  mode "ODD" {
    category  = "odd"
    retryable = false
  }
  detect "ODD" {
    when  = try(failure.status_code, 0) == 500 ? tonumber(failure.kind) == 1 : false
    first = true
  }
}
workflow "w" {
  taxonomy = taxonomy.odd
  step "http" "get" {
    provider = provider.shop
    path     = "/"
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    fault "http_error" { status_code = 500 }
  }
  expect "run" { status = "failed" }
}
`)[0])
	live, events := played(t, p)
	if live.Verdict != Error || len(live.Problems) == 0 {
		t.Fatalf("the run is %s", live.Verdict)
	}
	again, err := judge.Judge(p, readBack(t, events))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(judged(live), judged(again)); diff != "" {
		t.Error(diff)
	}
}

// What is no trace of a run of the plan, or not all of one, gets no verdict.
func TestWhatIsNoTraceOfThePlan(t *testing.T) {
	p := plan.Inside(compileAt(t, "a.scenario.hcl", resilienceFile)[0])
	_, events := played(t, p)
	without := func(typ trace.Type) []trace.Event {
		var list []trace.Event
		for _, e := range readBack(t, events) {
			if e.Type != typ {
				list = append(list, e)
			}
		}
		return list
	}
	unknown := readBack(t, events)
	unknown[1].Type = "later"
	for want, list := range map[string][]trace.Event{
		"has no end":          without(trace.RunEnd),
		"cannot follow those": without(trace.AttemptStart),
		"no event of this":    unknown,
		"the trace has no":    nil,
	} {
		if _, err := judge.Judge(p, list); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Shows that a trace in which an event has lost a name or a number is judged all the same, or
// refused with what it lacks: never in the words of the runtime.
func TestTracesThatLackSomething(t *testing.T) {
	p := plan.Inside(compileAt(t, "a.scenario.hcl", resilienceFile)[0])
	_, events := played(t, p)
	refused := map[string]bool{}
	for i := range events {
		for name, lose := range map[string]func(e *trace.Event){
			"step": func(e *trace.Event) { e.Step = "" }, "another step": func(e *trace.Event) { e.Step = "none" },
			"target": func(e *trace.Event) { e.Target = "" }, "another target": func(e *trace.Event) { e.Target = "none" },
			"attempt": func(e *trace.Event) { e.Attempt = 0 }, "another attempt": func(e *trace.Event) { e.Attempt = 77 },
			"round": func(e *trace.Event) { e.Round = 0 }, "iteration": func(e *trace.Event) { e.Iteration = 9 },
			"payload": func(e *trace.Event) { e.Payload = nil },
		} {
			list := readBack(t, events)
			lose(&list[i])
			_, err := judge.Judge(p, list)
			if err == nil {
				continue
			}
			refused[name] = true
			if text := err.Error(); strings.Contains(text, "runtime error") || strings.Contains(text, "nil pointer") || strings.Contains(text, "interface conversion") {
				t.Errorf("event %d, %s, without its %s: %v", i, events[i].Type, name, err)
			}
		}
	}
	for _, name := range []string{"step", "another step", "target", "another target", "attempt", "another attempt"} {
		if !refused[name] {
			t.Errorf("no event is refused that lost its %s", name)
		}
	}
	list := readBack(t, events)
	at := slices.IndexFunc(list, func(e trace.Event) bool { return e.Type == trace.AttemptEnd })
	list[at].Target = ""
	if _, err := judge.Judge(p, list); err == nil || !strings.Contains(err.Error(), "attempt_end of step") || !strings.HasSuffix(err.Error(), "it has no target") {
		t.Errorf("without a target: %v", err)
	}
}
