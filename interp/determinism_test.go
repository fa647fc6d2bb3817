package interp

import (
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/zclconf/go-cty/cty"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/read"
	"github.com/scenario-lang/scenario/trace"
)

// jittered is a scenario in which everything happens that could be told in
// another order: draws, races for a bulkhead and a limit, a tool loop, streams,
// cancellations.
const jittered = `
retry "exponential" "shaky" { jitter = "full" }
breaker "std" { threshold = 2 }
rate_limit "few" {
  requests_per_minute = 30
  burst               = 1
}
gateway "busy" {
  strategy = "round_robin"
  target "one" {
    provider   = provider.primary
    breaker    = breaker.std
    rate_limit = rate_limit.few
  }
  target "two" {
    provider = provider.backup
    breaker  = breaker.std
    bulkhead {
      max_concurrent = 1
      max_queue      = 2
    }
  }
}
workflow "w" {
  gateway    = gateway.busy
  on_failure = "continue"
  timeout    = "2m"
  step "llm" "a" {
    prompt = "x"
    stream = true
    retry  = retry.shaky
  }
  step "llm" "b" {
    prompt = "x"
    retry  = retry.shaky
    tool "now" { output = { time = "noon", day = { b = 1, a = 2 } } }
    tool "look" { step = step.look }
  }
  step "http" "look" {
    provider = provider.api
    path     = "/look"
    headers  = { z = "1", a = "2", m = "3" }
  }
  step "llm" "c" {
    prompt  = "x"
    retry   = retry.shaky
    timeout = "3s"
  }
  step "value" "d" { value = { a = step.a.content, b = step.b.output } }
}
scenario "s" {
  run   = workflow.w
  seed  = 42
  allow = ["unused_reply", "unfired_fault", "over_consumed", "unexpected_failure"]
  on "a" {
    exhausted = "repeat_last"
    fault "stream_truncate" { after_chunks = 1 }
    fault "http_error" { times = 2 }
    reply { content = "one two three" }
  }
  on "b" {
    reply { tool_calls = [{ name = "look", arguments = { z = 1, a = 2 } }, { name = "now", arguments = {} }, { name = "none", arguments = {} }] }
    fault "connection_reset" {}
    reply { content = "done" }
  }
  on "look" {
    reply {
      body    = "seen"
      latency = "100ms"
    }
  }
  on "c" {
    fault "http_error" { times = "*" }
  }
  assert "it ran" { condition = run.ended_ms > 0 && metric("scenario_attempts_total") > 3 }
}
`

// deterministic are all the scenarios that the tests of determinism run.
func deterministic(t *testing.T) []*Plan {
	t.Helper()
	plans := mustCompile(t, testWorld+jittered)
	for _, path := range suiteFiles(t) {
		plans = append(plans, compileFile(t, path)...)
	}
	return plans
}

// A plan gives the same trace every time: twice in one process, and in several
// goroutines at once that share it, on one processor and on four.
func TestSameTrace(t *testing.T) {
	for _, p := range deterministic(t) {
		first := Run(p, RunOptions{})
		want := traceOf(t, first)
		if want == "" || p.Skip != "" {
			continue
		}
		sharing := 2
		if strings.HasPrefix(p.File, "test.") {
			sharing = 8
		}
		for _, procs := range []int{1, 4} {
			before := runtime.GOMAXPROCS(procs)
			var all sync.WaitGroup
			for range sharing {
				all.Go(func() {
					r := Run(p, RunOptions{})
					if got := traceOf(t, r); got != want {
						t.Errorf("%s: %q differs on %d processors:\n%s", p.File, p.Name, procs, cmp.Diff(strings.Split(want, "\n"), strings.Split(got, "\n")))
					}
					if r.Verdict != first.Verdict || told(r) != told(first) {
						t.Errorf("%s: %q has another verdict: %s\n%s", p.File, p.Name, r.Verdict, told(r))
					}
				})
			}
			all.Wait()
			runtime.GOMAXPROCS(before)
		}
	}
}

