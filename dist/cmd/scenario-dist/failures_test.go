package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/dist/internal/work"
	"github.com/scenario-lang/scenario/interp"
)

// messages is how many a stream has.
func messages(t *testing.T, q *queue.Queue, stream string) uint64 {
	t.Helper()
	s, err := q.JS.Stream(context.Background(), stream)
	if err != nil {
		t.Fatal(err)
	}
	return s.CachedInfo().State.Msgs
}

// unitsOf are the units of a run that nobody has done, in the order of the queue.
func unitsOf(t *testing.T, q *queue.Queue, r *job.Run) (units []job.Unit, msgs []*jetstream.RawStreamMsg) {
	t.Helper()
	s, err := q.JS.Stream(context.Background(), job.WorkStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	for seq := s.CachedInfo().State.FirstSeq; seq <= s.CachedInfo().State.LastSeq; seq++ {
		m, err := s.GetMsg(context.Background(), seq)
		if err != nil {
			continue
		}
		var u job.Unit
		if err := json.Unmarshal(m.Data, &u); err != nil {
			t.Fatal(err)
		}
		units, msgs = append(units, u), append(msgs, m)
	}
	return units, msgs
}

// publish puts a message into the queue.
func publish(t *testing.T, q *queue.Queue, subject string, data []byte, header nats.Header) {
	t.Helper()
	if _, err := q.JS.PublishMsg(context.Background(), &nats.Msg{Subject: subject, Data: data, Header: header}); err != nil {
		t.Fatal(err)
	}
}

// resultOf is the stored result of a unit.
func resultOf(t *testing.T, q *queue.Queue, r *job.Run, position int) *jetstream.RawStreamMsg {
	t.Helper()
	var m *jetstream.RawStreamMsg
	eventually(t, "a result is stored", func() bool {
		s, err := q.JS.Stream(context.Background(), job.ResultStream(r.ID))
		if err != nil {
			t.Fatal(err)
		}
		m, err = s.GetLastMsgForSubject(context.Background(), job.ResultSubject(r.ID, position))
		return err == nil
	})
	return m
}

// Shows that of a worker that is killed between storing a result and saying that the
// unit is done nothing is seen.
func TestKilledBeforeItSaysSo(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	if code, _, errs := called(t, nil, "run", "--report", "merge=want.jsonl"); code != 1 {
		t.Fatal(errs)
	}
	want, err := os.ReadFile("want.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	q, r := submitted(t, url, "--ack-wait", "200ms")
	take(t, q, r)
	publish(t, q, job.ResultSubject(r.ID, 1), []byte(strings.SplitAfter(string(want), "\n")[1]), nil)
	process(t, "worker", "--queue", url)
	eventually(t, "all units are done", func() bool { return messages(t, q, job.WorkStream(r.ID)) == 0 })
	code, _, errs := called(t, nil, "collect", r.ID, "--queue", url, "--report", "merge=got.jsonl")
	got, _ := os.ReadFile("got.jsonl")
	if code != 1 || string(got) != string(want) || messages(t, q, job.ExtraStream(r.ID)) != 0 {
		t.Errorf("exit code %d, %s\n%s\nwant\n%s", code, errs, got, want)
	}
}

// Shows that of two results of a program the first counts, and that the cost of the
// second is added.
func TestRepeatedTrial(t *testing.T) {
	url := local(t)
	started, release := holding(t, "")
	release()
	process(t, "worker", "--queue", url)
	q, before := submitted(t, url)
	first := resultOf(t, q, before, 1)
	eventually(t, "all have run", func() bool { return len(lines(started)) == 6 })
	if err := os.WriteFile(os.Getenv("HOLD"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	other := local(t) // where nobody works yet
	q2, r := submitted(t, other)
	process(t, "worker", "--queue", other)
	eventually(t, "the first trial begins", func() bool { return len(lines(started)) == 7 })
	publish(t, q2, job.ResultSubject(r.ID, 1), first.Data, nats.Header{job.BenchHeader: {"1"}, job.CostHeader: {"1"}})
	release()
	eventually(t, "the second result is noted", func() bool { return messages(t, q2, job.ExtraStream(r.ID)) == 1 })
	if _, said, _ := called(t, nil, "status", r.ID, "--queue", other); !strings.Contains(said, ", 1 trial repeated\n") || strings.Contains(said, "differ") {
		t.Errorf("status says\n%s", said)
	}
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", other, "--json")
	if code != 0 || !strings.Contains(out, "repeated: trial 1 of case") || !regexp.MustCompile(`"cost_usd":7\b`).MatchString(out) {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that a unit which two runs give two results ends the command with 6, with both
// of them. The engine gives none, so it is one that lies.
func TestUnitThatIsNotDeterministic(t *testing.T) {
	url := local(t)
	dir := folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	_, msgs := unitsOf(t, q, r)
	for _, m := range msgs { // as if their first worker had only been slow
		publish(t, q, m.Subject, m.Data, nil)
	}
	ctx, done := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	runs := 0
	w := work.New(q, 1, work.Options{
		Parallel: 1, Dir: filepath.Join(dir, "bundles"), Env: func(string) (string, bool) { return "", false }, Log: io.Discard,
		Play: func(p *interp.Plan, o interp.RunOptions) *interp.Result {
			result := interp.Run(p, o)
			runs++
			result.Virtual += time.Duration(runs) * 1111 * time.Nanosecond
			return result
		},
	})
	go func() { worked <- w.Work(ctx) }()
	eventually(t, "the second results are kept", func() bool { return messages(t, q, job.ExtraStream(r.ID)) == 2 })
	done()
	if err := <-worked; err != nil {
		t.Error(err)
	}
	if _, said, _ := called(t, nil, "status", r.ID, "--queue", url); !strings.Contains(said, ", 2 units with two results that differ\n") || strings.Contains(said, "repeated") {
		t.Errorf("status says\n%s", said)
	}
	code, _, errs := called(t, nil, "collect", r.ID, "--queue", url)
	if code != 6 || strings.Count(errs, "gave different results") != 2 || !strings.Contains(errs, "1111") || !strings.Contains(errs, "3333") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// Shows that a result which the server does not take, because it is too large, is an
// error of its unit that says so, and not one that is tried again and again. The server
// inside of a process takes it.
func TestLargeResult(t *testing.T) {
	url := local(t)
	dir := folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	ctx, done := context.WithCancel(context.Background())
	worked := make(chan error, 1)
	w := work.New(q, 1, work.Options{
		Parallel: 1, Dir: filepath.Join(dir, "bundles"), Env: func(string) (string, bool) { return "", false }, Log: io.Discard,
		Play: func(p *interp.Plan, o interp.RunOptions) *interp.Result {
			result := interp.Run(p, o)
			if p.Name == "passes" {
				result.Verdict, result.Problems = interp.Error, []interp.Problem{{Kind: "error", Name: "large", Message: strings.Repeat("x", 2<<20)}}
			}
			return result
		},
	})
	go func() { worked <- w.Work(ctx) }()
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", url, "--json")
	done()
	if err := <-worked; err != nil {
		t.Error(err)
	}
	if code != 1 || !strings.Contains(out, "worker_lost") || !strings.Contains(out, "max_payload") || strings.Contains(errs, "handed out again") {
		t.Errorf("exit code %d, %s\n%s", code, errs, out)
	}
	inside, err := queue.Embedded(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer inside.Close()
	if err := inside.Prepare(context.Background(), r); err != nil {
		t.Fatal(err)
	}
	publish(t, inside, job.ResultSubject(r.ID, 1), make([]byte, 2<<20), nil)
}

// Shows that a worker which would run another plan gives the unit back, that status
// says why, and that this costs the unit none of its deliveries.
func TestWorkerOfAnotherVersion(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url, "--deliveries", "1")
	otherPlans(t, q, r)
	process(t, "worker", "--queue", url)
	said := ""
	eventually(t, "the worker leaves the run to others", func() bool {
		_, said, _ = called(t, nil, "status", "--queue", url)
		return strings.Contains(said, "worker_version")
	})
	if !strings.Contains(said, "0 of 2 done") || !strings.Contains(said, "the plan of") {
		t.Error(said)
	}
	eventually(t, "both units are back", func() bool {
		back, _ := unitsOf(t, q, r)
		return len(back) == 2
	})
	if messages(t, q, job.ResultStream(r.ID)) != 0 {
		t.Error("a unit was run")
	}
}

// otherPlans has the units of a run be those that another compiler would have made.
func otherPlans(t *testing.T, q *queue.Queue, r *job.Run) {
	t.Helper()
	units, msgs := unitsOf(t, q, r)
	s, err := q.JS.Stream(context.Background(), job.WorkStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(context.Background()); err != nil {
		t.Fatal(err)
	}
	for i, u := range units {
		u.PlanHash = "sha256:" + strings.Repeat("0", 64)
		text, err := json.Marshal(u)
		if err != nil {
			t.Fatal(err)
		}
		publish(t, q, msgs[i].Subject, text, nil)
	}
}

// Shows that a worker of another build says which one it is and which one the submitter is,
// where both have the same version: a program that was built from a tree has no other name.
func TestWorkerOfAnotherBuild(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	otherPlans(t, q, r)
	text, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	named := func(program []byte) string {
		return fmt.Sprintf("(devel), binary sha256:%.6x", sha256.Sum256(program))
	}
	mine := named(text)
	other := filepath.Join(t.TempDir(), "other")
	text = append(text, '\n')
	if err := os.WriteFile(other, text, 0o755); err != nil {
		t.Fatal(err)
	}
	for program, want := range map[string]string{
		other:      fmt.Sprintf(": the worker is %s, the submitter is %s\n", named(text), mine),
		os.Args[0]: fmt.Sprintf(", although worker and submitter are both %s\n", mine),
	} {
		worker := copied(t, program, "worker", "--queue", url)
		eventually(t, "the worker leaves the run to others", func() bool {
			return strings.Contains(worker.Stderr.(*output).String(), "worker_version")
		})
		if said := worker.Stderr.(*output).String(); !strings.Contains(said, want) {
			t.Errorf("it says\n%swant%s", said, want)
		}
	}
}

// Shows that a sensitive variable decides who works: one without it leaves the units,
// and one that has it runs them.
func TestWorkerWithoutAVariable(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": withKey})
	env := map[string]string{"SCENARIO_VAR_key": canary}
	code, id, errs := called(t, env, "submit", "--detach", "--queue", url, "--deliveries", "1")
	if code != 0 {
		t.Fatal(errs)
	}
	process(t, "worker", "--queue", url)
	eventually(t, "the worker leaves the run to others", func() bool {
		_, said, _ := called(t, nil, "status", "--queue", url)
		return strings.Contains(said, `"key" is sensitive and does not travel`)
	})
	t.Setenv("SCENARIO_VAR_key", canary)
	process(t, "worker", "--queue", url)
	if code, out, errs := called(t, nil, "collect", strings.TrimSpace(id), "--queue", url); code != 1 || !strings.Contains(out, "1 passed, 1 failed") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// meets has the first of the programs that run it wait for a second one, for a minute and
// not for ever: it passes on a machine of any speed, unless no two run at a time.
const meets = `if mkdir "$LOCK.first" 2>/dev/null; then
  n=0; while ! [ -e "$LOCK.met" ] && [ $n -lt 1200 ]; do sleep 0.05; n=$((n + 1)); done
  [ -e "$LOCK.met" ] || : >"$LOCK.alone"
elif ! [ -e "$LOCK.alone" ]; then : >"$LOCK.met"; fi
`

// Shows that trials of a name exclude each other on all workers, over benches, and
// that those without one do not.
func TestExclusiveOverAllWorkers(t *testing.T) {
	url := local(t)
	program := `case $1 in
device) if mkdir "$LOCK.device" 2>/dev/null; then sleep 0.03; rmdir "$LOCK.device"; else : >"$LOCK.over"; fi;;
free) ` + meets + `;;
esac
echo '{"n": 1}'`
	text := func(name, more, lock string) string {
		return strings.NewReplacer(`bench "b"`, fmt.Sprintf("bench %q", name), "MORE", more, "case.id]", fmt.Sprintf("%q]", lock)).Replace(someBench)
	}
	dir := folder(t, map[string]string{
		"b.scenario.hcl": text("one", `exclusive = "device"`, "device") + text("two", `exclusive = "device"`, "device") + text("free", "", "free"),
		"sut.sh":         program,
	})
	t.Setenv("LOCK", filepath.Join(dir, "lock"))
	process(t, "worker", "--queue", url, "--parallel", "3")
	process(t, "worker", "--queue", url, "--parallel", "3")
	code, out, errs := called(t, nil, "submit", "--queue", url)
	if code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	if _, err := os.Stat("lock.over"); err == nil {
		t.Error("two trials of one name ran at a time")
	}
	if _, err := os.Stat("lock.met"); err != nil {
		t.Error("no two trials without a name ran at a time")
	}
}

// Shows that what took longest when scenario bench last ran is handed out first.
func TestLongestFirst(t *testing.T) {
	scenario := commandScenario(t)
	url := local(t)
	folder(t, benchWith("", `case $1 in c3) sleep 0.4;; c1) sleep 0.2;; esac; echo '{"n": 1}'`))
	if out, err := exec.Command(scenario, "bench").CombinedOutput(); err != nil {
		t.Fatalf("%s\n%s", err, out)
	}
	q, r := submitted(t, url)
	units, _ := unitsOf(t, q, r)
	if len(units) != 6 || units[0].Case != "c3" || units[1].Case != "c1" {
		t.Errorf("the order is %v", units)
	}
}

// Shows that no result holds what the clock of a worker says: the calls that read it
// are those listed, for waits and for what a worker says of itself, and a result has no
// time of day.
func TestClockOfAWorker(t *testing.T) {
	allowed := []string{
		"queue/connect.go: unconnected",                                                      // how long a server is away is told to people
		"queue/lane.go: Lane.Next", "queue/lane.go: Lane.Taken", "queue/lane.go: Lane.Asked", // how long to wait, and whether what was asked for may still come
		"work/worker.go: New", "work/worker.go: Worker.due", "work/worker.go: Worker.hold", "work/presence.go: Worker.present", // how long it has been
		"work/pace.go: Worker.begin",       // told apart, not compared
		"submit/submit.go: Submission.Put", // whether files that were stored before are stored anew: the submitter's, days and not seconds
	}
	var found []string
	root := filepath.Join(source, "internal")
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		for _, decl := range file.Decls {
			fn, ok := decl.(*ast.FuncDecl)
			if !ok {
				continue
			}
			ast.Inspect(fn, func(n ast.Node) bool {
				if readsClock(n) {
					name := fn.Name.Name
					if fn.Recv != nil {
						name = receiver(fn) + "." + name
					}
					rel, _ := filepath.Rel(root, path)
					found = append(found, filepath.ToSlash(rel)+": "+name)
				}
				return true
			})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	slices.Sort(allowed)
	if found = slices.Compact(found); !slices.Equal(found, allowed) {
		t.Errorf("the clock is read by\n%s\nwant\n%s", strings.Join(found, "\n"), strings.Join(allowed, "\n"))
	}
	url := local(t)
	folder(t, benchWith("", `echo '{"n": 1}'`))
	q, r := submitted(t, url)
	process(t, "worker", "--queue", url)
	m := resultOf(t, q, r, 1)
	if text := fmt.Sprint(m.Header, string(m.Data)); strings.Contains(text, time.Now().UTC().Format("2006-")) {
		t.Errorf("a result has a time of day: %s", text)
	}
}

// readsClock reports whether a node of a syntax tree is a call of the clock.
func readsClock(n ast.Node) bool {
	sel, ok := n.(*ast.SelectorExpr)
	if !ok || !slices.Contains([]string{"Now", "Since", "Until"}, sel.Sel.Name) {
		return false
	}
	pkg, ok := sel.X.(*ast.Ident)
	return ok && pkg.Name == "time"
}

// receiver is the name of the type of a method.
func receiver(fn *ast.FuncDecl) string {
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	return typ.(*ast.Ident).Name
}
