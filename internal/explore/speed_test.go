package explore

import (
	"fmt"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/cputime"
	"github.com/scenario-lang/scenario/interp"
)

// twoSteps is a world of two steps with retries and three invariants of its own.
const twoSteps = `
provider "http" "shop" { base_url = "https://shop.test" }
retry "exponential" "r" { max_retries = 3 }
workflow "w" {
  provider = provider.shop
  step "http" "look" {
    path    = "/look"
    retry   = retry.r
    timeout = "60s"
  }
  step "http" "take" {
    path       = "/take"
    retry      = retry.r
    timeout    = "60s"
    depends_on = [step.look]
  }
}
invariant "attempts are few" { condition = length(step.look.attempts) + length(step.take.attempts) <= 8 }
invariant "success has an answer" { condition = step.take.status != "success" || step.take.json.a == 1 }
invariant "nothing is taken before it was seen" { condition = length(step.take.attempts) == 0 || step.look.status == "success" }
scenario "s" {
  run = workflow.w
  on "look" {
    reply { json = { a = 1 } }
  }
  on "take" {
    reply { json = { a = 1 } }
  }
  expect "run" { status = "success" }
}
`

// manyAttempts is a run of many steps with one rule about all that they did.
const manyAttempts = `
provider "http" "shop" { base_url = "https://shop.test" }
workflow "w" {
  provider   = provider.shop
  on_failure = "continue"
%s}
RULE
scenario "s" {
  run = workflow.w
  on "*" {
    reply { json = { a = 1 } }
  }
  expect "run" { status = "success" }
}
`

// BenchmarkSpeed measures what the page about performance says of searches, in CPU time
// of the process, which depends less than the clock on what else the machine does.
func BenchmarkSpeed(b *testing.B) {
	perRun := func(b *testing.B, runs func() int) {
		from, n := cputime.Spent(), 0
		for b.Loop() {
			n += runs()
		}
		spent := cputime.Spent() - from
		b.ReportMetric(float64(spent.Nanoseconds())/1000/float64(n), "cpu-µs/run")
		b.ReportMetric(float64(n)/spent.Seconds(), "runs/cpu-s")
	}
	search := func(text string, o Options) func(*testing.B) {
		return func(b *testing.B) {
			w := Interpreted(plansOf(b, text)[0], nil)
			o.Parallel, o.Except = 1, []string{"deadlock", "wrong"}
			perRun(b, func() int { return Explore(w, o).Account.Runs })
		}
	}
	b.Run("search", search(twoSteps, Options{MaxK: 2, Runs: 3000}))
	b.Run("search, no rules of std", search(twoSteps, Options{MaxK: 2, Runs: 3000, NoStandard: true}))
	// Ten events a step and std/resilience imported: each step is refused once and asked again.
	ten := "import = [\"std/resilience\"]\n" + strings.NewReplacer(
		"  on \"look\" {\n", "  on \"look\" {\n    fault \"http_error\" { status_code = 503 }\n",
		"  on \"take\" {\n", "  on \"take\" {\n    fault \"http_error\" { status_code = 503 }\n",
	).Replace(twoSteps[:strings.Index(twoSteps, "invariant")]+twoSteps[strings.Index(twoSteps, "scenario \"s\""):])
	if n := len(Interpreted(plansOf(b, ten)[0], nil).Run(nil, 0).Events); n < 16 || n > 24 {
		b.Errorf("%d events of two steps", n)
	}
	b.Run("search, std imported, ten events a step", search(ten, Options{MaxK: 2, Runs: 3000}))
	// The same level of runs by the clock, on one core and on two: the quotient is what the
	// second one brings.
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprintf("level on %d cores", cores), func(b *testing.B) {
			w, runs := Interpreted(plansOf(b, twoSteps)[0], nil), 0
			for b.Loop() {
				runs += Explore(w, Options{MaxK: 2, Runs: 3000, Parallel: cores, Except: []string{"deadlock", "wrong"}}).Account.Runs
			}
			b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
		})
	}
	b.Run("search, std imported", search("import = [\"std/resilience\"]\n"+twoSteps, Options{MaxK: 2, Runs: 3000}))

	// The parts of one run.
	bare := twoSteps[:strings.Index(twoSteps, "invariant")] + twoSteps[strings.Index(twoSteps, "scenario \"s\""):]
	run := func(text string, inject func(interp.Point) *interp.Injection) func(*testing.B) {
		return func(b *testing.B) {
			w := Interpreted(plansOf(b, text)[0], nil)
			perRun(b, func() int { w.Run(inject, eventsMax); return 1 })
		}
	}
	b.Run("run", run(bare, nil))
	q := newSearch(Interpreted(plansOf(b, bare)[0], nil), &Options{MaxK: 1, Runs: 1000, Parallel: 1})
	q.begin()
	set := q.singles()[0]
	b.Run("run, one fault", run(bare, func(p interp.Point) *interp.Injection { return set.at(&p) }))

	var steps strings.Builder
	for i := range 150 {
		fmt.Fprintf(&steps, "  step \"http\" \"s%d\" { path = \"/%d\" }\n", i, i)
	}
	many := fmt.Sprintf(manyAttempts, steps.String())
	b.Run("run, 150 steps", run(strings.Replace(many, "RULE", "", 1), nil))
	b.Run("run, 150 steps, a rule over all attempts", run(strings.Replace(many, "RULE", `invariant "all" {
  condition = alltrue([for s in steps : try(length(s.attempts) <= 1, true)])
}`, 1), nil))
	b.Run("run, 150 steps, a rule over all events", run(strings.Replace(many, "RULE", `invariant "all" {
  condition = alltrue([for e in events({ type = "attempt_start" }) : e.at_ms <= 60000])
}`, 1), nil))
	b.Run("run, a nested condition", run(strings.Replace(bare, "scenario \"s\"", `invariant "nested" {
  condition = alltrue([for s in [step.look, step.take] : alltrue([for a in coalesce(s.attempts, []) : a.error == null || contains(["timeout", "connection"], a.error.kind)])])
}
scenario "s"`, 1), nil))

	b.Run("behaviour", func(b *testing.B) {
		p := plansOf(b, bare)[0]
		r, events := newReader(p.JSON()), Interpreted(p, nil).Run(nil, eventsMax).Events
		perRun(b, func() int { r.behaviour(events); return 1 })
	})
}
