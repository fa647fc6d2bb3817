package interp

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
)

// much is a local that takes milliseconds to go over.
const much = `
locals {
  much = flatten([for a in range(100) : [for b in range(100) : a * 100 + b]])
}
`

// loops is a workflow of a thousand turns, each of which computes a value.
func loops(value string) string {
	return `
workflow "w" {
  step "loop" "all" {
    max_iterations = 1000
    while          = loop.index < 1000
    step "value" "one" { value = ` + value + ` }
  }
}
`
}

// checked is a scenario of that workflow with checks of its own.
func checked(checks string) string {
	return "scenario \"s\" {\n  run = workflow.w\n" + checks + "\n  expect \"run\" { status = \"success\" }\n}\n"
}

// Shows that a run ends with the verdict error once all that it does together is
// too much, whatever does it, and that its problem names what took the most. Each
// of the evaluations is far below the budget of one.
func TestARunHasABudget(t *testing.T) {
	const few = 4 << 20
	for name, c := range map[string]struct{ file, most string }{
		"steps of a loop":            {much + loops("length([for x in local.much : x if x > loop.index])") + checked(""), "[for x in local.much : x if x > loop.index]"},
		"what a function reads":      {much + loops("contains(local.much, loop.index + 0.5)") + checked(""), "contains(local.much, loop.index + 0.5)"},
		"what a comparison reads":    {much + loops("local.much == [loop.index]") + checked(""), ""},
		"what a step holds":          {much + loops("[loop.index, local.much]") + checked(""), "[loop.index, local.much]"},
		"an invariant":               {much + loops("1") + checked(`invariant "i" { condition = !contains(local.much, -1) || step.all.iterations < 0 }`), "contains(local.much, -1)"},
		"an invariant over all":      {loops("1") + checked(`invariant "i" { condition = length(events({ type = "step_end" })) < 5000 }`), "events("},
		"many assertions":            {much + loops("1") + checked("dynamic \"assert\" {\n    for_each = toset([for i in range(300) : \"a${i}\"])\n    labels   = [assert.value]\n    content { condition = length([for x in local.much : x if x > run.ended_ms]) > 5 }\n  }"), ""},
		"an invariant over each":     {loops("1") + checked(`invariant "i" { condition = alltrue([for s in steps : s.status != "failed"]) && length([for s in steps : s if s.status == "failed"]) == 0 }`), ""},
		"what a step passes on":      {much + loops("local.much") + checked(""), "local.much"},
		"events alone":               {"workflow \"w\" {\n  step \"loop\" \"all\" {\n    max_iterations = 10000\n    while          = loop.index < 10000\n    step \"value\" \"one\" { value = 1 }\n  }\n}\n" + checked(""), `what happens in step "all.one"`},
		"a query after every event":  {loops("1") + checked(`invariant "i" { condition = metric("scenario_retries_total") == 0 }`), "metric(…)"},
		"a text that grows slowly":   {much + loops(`join("", [for x in local.much : "abcdefgh"])`) + checked(""), ""},
		"jq in every turn of a loop": {loops(`jq(loop.index, "[range(2000)] | add")`) + checked(""), "jq(loop.index,"},
	} {
		p := mustCompile(t, c.file)[0]
		r := Run(p, RunOptions{WorkLimit: few})
		if r.Verdict != Error || len(r.Problems) != 1 || !strings.Contains(told(r), "too much to compute") || !strings.Contains(told(r), c.most) {
			t.Errorf("%s: verdict %s after %d events: %.600s", name, r.Verdict, len(r.Events), told(r))
		}
	}
}

// Shows that what counts is the work and not the time: two runs of one plan are
// ended at the same event, and one more byte of budget than the work is enough.
func TestTheBudgetOfARunIsExact(t *testing.T) {
	p := mustCompile(t, much+loops("length([for x in local.much : x if x > loop.index])")+checked(""))[0]
	first, again := Run(p, RunOptions{WorkLimit: 16 << 20}), Run(p, RunOptions{WorkLimit: 16 << 20})
	if len(first.Events) != len(again.Events) || told(first) != told(again) {
		t.Errorf("one run ended after %d events, the other after %d:\n%s\n%s", len(first.Events), len(again.Events), told(first), told(again))
	}
	larger := Run(p, RunOptions{WorkLimit: 32 << 20})
	if len(larger.Events) < len(first.Events)*3/2 {
		t.Errorf("twice the budget is good for %d events, and the budget for %d", len(larger.Events), len(first.Events))
	}
}

