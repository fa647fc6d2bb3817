package explore

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// plansOf compiles a file.
func plansOf(t testing.TB, text string) []*interp.Plan {
	t.Helper()
	l := suite.Loader{Source: suite.FS(fstest.MapFS{"a.scenario.hcl": {Data: []byte(text)}}), Placeholder: func(string) bool { return true }}
	t.Cleanup(func() { l.Close() })
	f := l.Load("a.scenario.hcl")
	if f.Failed() {
		t.Fatal(f.Diags, f.Crash)
	}
	return f.Plans
}

// search explores the first scenario of a text.
func searched(t testing.TB, text string, o Options) *Report {
	t.Helper()
	if o.Runs == 0 {
		o.Runs = 50_000
	}
	r := Explore(Interpreted(plansOf(t, text)[0], nil), o)
	if !r.Pass() {
		t.Fatalf("it does not pass by itself: %+v", r.Base.Problems)
	}
	return r
}

// findsOf names finds, each with what it takes.
func findsOf(r *Report) []string {
	var list []string
	for _, f := range r.Finds {
		list = append(list, fmt.Sprintf("%s %s: %s", f.Oracle, f.Name, f.Set))
	}
	return list
}

// head is what planted worlds have in common.
const head = `
provider "http" "billing" {
  base_url = "http://billing"
  timeout  = "10s"
}
provider "http" "mail" {
  base_url = "http://mail"
  timeout  = "10s"
}
provider "openai" "model" {
  model   = "m"
  timeout = "10s"
}
retry "linear" "thrice" {
  delay       = "1s"
  max_retries = 2
}
`

// asked is the scenario of the worlds that have none of their own.
const asked = `
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { content = "so" }
  }
  expect "ask" { content = "so" }
}
`

// A planted world has a bug, and a twin in which it is mended.
var planted = []struct {
	name, text string
	// mended are pairs of what is replaced and by what.
	mended []string
	// find is what has to be found first, and k how many faults that takes.
	find string
	k    int
}{
	{
		name: "the server's wait is ignored",
		text: `
retry "linear" "hasty" {
  delay               = "1s"
  max_retries         = 2
  respect_retry_after = false
}
workflow "w" {
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    retry    = retry.hasty
  }
}`,
		mended: []string{"respect_retry_after = false", "respect_retry_after = true"},
		find:   "a retry waits at least as long as the server asked", k: 1,
	},
	{
		name: "a charge is sent twice",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "charge" {
    method     = "POST"
    path       = "/charge"
    idempotent = true
    retry      = retry.thrice
  }
}
invariant "an order is charged once" {
  condition = length([for a in step.charge.attempts : a if try(a.error.cause != "refused" && a.error.cause != "dns" && a.error.cause != "tls" && a.error.status_code != 429 && a.error.status_code != 503, true)]) <= 1
}
scenario "s" {
  run = workflow.w
  on "charge" {
    reply { json = { ok = true } }
  }
  expect "charge" { status = "success" }
}`,
		mended: []string{"idempotent = true", "idempotent = false"},
		find:   "an order is charged once", k: 1,
	},
	{
		name: "success without an answer",
		text: `
workflow "w" {
  on_failure = "continue"
  output     = step.ask.content
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    required = false
  }
}
invariant "who says success has an answer" {
  condition = run.status != "success" || run.output != null
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who says success has an answer", k: 1,
	},
	{
		name: "a call may wait for ever",
		text: `
provider "http" "slow" { base_url = "http://slow" }
workflow "w" {
  step "http" "ask" {
    provider = provider.slow
    path     = "/"
  }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`,
		mended: []string{`{ base_url = "http://slow" }`, "{\n  base_url = \"http://slow\"\n  timeout  = \"3s\"\n}"},
		find:   "deadlock", k: 1,
	},
	{
		name: "an answer that says there is nothing is read all the same",
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "invoice" {
    path          = "/invoice"
    expect_status = [200, 404]
  }
  step "value" "id" { value = step.invoice.json.id }
}
scenario "s" {
  run = workflow.w
  on "invoice" {
    reply { json = { id = 7 } }
  }
  expect "id" { output = 7 }
}`,
		mended: []string{"step.invoice.json.id", "try(step.invoice.json.id, null)"},
		find:   "broken_expression", k: 1,
	},
	{
		name: "a release that fails, too, is told as success",
		text: `
