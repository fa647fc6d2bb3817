package interp

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/interp/internal/schedule"
	"github.com/scenario-lang/scenario/trace"
)

// What a schedule calls impossible happens in no run, and its worst case bounds every
// run: of the scenarios of this repository under faults at every point, drawn anew for
// each run.
func TestScheduleBoundsEveryRun(t *testing.T) {
	trials := faults.Trials(faults.Figures{Statuses: []int{400, 429}, RetryAfters: []int{1, 7, 60}, Deadlines: []time.Duration{time.Second}})
	runs := 12
	if testing.Short() {
		runs = 3
	}
	bounded, never, total := 0, 0, 0
	err := filepath.WalkDir("../scenarios", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".scenario.hcl") {
			return err
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		plans, diags := tryCompile(path, string(source))
		if diags.HasErrors() {
			return nil
		}
		for i, p := range plans {
			if p.Skip != "" || p.NotRun(Interpreted) != "" || plan.Inside(p).Workflow.Size == 0 {
				continue
			}
			s := schedule.Of(p)
			if s.Longest.Open == "" {
				bounded++
			}
			for run := range runs {
				draw := rand.New(rand.NewPCG(uint64(i), uint64(run)))
				r := Run(p, RunOptions{Inject: func(at Point) *Injection {
					if draw.IntN(4) < run%4 {
						return nil
					}
					x := trials[draw.IntN(len(trials))]
					if !at.Meets(x.Kind) {
						return nil
					}
					return &Injection{Fault: x.Kind, Args: x.Args}
				}})
				total++
				never += held(t, fmt.Sprintf("%s, %q, run %d", path, p.Name, run), s, r)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if bounded < 50 || total < 500 {
		t.Errorf("%d schedules have a bound, %d runs", bounded, total)
	}
	t.Logf("%d runs, %d schedules with a bound, %d rounds that are never reached", total, bounded, never)
}

// held compares a run with a schedule, and returns how many rounds that never begin it had
// the chance to begin.
func held(t *testing.T, what string, s *schedule.Schedule, r *Result) int {
	t.Helper()
	dials, starts := map[string]int{}, map[string]time.Duration{}
	steps := map[string]*schedule.Step{}
	impossible := 0
	for _, st := range s.Steps {
		steps[st.Name] = st
		for _, round := range st.Rounds {
			if round.Never {
				impossible++
			}
		}
	}
	var began time.Duration
	for _, e := range r.Events {
		st := steps[e.Step]
		switch e.Type {
		case trace.RunStart:
			if e.Step == "" {
				began = e.At
			}
		case trace.StepStart:
			starts[e.Step] = e.At
		case trace.AttemptEnd:
			dials[e.Step]++
			if st == nil {
				continue
			}
			for _, round := range st.Rounds {
				if round.Never && e.Round >= round.N {
					t.Errorf("%s: step %q began round %d, which never begins", what, e.Step, e.Round)
				}
			}
		case trace.StepEnd:
			if st != nil && st.Longest.Open == "" && e.At-starts[e.Step] > st.Longest.Time {
				t.Errorf("%s: step %q took %s, at most %s", what, e.Step, e.At-starts[e.Step], st.Longest.Time)
			}
		case trace.Breaker:
			if slices.Contains(s.NeverOpen, e.Target) && e.Text("to") == "open" {
				t.Errorf("%s: the breaker of %q opened, which it never does", what, e.Target)
			}
		case trace.RunEnd:
			if cost, _ := e.Attr("cost_usd").(float64); e.Step == "" && s.Cost.Open == "" && s.Cost.Priced && cost > s.Cost.USD+1e-9 {
				t.Errorf("%s: the run cost %v, at most %v", what, cost, s.Cost.USD)
			}
			if e.Step == "" && s.Longest.Open == "" && s.Steps != nil && e.At-began > s.Longest.Time && !hasBlocks(r) {
				t.Errorf("%s: the run took %s, at most %s", what, e.At-began, s.Longest.Time)
			}
		}
	}
	for name, n := range dials {
		if st := steps[name]; st != nil && st.Calls.Open == "" && n > st.Calls.N {
			t.Errorf("%s: step %q made %d calls, at most %d", what, name, n, st.Calls.N)
		}
	}
	return impossible
}

// hasBlocks reports whether a scenario does something besides running its workflow.
func hasBlocks(r *Result) bool {
	p := plan.Inside(r.Plan)
	return len(p.Actions) > 0 || len(p.Outside) > 0
}

// The schedules of a few policies, computed by hand from the formulas of retries and
// timeouts: min(base × multiplier^(n-1), max_delay), the jitter around it, the server's
// wait as a lower bound, and deadlines from the outside in.
func TestScheduleByHand(t *testing.T) {
	for _, c := range []struct{ name, retry, step, flow, want string }{
		{"the tutorial", `retry "exponential" "r" { max_retries = 3 }`, `timeout = "5s"`, "", "0s 1s 3s never; 5s, 3"},
		{"a timeout that is just long enough", `retry "exponential" "r" { max_retries = 3 }`, `timeout = "7s"`, "", "0s 1s 3s 7s; 7s, 4"},
		{"an attempt timeout", `retry "linear" "r" {
  max_retries         = 2
  delay               = "2s"
  increment           = "1s"
  respect_retry_after = false
}`, `attempt_timeout = "4s"`, "", "0s 2s 5s; 17s, 3"},
		{"jitter begins early", `retry "exponential" "r" {
  max_retries         = 2
  base                = "4s"
  multiplier          = 3
  max_delay           = "10s"
  jitter              = 0.5
  respect_retry_after = false
}`, `attempt_timeout = "1s"`, "", "0s 2s 7s; 24s, 3"},
		{"the server's wait", `retry "linear" "r" {
  max_retries     = 1
  delay           = "1s"
  max_retry_after = "30s"
}`, `attempt_timeout = "1s"`, "", "0s 1s; 32s, 2"},
		{"the workflow ends it", `retry "linear" "r" {
  max_retries = 3
  delay       = "3s"
}`, `timeout = "1m"`, `timeout = "4s"`, "0s 3s never; 4s, 2"},
	} {
		p := mustCompile(t, fmt.Sprintf(`
provider "openai" "llm" { model = "m" }
%s
workflow "w" {
  provider = provider.llm
  %s
  step "llm" "a" {
    prompt = "x"
    retry  = retry.r
    %s
  }
}
scenario "s" {
  run = workflow.w
  on "a" {
    reply { content = "x" }
  }
  expect "a" { content = "x" }
}`, c.retry, c.flow, c.step))[0]
		s := schedule.Of(p)
		var got []string
		for _, r := range s.Steps[0].Rounds {
			if r.Never {
				got = append(got, "never")
			} else {
				got = append(got, r.From.String())
			}
		}
		if text := fmt.Sprintf("%s; %s, %d", strings.Join(got, " "), s.Longest.Time, s.Calls.N); text != c.want {
			t.Errorf("%s: %s, want %s", c.name, text, c.want)
		}
	}
}

// Shows that steps which run at one time are as long as the longest, where none has to wait
// for another one's end; that a step in a loop says what one of its times takes; and that
// of actors nothing is claimed.
func TestScheduleOfWhatRunsAtOnce(t *testing.T) {
	const world = `
provider "http" "s" {
  base_url = "http://s"
  timeout  = "2s"
}
actor "a" {
  handler "h" { takes = "3s" }
}
workflow "w" {
  provider = provider.s
  %s
}
scenario "s" {
  %s
}`
	two := "step \"http\" \"a\" { path = \"/a\" }\n step \"http\" \"b\" { path = \"/b\" }"
	loop := "step \"loop\" \"l\" {\n max_iterations = 6\n step \"http\" \"a\" { path = \"/a\" }\n }"
	run := "run = workflow.w\n on \"*\" {\n fault \"timeout\" {}\n }\n expect \"run\" { status = \"failed\" }"
	act := "call \"c\" { target = actor.a.h }\n expect \"c\" { status = \"success\" }"
	for _, c := range []struct{ flow, scenario, says string }{
		{two, run, "worst case of all: 2s, 2 calls"},
		{"max_concurrent = 2\n" + two, run, "worst case of all: 2s, 2 calls"},
		{"max_concurrent = 1\n" + two, run, "worst case of all: 4s, 2 calls"},
		{loop, run, "worst case: 2s each time, 6 calls\n  worst case of all: 12s, 6 calls"},
		{two, act, "worst case of all: not known, as what actors do is not planned"},
	} {
		var b strings.Builder
		if err := schedule.Of(mustCompile(t, fmt.Sprintf(world, c.flow, c.scenario))[0]).Write(&b, 0); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), c.says) {
			t.Errorf("%s\n%s\nwant %s", c.flow, &b, c.says)
		}
	}
}