// Shows that the scenarios of one block share a budget, and that a scenario alone
// has all of it.
func TestInstancesShareTheBudgetOfRuns(t *testing.T) {
	file := much + loops("length([for x in local.much : x if x > loop.index])")
	each := strings.Replace(checked(""), "{\n", "{\n  for_each = toset([for i in range(1000) : \"k${i}\"])\n", 1)
	plans := mustCompile(t, file+each)
	if r := Run(plans[0], RunOptions{}); r.Verdict != Error || !strings.Contains(told(r), "524 KiB") {
		t.Errorf("one of %d: verdict %s: %s", len(plans), r.Verdict, told(r))
	}
	many := strings.Replace(checked(`assert "a" { condition = run.status == "success" }`), "{\n", "{\n  for_each = toset([for k in flatten([for i in range(100) : [for j in range(100) : \"k${i}-${j}\"]]) : k])\n", 1)
	if r := Run(mustCompile(t, strings.Replace(loops("1"), "loop.index < 1000", "loop.index < 60", 1)+many)[0], RunOptions{}); r.Verdict == Error {
		t.Errorf("one of ten thousand that does little: %s", told(r))
	}
	few := strings.Replace(each, "range(1000)", "range(3)", 1)
	r := engine.NewRun(plan.Inside(mustCompile(t, much+loops("1")+few)[0]), RunOptions{}, nil)
	if err := r.Play(); err != nil {
		t.Errorf("one of three: %v", err)
	}
}

// Shows that the turns of a loop count where it leaves nothing of what it goes over, and that
// the scenarios of a file share what they take, however many blocks they are of.
func TestTurnsThatLeaveNothingCount(t *testing.T) {
	rows := func(n, axis int, check string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "scenario \"s%d\" {\n  run = workflow.w\n  matrix {\n    a = range(%d)\n    b = range(%d)\n  }\n  assert \"a\" { condition = %s && step.all.iterations == 1000 && matrix.a + matrix.b >= 0 }\n}\n", i, axis, axis, check)
		}
		return strings.Replace(loops("1"), "loop.index < 1000", "loop.index < 1", 1) + strings.ReplaceAll(b.String(), "iterations == 1000", "iterations == 1")
	}
	for _, c := range []struct {
		name, file string
		refused    bool
	}{
		{"a filter of numbers that are made for it", rows(1, 100, `[for x in range(1000) : x if "${x}-x" == "${matrix.a}-y"] == []`), true},
		{"many blocks of few", rows(40, 10, `[for x in range(1000) : x if x == matrix.a + 10000] == []`), true},
		{"a filter of few rows", rows(1, 3, `[for x in range(1000) : x if "${x}-x" == "${matrix.a}-y"] == []`), false},
		{"few elements in many", rows(1, 100, `[for x in range(20) : x if x == matrix.a + 10000] == []`), false},
	} {
		p := mustCompile(t, c.file)[0]
		if r := Run(p, RunOptions{}); strings.Contains(told(r), "too much to compute") != c.refused {
			t.Errorf("%s: one of %d: verdict %s: %.400s", c.name, 1+plan.Inside(p).Others, r.Verdict, told(r))
		}
	}
}

// Shows that the instances of a scenario share what comes again by itself, which no trace
// has: sweeps and heartbeats.
func TestInstancesShareEvents(t *testing.T) {
	const file = `registry "r" {
  sweep_every     = "1ms"
  heartbeat_every = "1ms"
}
actor "a" {
  registry = registry.r
  handler "h" { takes = "1s" }
}
scenario "s" {
  for_each = [for i in flatten([for a in range(%d) : [for b in range(%d) : "n${a}-${b}"]]) : i]
  call "c" {
    target = actor.a.h
    at     = "%s"
  }
  expect "c" { status = "success" }
}
`
	for _, c := range []struct {
		tens, each int
		at, want   string
	}{
		{1, 1, "10m", ""},
		{1, 20, "10m", ""},
		{1, 20, "1h", "1500000 events"},
		{100, 100, "1s", ""},
		{100, 100, "3s", "4096 events"},
	} {
		r := Run(mustCompile(t, fmt.Sprintf(file, c.tens, c.each, c.at))[0], RunOptions{})
		if c.want == "" && r.Verdict != Pass || !strings.Contains(told(r), c.want) {
			t.Errorf("one of %d, for %s: verdict %s: %s", c.tens*c.each, c.at, r.Verdict, told(r))
		}
	}
}