workflow "w" {
  provider   = provider.billing
  on_failure = "continue"
  step "http" "reserve" {
    method = "POST"
    path   = "/reserve"
  }
  step "http" "pay" {
    method      = "POST"
    path        = "/pay"
    depends_on  = [step.reserve]
    required    = false
    fallback    = step.release
    fallback_on = "any"
  }
  step "http" "release" {
    method = "DELETE"
    path   = "/release"
  }
}
invariant "who says success has paid or released" {
  condition = run.ended_ms == null || run.status != "success" || step.pay.status == "success" || step.release.status == "success"
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply { json = { id = 1 } }
  }
  on "pay" {
    reply { json = { paid = true } }
  }
  on "release" {
    reply {
      json     = { released = true }
      optional = true
    }
  }
  expect "pay" { status = "success" }
}`,
		mended: []string{"required    = false", "required    = true"},
		find:   "who says success has paid or released", k: 2,
	},
	{
		name: "one refused connection ends the run, which is to survive one",
		text: `
workflow "w" {
  provider = provider.billing
  tolerates {
    kinds = ["connection", "503"]
  }
  step "http" "ask" { path = "/" }
}
scenario "s" {
  run = workflow.w
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`,
		mended: []string{`step "http" "ask" { path = "/" }`, "step \"http\" \"ask\" {\n    path  = \"/\"\n    retry = retry.thrice\n  }"},
		find:   "one fault: connection, 503", k: 1,
	},
	{
		name: "what is reserved is paid although the reservation has run out", // a good answer comes late
		text: `
workflow "w" {
  provider = provider.billing
  step "http" "reserve" {
    method = "POST"
    path   = "/reservations"
  }
  step "http" "pay" {
    method     = "POST"
    path       = "/payments"
    depends_on = [step.reserve]
  }
}
invariant "who pays does so within five seconds" {
  condition = step.pay.status != "success" || step.pay.ended_ms - step.reserve.ended_ms <= 5000
}
scenario "s" {
  run = workflow.w
  on "reserve" {
    reply { json = { id = 1 } }
  }
  on "pay" {
    reply { json = { paid = true } }
  }
  expect "pay" { status = "success" }
}`,
		mended: []string{"depends_on = [step.reserve]", "depends_on = [step.reserve]\n    timeout    = \"5s\""},
		find:   "who pays does so within five seconds", k: 1,
	},
	{
		name: "an order is given up only when a service is down for a while", // no two faults end it
		text: `
workflow "w" {
  on_failure = "continue"
  output     = try(step.ask.content, "no answer")
  step "llm" "ask" {
    provider = provider.model
    prompt   = "why?"
    retry    = retry.thrice
    required = false
  }
}
invariant "who asked three times in vain does not say success" {
  condition = run.status != "success" || step.ask.status == "success" || length(step.ask.attempts) < 3
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who asked three times in vain does not say success", k: 1,
	},
	{
		name: "two targets fail one after the other",
		text: `
gateway "both" {
  target "first" { provider = provider.model }
  target "second" { provider = provider.model }
}
workflow "w" {
  on_failure = "continue"
  output     = try(step.ask.content, "no answer")
  step "llm" "ask" {
    gateway  = gateway.both
    prompt   = "why?"
    required = false
  }
}
invariant "who says success asked a target that works" {
  condition = run.status != "success" || step.ask.status != "failed" || length(step.ask.attempts) < 2
}`,
		mended: []string{"required = false", "required = true"},
		find:   "who says success asked a target that works", k: 2,
	},
}

// world is the text of a planted world, or of its twin.
func world(text string, mended []string) string {
	for i := 0; i+1 < len(mended); i += 2 {
		text = strings.Replace(text, mended[i], mended[i+1], 1)
	}
	if !strings.Contains(text, "scenario \"") {
		text += asked
	}
	return head + text
}

// Every planted bug is found, with no more faults than it takes, and none in the
// twin in which it is mended.
func TestPlanted(t *testing.T) {
	for _, p := range planted {
		t.Run(p.name, func(t *testing.T) {
			o := Options{MaxK: 2, Parallel: 2}
			if testing.Short() {
				o.Kinds = few
			}
			r := searched(t, world(p.text, nil), o)
			i := slices.IndexFunc(r.Finds, func(f *Find) bool { return f.Name == p.find })
			if i < 0 {
				t.Fatalf("it is not found; there is %q", findsOf(r))
			}
			if f := r.Finds[i]; f.K() != p.k {
				t.Errorf("it takes %d faults, want %d: %s", f.K(), p.k, f.Set)
			}
			twin := searched(t, world(p.text, p.mended), o)
			if len(twin.Finds) > 0 {
				t.Errorf("in the twin: %q", findsOf(twin))
			}
		})
	}
}

