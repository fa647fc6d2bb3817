package explore

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/scenario-lang/scenario/dsl/dotted"
	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// finds is how many finds of the repository's scenarios are written and run again: a few
// by the ordinary tests.
var finds = flag.Int("finds", 60, "how many finds of ../../scenarios are written and run again")

// fragile is a scenario of the repository that is to survive every fault.
type fragile struct {
	*World
	path string
	text []byte
	// singles are its faults at one point, and its outages, in a random order.
	singles []Set
}

// tolerant is the text of a file whose scenarios are to survive one fault of any kind.
func tolerant(t *testing.T, path string, text []byte) []byte {
	t.Helper()
	file, diags := hclwrite.ParseConfig(dotted.Plain(text, path), path, hcl.InitialPos)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	for _, b := range file.Body().Blocks() {
		if b.Type() != "scenario" || strings.HasPrefix(literal(b.Body(), "run"), "bench.") {
			continue
		}
		for _, own := range b.Body().Blocks() {
			if own.Type() == "tolerates" {
				b.Body().RemoveBlock(own)
			}
		}
		b.Body().AppendNewBlock("tolerates", nil)
	}
	return hclwrite.Format(dotted.Written(file.Bytes(), path))
}

// besides are the examples with other files in the place of some, or beside them.
func besides(files map[string][]byte) *suite.Loader {
	fsys := overlaid{os.DirFS(examples), files}
	return &suite.Loader{Source: suite.FS(fsys), Placeholder: func(string) bool { return true }}
}

// fragiles are the scenarios of every nth file that succeed without a fault.
func fragiles(t *testing.T, r *rand.Rand, nth int) []*fragile {
	t.Helper()
	var list []*fragile
	for i, name := range exampleFiles(t) {
		if i%nth != 0 {
			continue
		}
		text, err := os.ReadFile(path.Join(examples, name))
		if err != nil {
			t.Fatal(err)
		}
		text = tolerant(t, name, text)
		l := besides(map[string][]byte{name: text})
		t.Cleanup(func() { l.Close() })
		file := l.Load(name)
		if file.Failed() {
			t.Errorf("%s: %s%s", name, file.Diags, file.Crash)
			continue
		}
		for _, p := range file.Plans {
			if p.NotRun(interp.Interpreted) != "" {
				continue
			}
			f := &fragile{World: Interpreted(p, nil), path: name, text: text}
			points, base := f.bare()
			if o := (&outcome{last: -1}); base.Verdict != interp.Pass || o.statusOf(base) != "success" {
				continue
			}
			c := catalogueOf(f.World, &Options{}, figuresOf(f.Plan), base.Events)
			for i := range points {
				for _, o := range placesOf(f.World, &points[i]) {
					for _, x := range c.lasting(&points[i], &o) {
						f.singles = append(f.singles, Set{x})
					}
				}
				for _, x := range c.at(&points[i]) {
					f.singles = append(f.singles, Set{x})
				}
			}
			r.Shuffle(len(f.singles), func(i, j int) { f.singles[i], f.singles[j] = f.singles[j], f.singles[i] })
			list = append(list, f)
		}
	}
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}

// statusOf is how a run ended.
func (o *outcome) statusOf(r *interp.Result) string {
	for i := range r.Events {
		o.note(&r.Events[i])
	}
	return o.status
}

// unwritable are the reasons for which a find of one fault cannot be written.
var unwritable = []string{
	"it is one of many that a block stands for",
	"its scenario plays a recording",
	errStartup.Error(),
	"a script strikes the actor there, too",
	"an attempt asked again over a new connection",
}

