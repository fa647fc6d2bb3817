package explore

import (
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/metrics"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/suite"
)

// examples are the scenarios of the repository.
const examples = "../../scenarios"

// exampleFiles are their paths, without those of programs that are started.
func exampleFiles(t testing.TB) []string {
	t.Helper()
	var list []string
	err := filepath.WalkDir(examples, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, suite.Suffix) {
			name, _ := filepath.Rel(examples, path)
			list = append(list, filepath.ToSlash(name))
		}
		return err
	})
	if err != nil || len(list) < 50 {
		t.Fatalf("%d files: %v", len(list), err)
	}
	return list
}

// overlaid are the examples with files replaced, or added.
type overlaid struct {
	fs.FS
	texts map[string][]byte
}

func (o overlaid) Open(name string) (fs.File, error) {
	if text, ok := o.texts[name]; ok {
		return fstest.MapFS{name: {Data: text}}.Open(name)
	}
	return o.FS.Open(name)
}

// What exploring one file may take: so many runs of a scenario, and so many of those of a
// file; so much memory; and so long.
const (
	fuzzRuns      = 200
	fuzzScenarios = 3
	fuzzMemory    = 256 << 20
	fuzzTime      = 2 * time.Minute
	// fuzzSample is one of how many examples is explored by the ordinary tests.
	fuzzSample = 12
)

// exploreAny explores a file, where that is valid, and reports whether it is. Whatever it
// says, that comes to an end within its budget, and takes no more memory than it may.
func exploreAny(t *testing.T, name string, text []byte) (valid bool) {
	t.Helper()
	l := suite.Loader{Source: suite.FS(overlaid{os.DirFS(examples), map[string][]byte{name: text}}), Placeholder: func(string) bool { return true }}
	defer l.Close()
	file := l.Load(name)
	if file.Crash != "" {
		t.Fatal(file.Crash)
	}
	if file.Failed() {
		return false
	}
	left := fuzzScenarios
	for _, p := range file.Plans {
		if left == 0 || p.NotRun(interp.Interpreted) != "" {
			continue
		}
		left--
		hangs := time.AfterFunc(fuzzTime, func() { panic("it hangs: " + name + "\n" + string(text)) })
		heap := sync.OnceValue(func() []metrics.Sample { return []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}} })
		o := Options{MaxK: 2, Runs: fuzzRuns, Parallel: 2}
		o.Progress = func(at Progress) {
			if metrics.Read(heap()); heap()[0].Value.Uint64() > fuzzMemory {
				t.Errorf("%d MiB after %d runs", heap()[0].Value.Uint64()>>20, at.Made)
			}
		}
		w := Interpreted(p, nil)
		r := Explore(w, o)
		hangs.Stop()
		if r.Account.Runs > fuzzRuns {
			t.Errorf("%d runs", r.Account.Runs)
		}
		for _, write := range []func() error{
			func() error { return WriteText(io.Discard, []*Report{r}, o, 0) },
			func() error { return WriteJSON(io.Discard, []*Report{r}, 0) },
			func() error { return WritePoints(io.Discard, w, o) },
		} {
			if err := write(); err != nil {
				t.Error(err)
			}
		}
		for _, f := range r.Finds {
			_, _ = Emit(w, f, text, "./"+filepath.Base(name))
		}
	}
	return true
}

// Any valid file can be explored: without a panic, within its budget, in 256 MiB. Where
// nobody looks for others, it is a sample of the examples.
func FuzzExplore(f *testing.F) {
	files := exampleFiles(f)
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for i, name := range files {
		if !fuzzing && i%fuzzSample != 0 {
			continue
		}
		text, err := os.ReadFile(filepath.Join(examples, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(uint8(i), text)
	}
	f.Fuzz(func(t *testing.T, i uint8, text []byte) {
		exploreAny(t, files[int(i)%len(files)], text)
	})
}

// loops is a file with a loop in a loop, of so many iterations each, and a provider whose
// answers are as the script says.
func loops(iterations int) string {
	return fmt.Sprintf(`
provider "http" "shop" {
  base_url = "https://shop.test"
  timeout  = "1s"
}
workflow "w" {
  provider   = provider.shop
  on_failure = "continue"
  step "loop" "outer" {
    max_iterations = %[1]d
    step "loop" "inner" {
      max_iterations = %[1]d
      step "http" "look" {
        path     = "/look"
        required = false
      }
    }
  }
}
scenario "s" {
  run = workflow.w
  on "outer.inner.look" {
    reply {
      json  = {}
      times = "*"
    }
  }
  expect "run" { status = "success" }
}
`, iterations)
}

// What equal requests, answers and failures of a run say is held once: a run of 20,000
// events, of which all attempts fail alike, keeps less than half a kilobyte of each.
func TestAlikeEventsAreHeldOnce(t *testing.T) {
	w := Interpreted(planOf(t, loops(60)), nil)
	s := newSearch(w, &Options{MaxK: 1, Runs: 1, Kinds: []string{"outage"}})
	s.begin()
	for _, o := range s.outages(&s.base.points[0]) {
		if o.Fault.Name != "http_error" {
			continue
		}
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		r := w.Run(Set{o}.Injector(), 0)
		runtime.GC()
		runtime.ReadMemStats(&after)
		each := int(after.HeapAlloc-before.HeapAlloc) / len(r.Events)
		if len(r.Events) < 20_000 || each > 500 {
			t.Errorf("%d events of %d bytes each", len(r.Events), each)
		}
		runtime.KeepAlive(r)
		return
	}
	t.Error("no outage of 503")
}

// A run that is too long to be made hundreds of times is told so, and is not begun again.
func TestRunTooLongToSearch(t *testing.T) {
	r := Explore(Interpreted(planOf(t, loops(200)), nil), Options{MaxK: 2, Runs: fuzzRuns})
	if r.Pass() || r.Account.Runs != 1 || len(r.Base.Problems) != 1 || !strings.Contains(r.Base.Problems[0].Message, "more than 50,000 events is too long for a search") {
		t.Errorf("%s after %d runs: %+v", r.Base.Verdict, r.Account.Runs, r.Base.Problems)
	}
}

// A run of many points is explored within its budget: what could be tried besides is
// counted and not made.
func TestManyPoints(t *testing.T) {
	text := loops(10)
	if !exploreAny(t, "many.scenario.hcl", []byte(text)) {
		t.Fatal("it is not valid")
	}
	r := searched(t, text, Options{MaxK: 2, Runs: 60, Kinds: []string{"connection_refused", "dns_error"}})
	if l := r.Account.Levels; len(r.Points) != 100 || l[0].Sets != 200 || l[0].Tried != 59 || r.Account.Complete() {
		t.Errorf("%d points, %+v", len(r.Points), l)
	}
	r = searched(t, text, Options{MaxK: 2, Runs: 300, Kinds: []string{"connection_refused", "dns_error"}})
	// The fault at point n is followed by two at each of the 100-n points behind it; the two
	// kinds at a point are told apart.
	if l := r.Account.Levels; l[0].Tried != 200 || l[1].Sets != 2*2*100*99/2 || l[1].Tried != 99 {
		t.Errorf("%+v", l)
	}
}