// few are the kinds of searches that are compared with each other.
var few = []string{"connection_refused", "timeout", "http_error", "outage", "delay"}

// No strike of a find can be left out.
func TestFindsAreLeast(t *testing.T) {
	for _, p := range planted {
		text := world(p.text, nil)
		w := Interpreted(plansOf(t, text)[0], nil)
		for _, f := range searched(t, text, Options{MaxK: 2, Parallel: 2, Kinds: few}).Finds {
			for i := range f.Set {
				less := slices.Delete(slices.Clone(f.Set), i, i+1)
				o := w.play(less, newReader(w.Plan), 0, true)
				if slices.ContainsFunc(o.broken, func(b interp.Problem) bool { return b.Name == f.Name }) {
					t.Errorf("%s: %q is broken by %q alone", p.name, f.Name, less)
				}
			}
		}
	}
}

// A search says the same twice, and however many runs are made at one time.
func TestSearchesAreEqual(t *testing.T) {
	for _, p := range planted {
		var first string
		for _, parallel := range []int{1, 8, 8} {
			o := Options{MaxK: 2, Runs: 200, Parallel: parallel}
			var b strings.Builder
			if err := WriteText(&b, []*Report{searched(t, world(p.text, nil), o)}, o); err != nil {
				t.Fatal(err)
			}
			if err := WriteJSON(&b, []*Report{searched(t, world(p.text, nil), o)}); err != nil {
				t.Fatal(err)
			}
			if first == "" {
				first = b.String()
			} else if b.String() != first {
				t.Errorf("%s: with %d at a time:\n%s\nbefore:\n%s", p.name, parallel, b.String(), first)
			}
		}
	}
}

// What runs have in common is tried once, and nothing is lost by that.
func TestMergingLosesNothing(t *testing.T) {
	for _, p := range planted {
		merged := searched(t, world(p.text, nil), Options{MaxK: 2, Parallel: 2, Kinds: few})
		all := searched(t, world(p.text, nil), Options{MaxK: 2, Parallel: 2, Kinds: few, unmerged: true})
		if got, want := findsOf(merged), findsOf(all); !slices.Equal(got, want) {
			t.Errorf("%s: %q, and without merging %q", p.name, got, want)
		}
		if a := merged.Account; a.Merged == 0 || a.Runs > all.Account.Runs {
			t.Errorf("%s: %+v, and without merging %+v", p.name, a, all.Account)
		}
	}
}

func BenchmarkExplore(b *testing.B) {
	w := Interpreted(plansOf(b, world(planted[5].text, nil))[0], nil)
	for name, bare := range map[string]bool{"bare": true, "std": false} {
		b.Run(name, func(b *testing.B) {
			runs := 0
			for b.Loop() {
				runs += Explore(w, Options{MaxK: 1, Runs: 1 << 20, Parallel: 1, NoStandard: bare}).Account.Runs
			}
			b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(runs), "µs/run")
		})
	}
}

// A stream is also cut before its last delta, wherever its answer has enough of them.
func TestStreamsAreCutBeforeTheirLastDelta(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.model
  step "llm" "long" {
    prompt = "why?"
    stream = true
  }
  step "llm" "short" {
    prompt = "why?"
    stream = true
  }
}
scenario "s" {
  run = workflow.w
  on "long" {
    reply { chunks = ["one ", "two ", "three ", "four ", "five"] }
  }
  on "short" {
    reply { chunks = ["one ", "two ", "three"] }
  }
  expect "run" { status = "success" }
}`
	var b strings.Builder
	if err := WritePoints(&b, Interpreted(plansOf(t, text)[0], nil), Options{Kinds: []string{"stream_truncate"}}); err != nil {
		t.Fatal(err)
	}
	long, short, _ := strings.Cut(b.String(), "short, attempt 1")
	for _, end := range []string{"after_chunks = 4)", "after_chunks = 4, end = eof", "after_chunks = 4, end = clean", "after_chunks = 4, end = stall"} {
		if !strings.Contains(long, end) || strings.Contains(short, end) {
			t.Errorf("%s:\n%s", end, b.String())
		}
	}
}
