package judge_test

import (
	"encoding/json"
	"hash/fnv"
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/scenario-lang/scenario/faults"
	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/interp/internal/engine"
	"github.com/scenario-lang/scenario/interp/internal/event"
	"github.com/scenario-lang/scenario/interp/internal/judge"
	"github.com/scenario-lang/scenario/interp/internal/observe"
	"github.com/scenario-lang/scenario/interp/internal/plan"
	"github.com/scenario-lang/scenario/stdlib"
	"github.com/scenario-lang/scenario/suite"
	"github.com/scenario-lang/scenario/trace"
)

// Every invariant of std/resilience has its rule in Go, and there is no other rule.
func TestResilienceRulesAreThoseOfTheFile(t *testing.T) {
	src, _ := stdlib.Module(strings.TrimPrefix(observe.ResilienceFile, stdlib.ModulePrefix))
	var names []string
	for _, block := range strings.Split(string(src), "\ninvariant \"")[1:] {
		name, _, _ := strings.Cut(block, "\"")
		names = append(names, name)
	}
	if diff := cmp.Diff(names, observe.ResilienceRules()); diff != "" {
		t.Error(diff)
	}
}

// own are worlds of this test, in which every rule about steps has something to say.
const own = "testdata/resilience"

// isPlayed reports whether a scenario is: those of this test, of the others one of ten, with
// -short one of fifty.
func isPlayed(path, name string) bool {
	h := fnv.New32()
	h.Write([]byte(path + name))
	of := uint32(10)
	if testing.Short() {
		of = 50
	}
	return strings.HasPrefix(path, own) || h.Sum32()%of == 0
}

// imported are the files of ./scenarios and of this test, each with std/resilience imported.
func imported(t *testing.T) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	addImporting(t, files, "../../../scenarios", "")
	addImporting(t, files, own, own+"/")
	return files
}

