package explore

import (
	"flag"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/internal/cputime"
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

// goals says that what depends on the machine is held to its goal, and not only printed,
// and that every world is searched and not a sample of them.
var goals = flag.Bool("goals", false, "search every world, and hold figures of the machine to their goals")

// whole reports whether every world is searched.
func whole() bool { return *goals && !testing.Short() }

// usual is what the command does where no flag says otherwise.
func usual() Options { return Options{MaxK: UsualK, Runs: UsualRuns, Parallel: 2} }

// sampled are the planted worlds: all of them, or every third.
func sampled() iter.Seq2[int, *plantedWorld] {
	return func(yield func(int, *plantedWorld) bool) {
		for n := range planted {
			if (whole() || n%3 == 2) && !yield(n, &planted[n]) {
				return
			}
		}
	}
}

// plantedReports are the searches of planted worlds by the usual flags, and what each took.
var plantedReports = map[int]struct {
	*Report
	cpu time.Duration
}{}

// plantedReport is that of a planted world, which all tests share.
func plantedReport(t testing.TB, n int) (r *Report, cpu time.Duration) {
	t.Helper()
	x, ok := plantedReports[n]
	if !ok {
		from := cputime.Spent()
		x.Report = searched(t, world(planted[n].text, nil), usual())
		x.cpu = cputime.Spent() - from
		plantedReports[n] = x
	}
	return x.Report, x.cpu
}

// plantedCPU is what all planted worlds may take together, with the flags that everybody
// has.
const plantedCPU = time.Minute

// Every planted bug is found by the flags that everybody has, with no more faults than it
// takes, and none in the twin in which it is mended. The finds come within the budget, and
// so does all else but where a test says it. The worlds take no more than a minute of a
// processor together.
func TestPlanted(t *testing.T) {
	var all, twins time.Duration
	worlds, two, events, runs := 0, 0, 0, 0
	for n, p := range sampled() {
		t.Run(p.name, func(t *testing.T) {
			r, cpu := plantedReport(t, n)
			all, runs, worlds = all+cpu, runs+r.Account.Runs, worlds+1
			i := slices.IndexFunc(r.Finds, func(f *Find) bool { return f.Name == p.find })
			if i < 0 {
				t.Fatalf("it is not found; there is %q", findsOf(r))
			}
			f := r.Finds[i]
			if f.K() != p.k {
				t.Errorf("it takes %d faults, want %d: %s", f.K(), p.k, f.Set)
			} else if f.Set.eventful() > 0 != p.event {
				t.Errorf("an event is one of them, want %t: %s", p.event, f.Set)
			}
			if a := &r.Account; !a.Complete() || a.Runs > UsualRuns {
				t.Errorf("not all was tried: %s", a.progress(usual()))
			}
			if f.K() == 2 && f.Set[:1].String() != f.Set[1:].String() { // a kind at two places, or two kinds
				two++
			}
			events += f.Set.eventful()
			from := cputime.Spent()
			twin := searched(t, world(p.text, p.mended), usual())
			if len(twin.Finds) > 0 {
				t.Errorf("in the twin: %q", findsOf(twin))
			}
			twins += cputime.Spent() - from
		})
	}
	t.Logf("%d worlds: %d runs, %.1fs of CPU; their twins %.1fs", worlds, runs, all.Seconds(), twins.Seconds())
	if !whole() || t.Failed() {
		return
	}
	if worlds < 20 || two < 5 || events < 1 {
		t.Errorf("%d worlds, %d that need two different faults, %d events: want 20, 5, 1", worlds, two, events)
	}
	if *goals && all > plantedCPU {
		t.Errorf("they take %s of CPU, want %s", all, plantedCPU)
	}
}

// few are the kinds of searches that are compared with each other many times.
var few = []string{"connection_refused", "timeout", "http_error", "outage", "delay"}

// No strike of a find can be left out, of all that the usual flags find.
func TestFindsAreLeast(t *testing.T) {
	tried := 0
	for n, p := range sampled() {
		w := Interpreted(plansOf(t, world(p.text, nil))[0], nil)
		r, _ := plantedReport(t, n)
		for _, f := range r.Finds {
			for i := range f.Set {
				less := slices.Delete(slices.Clone(f.Set), i, i+1)
				o := w.play(less, newReader(w.Plan), 0, true)
				if slices.ContainsFunc(o.broken, func(b interp.Problem) bool { return b.Name == f.Name }) {
					t.Errorf("%s: %q is broken by %q alone", p.name, f.Name, less)
				}
				tried++
			}
		}
	}
	if tried < 7 {
		t.Errorf("only %d strikes were left out", tried)
	}
}

// A search says the same twice, and however many runs are made at one time.
func TestSearchesAreEqual(t *testing.T) {
	for n, p := range planted {
		if !whole() && n%4 != 0 {
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

// What runs have in common is tried once, and nothing is lost by that: with all kinds and
// events, and pairs of them.
func TestMergingLosesNothing(t *testing.T) {
	for n, p := range sampled() {
		merged, _ := plantedReport(t, n)
		o := usual()
		o.Runs, o.unmerged = 200_000, true
		all := searched(t, world(p.text, nil), o)
		if got, want := findsOf(merged), findsOf(all); !slices.Equal(got, want) {
			t.Errorf("%s: %q, and without merging %q", p.name, got, want)
		}
		if a := merged.Account; a.Merged == 0 || a.Runs > all.Account.Runs || !all.Account.Complete() {
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
