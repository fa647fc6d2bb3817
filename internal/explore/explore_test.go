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
				o.Kinds = append([]string{"hang", KindEvent}, few...) // what statements that were sent and actors meet
			}
			r := searched(t, world(p.text, nil), o)
			i := slices.IndexFunc(r.Finds, func(f *Find) bool { return f.Name == p.find })
			if i < 0 {
				t.Fatalf("it is not found; there is %q", findsOf(r))
			}
			if f := r.Finds[i]; f.K() != p.k {
				t.Errorf("it takes %d faults, want %d: %s", f.K(), p.k, f.Set)
			} else if f.Set.eventful() > 0 != p.event {
				t.Errorf("an event is one of them, want %t: %s", p.event, f.Set)
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
		for _, f := range searched(t, text, Options{MaxK: 2, Parallel: 2}).Finds {
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
	for n, p := range planted {
		if testing.Short() && n%4 != 0 {
			continue
		}
		var first string
		for _, parallel := range []int{1, 8, 8} {
			o := Options{MaxK: 2, Runs: 200, Parallel: parallel}
			var b strings.Builder
			if err := WriteText(&b, []*Report{searched(t, world(p.text, nil), o)}, o, 0); err != nil {
				t.Fatal(err)
			}
			if err := WriteJSON(&b, []*Report{searched(t, world(p.text, nil), o)}, 0); err != nil {
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
		merged := searched(t, world(p.text, nil), Options{MaxK: 2, Parallel: 2})
		all := searched(t, world(p.text, nil), Options{MaxK: 2, Parallel: 2, unmerged: true})
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

// Measures the runs of a search over a file that imports std/resilience, whose two steps
// have about ten events each.
func BenchmarkExploreImported(b *testing.B) {
	const text = `
import = ["std/resilience"]
retry "exponential" "r" { max_retries = 3 }
provider "http" "shop" { base_url = "https://shop.test" }
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
scenario "s" {
  run = workflow.w
  on "look" {
    fault "http_error" { status_code = 503 }
    reply { json = { a = 1 } }
  }
  on "take" {
    fault "http_error" { status_code = 503 }
    reply { json = { a = 1 } }
  }
  expect "run" { status = "success" }
}
`
	w := Interpreted(plansOf(b, text)[0], nil)
	runs := 0
	for b.Loop() {
		runs += Explore(w, Options{MaxK: 2, Runs: 3000, Parallel: 1, Except: []string{"deadlock"}}).Account.Runs
	}
	if n := len(w.Run(nil, 0).Events); n < 16 || n > 24 {
		b.Errorf("%d events", n)
	}
	b.ReportMetric(float64(runs)/b.Elapsed().Seconds(), "runs/s")
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
