package interp

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/trace/tracetest"
)

// A run that tells more events than it may ends at once with the verdict error,
// says which limit it was, and tells of no start without its end.
func TestEventLimit(t *testing.T) {
	p := mustCompile(t, testWorld+jittered)[0]
	all := len(Run(p, RunOptions{}).Events)
	// The end of what has started is taken beyond the limit, so that the last
	// event, the run's own end, needs no room.
	for limit := 1; limit < all-1; limit++ {
		r := Run(p, RunOptions{EventLimit: limit})
		if r.Verdict != Error || len(r.Problems) != 1 || !strings.Contains(told(r), "Look for a loop") {
			t.Fatalf("limit %d: verdict %s:\n%s", limit, r.Verdict, told(r))
		}
		if open := tracetest.Unended(r.Events); len(open) > 0 || len(r.Events) > 2*limit {
			t.Fatalf("limit %d: %d events, %d without an end", limit, len(r.Events), len(open))
		}
	}
	if r := Run(p, RunOptions{EventLimit: all}); r.Verdict != Pass {
		t.Errorf("limit %d: verdict %s:\n%s", all, r.Verdict, told(r))
	}
}

// Virtual time has an end (100 years): what would pass it is an
// error that says so.
func TestTimeLimit(t *testing.T) {
	r := play(t, `
workflow "w" {
  step "wait" "a" { for = "36500d" }
  step "wait" "b" {
    for        = "1d"
    depends_on = [step.a]
  }
}
scenario "s" {
  run = workflow.w
  expect "run" { status = "success" }
}`)
	if r.Verdict != Error || !strings.Contains(told(r), "limit") {
		t.Errorf("verdict %s:\n%s", r.Verdict, told(r))
	}
}

// Ten thousand attempts are counted, told and judged.
func TestManyAttempts(t *testing.T) {
	const retries = 999
	var steps strings.Builder
	for i := range 10 {
		fmt.Fprintf(&steps, "  step \"llm\" \"s%d\" {\n    prompt = \"x\"\n    retry  = retry.endless\n  }\n", i)
	}
	mustPass(t, testWorld+fmt.Sprintf(`
retry "linear" "endless" {
  delay       = "1ms"
  max_retries = %d
}
workflow "w" {
  provider   = provider.primary
  on_failure = "continue"
%s}
scenario "s" {
  run = workflow.w
  on "*" {
    fault "connection_reset" {}
  }
  expect "run" { status = "failed" }
  assert "they are all there" {
    condition = metric("scenario_attempts_total") == 10000 && length(step.s9.attempts) == 1000 && step.s9.attempts[999].at_ms == 999
  }
}`, retries, steps.String()))
}

// A simulated day costs as many scheduler events as a simulated second, and a
// hang none at all.
func TestTimeIsFree(t *testing.T) {
	events := func(latency string) uint64 {
		p := mustCompile(t, testWorld+askOnce+`
scenario "s" {
  run = workflow.w
  on "ask" {
    fault "http_error" { after = "`+latency+`" }
    reply {
      content = "x"
      latency = "`+latency+`"
    }
  }
  expect "ask" { content = "x" }
}`)[0]
		r := engine.NewRun(plan.Inside(p), RunOptions{}, nil)
		if err := r.Play(); err != nil {
			t.Fatal(err)
		}
		d, err := time.ParseDuration(latency)
		if err != nil {
			t.Fatal(err)
		}
		if want := 2*d + time.Second; r.Clock.Elapsed() != want {
			t.Errorf("the run took %s, want %s", r.Clock.Elapsed(), want)
		}
		return r.Clock.Events()
	}
	second, day := events("1s"), events("24h")
	if second != day || second == 0 {
		t.Errorf("a second costs %d events, a day %d", second, day)
	}
}

// The largest workflows that a file may hold run to their end: ten thousand
// steps in a chain, side by side, and in pairs of a step and its fallback.
func TestManySteps(t *testing.T) {
	for name, step := range map[string]func(b *strings.Builder, i int){
		"chain": func(b *strings.Builder, i int) {
			value := "0"
			if i > 0 {
				value = fmt.Sprintf("step.s%d.output + 1", i-1)
			}
			fmt.Fprintf(b, "  step \"value\" \"s%d\" { value = %s }\n", i, value)
		},
		"side by side": func(b *strings.Builder, i int) {
			fmt.Fprintf(b, "  step \"wait\" \"s%d\" { for = \"1s\" }\n", i)
		},
		"fallbacks": func(b *strings.Builder, i int) {
			if i%2 == 0 {
				fmt.Fprintf(b, "  step \"value\" \"s%d\" {\n    value    = 1\n    fallback = step.s%d\n  }\n", i, i+1)
				return
			}
			fmt.Fprintf(b, "  step \"value\" \"s%d\" { value = 2 }\n", i)
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			for i := range 10000 {
				step(&b, i)
			}
			p := mustCompile(t, "workflow \"w\" {\n"+b.String()+`}
scenario "s" {
  run = workflow.w
  expect "run" { status = "success" }
}`)[0]
			began := time.Now()
			if r := Run(p, RunOptions{}); r.Verdict != Pass {
				t.Error(told(r))
			}
			t.Log(time.Since(began))
		})
	}
}