// A file compiled twice gives plans with the same hash and JSON; another seed,
// another name or another value another hash, and comments and space none.
func TestPlanHash(t *testing.T) {
	hash := func(src string) string { return mustCompile(t, src)[0].Hash() }
	src := testWorld + jittered
	first, second := mustCompile(t, src)[0], mustCompile(t, src)[0]
	if first.Hash() != second.Hash() || string(first.JSON()) != string(second.JSON()) {
		t.Error("two compilations differ")
	}
	if got := hash("# a comment\n\n" + strings.ReplaceAll(src, "  seed  = 42", "\n\n  seed=42 # the answer")); got != first.Hash() {
		t.Error("comments and space change the hash")
	}
	seen := map[string]string{first.Hash(): "nothing"}
	for _, change := range [][2]string{
		{"seed  = 42", "seed  = 43"},
		{`"one two three"`, `"one two four"`},
		{"threshold = 2", "threshold = 3"},
		{`timeout    = "2m"`, `timeout    = "3m"`},
		{`scenario "s"`, `scenario "t"`},
		{"after_chunks = 1", "after_chunks = 2"},
		{`m = "3"`, `m = "4"`},
		{"> 3", "> 2"},
		{"max_queue      = 2", "max_queue      = 3"},
		{"burst               = 1", "burst               = 2"},
		{`jitter = "full"`, "jitter = 1"},
		{`latency = "100ms"`, `latency = "101ms"`},
		{`time = "noon"`, `time = "night"`},
		{`times = "*"`, "times = 99"},
		{`"round_robin"`, `"priority"`},
	} {
		changed := strings.Replace(src, change[0], change[1], 1)
		if changed == src {
			t.Fatalf("%q is not in the source", change[0])
		}
		h := hash(changed)
		if other, dup := seen[h]; dup {
			t.Errorf("a change of %q hashes like a change of %s", change[0], other)
		}
		seen[h] = change[0]
	}
}

// Another seed draws other waits; a step more, or a longer script of another
// step, draws the same ones for the steps there are.
func TestDrawsAreIndependent(t *testing.T) {
	const src = `
retry "exponential" "shaky" { jitter = 0.5 }
workflow "w" {
  provider = provider.primary
  MORE
  step "llm" "ask" {
    prompt = "x"
    retry  = retry.shaky
  }
}
scenario "s" {
  run  = workflow.w
  seed = SEED
  on "*" {
    fault "http_error" { times = 3 }
    reply { content = "x" }
  }
  expect "run" { status = "success" }
}`
	delays := func(more, seed string) []observe.Wait {
		p := mustCompile(t, testWorld+strings.NewReplacer("MORE", more, "SEED", seed).Replace(src))[0]
		r := engine.NewRun(plan.Inside(p), RunOptions{}, nil)
		if err := r.Play(); err != nil {
			t.Fatal(err)
		}
		list := r.Obs.Steps["ask"].Delays
		for i := range list {
			list[i].At = 0
		}
		return list
	}
	alone := delays("", "7")
	more := delays("step \"llm\" \"first\" {\n    prompt = \"x\"\n    retry = retry.shaky\n  }", "7")
	other := delays("", "8")
	if len(alone) != 3 || !equal(alone, more) {
		t.Errorf("a step more shifts the draws: %v, %v", alone, more)
	}
	if equal(alone, other) {
		t.Errorf("another seed draws the same waits: %v", alone)
	}
}

func equal(a, b []observe.Wait) bool { return cmp.Equal(a, b, cmp.AllowUnexported(observe.Wait{})) }

// Law 4, the trace is the truth: what is known of a run is what a fresh
// observer makes of its events, with nothing remembered beside them.
func TestResultsComeFromTheTrace(t *testing.T) {
	for _, p := range deterministic(t) {
		if p.Skip != "" {
			continue
		}
		r := engine.NewRun(plan.Inside(p), RunOptions{}, nil)
		if err := r.Play(); err != nil {
			t.Fatalf("%s: %q: %v", p.File, p.Name, err)
		}
		again := observe.NewObserved(plan.Inside(p))
		again.Log = trace.NewLog(0)
		for _, e := range r.Log.Events() {
			again.Log.Append(e)
			again.Apply(&e)
		}
		live, folded := everythingRead(r.Obs), everythingRead(again)
		if diff := cmp.Diff(live, folded); diff != "" {
			t.Errorf("%s: %q:\n%s", p.File, p.Name, diff)
		}
	}
}

// everythingRead is everything that conditions can read of a run, as JSON.
func everythingRead(o *observe.Observed) map[string]string {
	all := map[string]string{"run": jsonOf(read.Object(observe.RunFields, &o.Run, read.Everything))}
	for name, s := range o.Steps {
		all["step."+name] = jsonOf(observe.StepVal(s, read.Everything))
	}
	for name, target := range o.Targets {
		all["target."+name] = jsonOf(read.Object(observe.TargetFields, target, read.Everything))
	}
	for name, g := range o.Gateways {
		all["gateway."+name] = jsonOf(read.Object(observe.GatewayFields, g, read.Everything))
	}
	order := ""
	for _, s := range o.Order {
		order += s.Name + " "
	}
	all["order"] = order
	return all
}

func jsonOf(v cty.Value) string { return string(event.Value{Value: v}.AppendJSON(nil)) }