// Shows that what people write is far below the budget: ten thousand steps, loops
// of a thousand turns with invariants, jq over many rows.
func TestWhatRunsFitsTheBudget(t *testing.T) {
	for name, file := range map[string]string{
		"an invariant over steps":   loops("loop.index * 2") + checked(`invariant "i" { condition = alltrue([for s in steps : s.status != "failed"]) }`),
		"a loop over a small local": "locals {\n  few = range(100)\n}\n" + loops("length([for x in local.few : x if x > loop.index])") + checked(`invariant "i" { condition = step.all.iterations == null || step.all.iterations <= 1000 }`),
		"jq over rows":              "locals {\n  rows = flatten([for a in range(10) : [for b in range(500) : jq({ a = a, b = b }, \".a * 500 + .b\")]])\n}\n" + loops("local.rows[loop.index]") + checked(`assert "a" { condition = length(local.rows) == 5000 && run.status == "success" }`),
	} {
		if r := Run(mustCompile(t, file)[0], RunOptions{}); r.Verdict != Pass {
			t.Errorf("%s: %s", name, told(r))
		}
	}
}

// Shows that the error of a run that did too much is one that callers can tell.
func TestTooMuchIsAnError(t *testing.T) {
	r := engine.NewRun(plan.Inside(mustCompile(t, loops("1")+checked(""))[0]), RunOptions{WorkLimit: 1 << 16}, nil)
	var much *observe.TooMuchError
	if err := r.Play(); !errors.As(err, &much) || much.Limit != 1<<16 {
		t.Errorf("the run ended with %v", err)
	}
}

// Shows that the scenarios which a dynamic block generates share both budgets as those of
// a for_each do, also where each of them stands for many.
func TestGeneratedScenariosShareTheBudgetOfRuns(t *testing.T) {
	const generated = `dynamic "scenario" {
  for_each = range(1000)
  labels   = ["s ${scenario.value}"]
  content {
    %s
    run = workflow.w
    assert "a" { condition = step.all.iterations == %d }
  }
}
`
	for _, c := range []struct {
		each  string
		turns int
		want  Verdict
	}{
		{"", 400, Pass},
		{"", 9000, Error},
		{`for_each = toset(["x", "y", "z"])`, 60, Pass},
		{`for_each = toset(["x", "y", "z"])`, 400, Error},
	} {
		turns := strings.NewReplacer("loop.index < 1000", fmt.Sprintf("loop.index < %d", c.turns), "max_iterations = 1000", "max_iterations = 10000").Replace(loops("1"))
		if r := Run(mustCompile(t, turns+fmt.Sprintf(generated, c.each, c.turns))[0], RunOptions{}); r.Verdict != c.want || c.want == Error && !strings.Contains(told(r), "too much to compute") {
			t.Errorf("%q, %d turns: verdict %s: %.300s", c.each, c.turns, r.Verdict, told(r))
		}
	}
}

// Shows that the scenarios which are written in a file share a budget by their number alone, that
// each has the same whichever is run, and that those which a block stands for count as one.
func TestWrittenScenariosShareTheBudgetOfRuns(t *testing.T) {
	const work = `length([for a in range(1000) : trimprefix("${local.large}${run.ended_ms}", "-")]) == 7`
	written := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "scenario \"s%d\" {\n  run = workflow.w\n  assert \"a\" { condition = %s }\n}\n", i, work)
		}
		return b.String()
	}
	const each = "scenario \"each\" {\n  for_each = toset([for i in range(100) : \"k${i}\"])\n  run = workflow.w\n  assert \"a\" { condition = each.key != \"\" && " + work + " }\n}\n"
	w := "locals {\n  large = join(\"\", [for i in range(1000) : \"" + strings.Repeat("large ", 200) + "\"])\n}\n" + strings.Replace(loops("1"), "loop.index < 1000", "loop.index < 1", 1)
	for _, c := range []struct {
		name, file  string
		first, last string
		shared      bool
	}{
		{"one", written(1), "131072 KiB", "131072 KiB", false},
		{"two", written(2), "131072 KiB", "131072 KiB", false},
		{"four", written(4), "65536 KiB", "65536 KiB", true},
		{"forty", written(40), "16384 KiB", "16384 KiB", true},
		{"three, and one for many", written(3) + each, "65536 KiB", "1310 KiB", true},
		{"one for many, and three", each + written(3), "1310 KiB", "65536 KiB", true},
		{"one for many", each, "5242 KiB", "5242 KiB", true},
	} {
		plans := mustCompile(t, w+c.file)
		for want, p := range map[string]*plan.Handle{c.first: plans[0], c.last: plans[len(plans)-1]} {
			r := Run(p, RunOptions{})
			if r.Verdict != Error || !strings.Contains(told(r), "more than "+want) || strings.Contains(told(r), "Fewer scenarios in a file") != c.shared {
				t.Errorf("%s: verdict %s, want a limit of %s: %.400s", c.name, r.Verdict, want, told(r))
			}
		}
	}
}