// Where everything is to be survived, each single fault that is not is a find; and written
// as a scenario it fails when that is run: by the same check, after the same events. Of all
// faults of the repository's scenarios it is so many finds, one of each scenario in turn.
func TestEmittedFindsOfScenariosFail(t *testing.T) {
	nth := 1
	if *finds < 500 {
		nth = 8
	}
	worlds := fragiles(t, rand.New(rand.NewPCG(1, 2)), nth)
	left, tried, written := *finds, 0, 0
	why := map[string]int{}
	for round := 0; left > 0; round++ {
		again := false
		for _, w := range worlds {
			if left == 0 || round >= len(w.singles) {
				continue
			}
			again = true
			set := w.singles[round]
			run := w.Run(set.Injector(), 0)
			o := w.play(set, newReader(w.Plan), 0, true)
			if tried++; o.unfit != "" || o.unanswered != "" || o.stuck || o.status == "success" || o.status == "cancelled" {
				continue
			}
			i := slices.IndexFunc(o.broken, func(p interp.Problem) bool { return p.Kind == KindTolerates })
			if i < 0 {
				t.Errorf("%s: %q: %s ends it in %s, and is no find: %+v", w.path, w.Name, set, o.status, o.broken)
				continue
			}
			p := &o.broken[i]
			f := &Find{Oracle: p.Kind, Name: p.Name, Message: MessageOf(p), Range: p.Range, Set: o.set, Events: o.events, struck: o.struck}
			text, err := Emit(w.World, f, w.text, "../"+w.path)
			if err != nil {
				if !slices.Contains(unwritable, err.Error()) {
					t.Errorf("%s: %q: %s: %v", w.path, w.Name, set, err)
				}
				why[err.Error()]++
				continue
			}
			l := besides(map[string][]byte{w.path: w.text, "found/it.scenario.hcl": text})
			file := l.Load("found/it.scenario.hcl")
			if file.Failed() || len(file.Plans) != 1 {
				t.Errorf("%s: %q: %s: %s%s\n%s", w.path, w.Name, set, file.Diags, file.Crash, text)
				continue
			}
			again := interp.Run(file.Plans[0], interp.RunOptions{})
			l.Close()
			if !slices.ContainsFunc(again.Problems, func(p interp.Problem) bool { return f.Is(&p) }) {
				t.Errorf("%s: %q: %s: it does not fail:\n%s", w.path, w.Name, set, text)
			} else if diff := cmp.Diff(placeless(t, run.Events), placeless(t, again.Events)); diff != "" {
				t.Errorf("%s: %q: %s (- injected, + written):\n%s\n%s", w.path, w.Name, set, diff, text)
			}
			written++
			left--
		}
		if !again {
			t.Fatalf("only %d finds of %d faults were written: %v", written, tried, why)
		}
	}
	var unwritten strings.Builder
	for _, reason := range slices.Sorted(maps.Keys(why)) {
		fmt.Fprintf(&unwritten, "\n  %4d %s", why[reason], reason)
	}
	t.Logf("%d worlds, %d faults, %d finds written, and not:%s", len(worlds), tried, written, &unwritten)
}

// What strikes an attempt that an outage of its scenario strikes, too, comes before that,
// and so it does where it is written.
func TestEmittedBeforeOutages(t *testing.T) {
	const text = head + `
workflow "w" {
  provider = provider.billing
  step "http" "ask" {
    path  = "/"
    retry = retry.thrice
  }
}
scenario "s" {
  run = workflow.w
  outage "own" {
    provider = provider.billing
    to       = "1500ms"
    fault "http_error" { status_code = 503 }
  }
  on "ask" {
    reply { body = "so" }
  }
  expect "ask" { status = "success" }
}`
	w := Interpreted(plansOf(t, text)[0], nil)
	refused := faults.Lookup("connection_refused")
	for _, x := range []Strike{
		{Address: "ask", N: 1, Fault: refused},
		{Address: "ask", N: 2, Fault: refused},
		{Address: "ask", N: 3, Fault: refused},
		{Address: "ask", Fault: refused, Outage: &Outage{Address: "ask", To: 500 * time.Millisecond}},
	} {
		run := w.Run(Set{x}.Injector(), 0)
		found, err := Emit(w, &Find{Oracle: "invariant", Name: "none", Set: Set{x}, Events: run.Events}, []byte(text), "../a.scenario.hcl")
		if err != nil {
			t.Errorf("%s: %v", &x, err)
			continue
		}
		again := interp.Run(emitted(t, text, found), interp.RunOptions{})
		if diff := cmp.Diff(placeless(t, run.Events), placeless(t, again.Events)); diff != "" || run.Injected.Strikes != 1 {
			t.Errorf("%s, %d strikes (- injected, + written):\n%s\n%s", &x, run.Injected.Strikes, diff, found)
		}
	}
}