func addImporting(t *testing.T, files fstest.MapFS, dir, as string) {
	t.Helper()
	root := os.DirFS(dir)
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := fs.ReadFile(root, path)
		text := string(data)
		switch {
		case !strings.HasSuffix(path, ".scenario.hcl"), strings.Contains(text, `"std/resilience"`):
		case strings.Contains(text, "\nimport = ["):
			text = strings.Replace(text, "\nimport = [", "\nimport = [\"std/resilience\", ", 1)
		default:
			text = "import = [\"std/resilience\"]\n" + text
		}
		files[as+path] = &fstest.MapFile{Data: []byte(text)}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// What a run knows of std/resilience by rules in Go is what its conditions say: the same
// verdict, problems with their messages, places and operands, and counts of evaluations.
// It is so for every scenario, whatever strikes it, and for traces that no run could have:
// a line of theirs is missing or changed.
func TestResilienceInGoIsWhatItsConditionsSay(t *testing.T) {
	files := imported(t)
	loader := suite.Loader{Source: suite.FS(files)}
	defer loader.Close()
	compared, broke, seen := 0, map[string]int{}, 0
	same := func(t *testing.T, what string, want, got *plan.Result) {
		t.Helper()
		if diff := cmp.Diff(judgedOf(want), judgedOf(got)); diff != "" {
			t.Errorf("%s: the conditions (-) and the rules in Go (+) differ:\n%s", what, diff)
		}
		for _, p := range want.Problems {
			if p.Kind == "invariant" && p.Range.Filename == observe.ResilienceFile {
				broke[p.Name]++
			}
		}
		compared++
	}
	for path := range files {
		if !strings.HasSuffix(path, ".scenario.hcl") || strings.HasPrefix(path[strings.LastIndex(path, "/")+1:], "_") {
			continue
		}
		for _, h := range loader.Load(path).Plans {
			if h.Barred(interp.Interpreted) != "" || plan.Inside(h).Skip != "" || !isPlayed(path, h.Name) {
				continue
			}
			if seen++; testing.Short() && seen%4 != 0 && !strings.HasPrefix(path, own) {
				continue
			}
			for n := range 1 + len(strikes) {
				what := path + ": " + h.Name
				if n > 0 {
					what += " under " + strikes[n-1].kind
				}
				r := engine.NewRun(plan.Inside(h), interp.RunOptions{Inject: striking(n)}, nil)
				known, all := judge.Watch(r.Obs, ""), judge.WatchAll(r.Obs)
				if err := r.Play(); err != nil {
					continue
				}
				want, got := &plan.Result{}, &plan.Result{}
				all.Judge(want)
				known.Judge(got)
				same(t, what, want, got)
				for i, change := range changes {
					if (i+n+len(h.Name))%3 != 0 && !strings.HasPrefix(path, own) {
						continue
					}
					want, err := judge.Judge(plan.Inside(h), changed(t, r.Log.Events(), change))
					got, known := judge.JudgeKnown(plan.Inside(h), changed(t, r.Log.Events(), change))
					switch {
					case (err == nil) != (known == nil):
						t.Errorf("%s, change %d: %v, and by rules in Go %v", what, i, err, known)
					case err == nil:
						same(t, what, want, got)
					}
				}
			}
		}
	}
	t.Logf("%d verdicts were compared; broken: %v", compared, broke)
	if len(broke) < 10 {
		t.Errorf("only these were broken: %v", broke)
	}
}

// judgedOf is what a judge says of a run.
func judgedOf(r *plan.Result) plan.Result {
	return plan.Result{Verdict: r.Verdict, Problems: r.Problems, Relaxed: r.Relaxed, Checks: r.Checks, Invariants: r.Invariants, Unseen: r.Unseen}
}

// strikes are kinds of faults, and how many attempts there are for each that they strike.
var strikes = []struct {
	kind  string
	every int
}{{"connection_reset", 2}, {"content_length_mismatch", 2}, {"http_error", 1}, {"hang", 1}, {"stream_truncate", 3}}

// striking injects one of them, none for 0.
func striking(n int) func(interp.Point) *interp.Injection {
	if n == 0 {
		return nil
	}
	kind, asked := faults.Lookup(strikes[n-1].kind), 0
	return func(p interp.Point) *interp.Injection {
		if asked++; kind == nil || asked%strikes[n-1].every != 0 || !p.Meets(kind) {
			return nil
		}
		return &interp.Injection{Fault: kind, Args: kind.Usual()}
	}
}

// changes are what is done to the lines of a trace: nil leaves one out.
var changes = []func(e map[string]any) map[string]any{
	func(e map[string]any) map[string]any { // a deadline ends late
		if e["type"] == "attempt_end" && e["kind"] == "timeout" {
			e["at_ns"] = e["at_ns"].(float64) + 1e6
		}
		return e
	},
	func(e map[string]any) map[string]any { // a failure is terminal
		if (e["type"] == "attempt_end" || e["type"] == "route") && e["outcome"] != "success" && e["kind"] != nil {
			e["terminal"], e["mode"] = true, "PLAN_FAILED"
		}
		return e
	},
	func(e map[string]any) map[string]any { // an answer is cut
		if e["type"] == "attempt_end" && e["outcome"] == "success" {
			delete(e, "complete")
		}
		return e
	},
	func(e map[string]any) map[string]any { // a server asked for more
		if e["type"] == "attempt_end" && e["outcome"] == "failure" {
			e["retry_after_ns"] = 5e9
		}
		return e
	},
	func(e map[string]any) map[string]any { // the first attempts never end
		if e["type"] == "attempt_end" && e["attempt"] == 1.0 {
			return nil
		}
		return e
	},
	func(e map[string]any) map[string]any { // a breaker opens at once, and stays open
		if e["type"] == "breaker" {
			e["to"] = "open"
		}
		return e
	},
	func(e map[string]any) map[string]any { // a lock is not given back
		if e["type"] == "unlock" {
			return nil
		}
		return e
	},
	func(e map[string]any) map[string]any { // nor a connection
		if e["type"] == "pool" && e["action"] == "release" {
			return nil
		}
		return e
	},
	func(e map[string]any) map[string]any { // who waits closes a circle
		if e["type"] == "lock_wait" || e["type"] == "pool" {
			e["circle"] = []string{"a waits for b"}
		}
		return e
	},
	func(e map[string]any) map[string]any { // all happens at half the time, in the middle of a millisecond
		e["at_ns"] = float64(int64(e["at_ns"].(float64)/2 + 1))
		return e
	},
}

// changed are events with a change made to each.
func changed(t *testing.T, events []trace.Event, change func(map[string]any) map[string]any) []trace.Event {
	t.Helper()
	var list []trace.Event
	for _, e := range events {
		var members map[string]any
		if err := json.Unmarshal(e.AppendJSON(nil), &members); err != nil {
			t.Fatal(err)
		}
		if members = change(members); members == nil {
			continue
		}
		line, err := json.Marshal(members)
		if err != nil {
			t.Fatal(err)
		}
		read, err := event.Read(line)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, read)
	}
	return event.Shown(list)
}
