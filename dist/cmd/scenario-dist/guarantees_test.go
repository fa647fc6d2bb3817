package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/collect"
	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/submit"
)

// holding has the program of someBench note its case in a file and wait while another
// one is there, and is how to end the wait.
func holding(t *testing.T, more string) (started string, release func()) {
	t.Helper()
	folder(t, benchWith(more, `echo "$1" >>"$STARTED"; while [ -e "$HOLD" ]; do sleep 0.02; done; echo '{"n": 1}'`))
	dir := t.TempDir() // beside the bench they would travel, and make another run of it
	hold, started := filepath.Join(dir, "hold"), filepath.Join(dir, "started")
	t.Setenv("HOLD", hold)
	t.Setenv("STARTED", started)
	if err := os.WriteFile(hold, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return started, func() {
		if err := os.Remove(hold); err != nil {
			t.Fatal(err)
		}
	}
}

// lines are those of a file, none where it is not there.
func lines(path string) []string {
	text, _ := os.ReadFile(path)
	return strings.Fields(string(text))
}

// Shows that a unit which takes several times as long as a worker may be silent is not
// handed out again, as its worker says that it lives. The program is a real one, and so
// is the time.
func TestLongUnit(t *testing.T) {
	url := local(t)
	started, release := holding(t, "")
	_, r := submitted(t, url, "--ack-wait", "1s")
	process(t, "worker", "--queue", url)
	process(t, "worker", "--queue", url, "--parallel", "7") // which has room for what is handed out again
	eventually(t, "all units are with the workers", func() bool { return len(lines(started)) >= 6 })
	time.Sleep(3 * time.Second)
	if all := lines(started); len(all) != 6 {
		t.Errorf("programs began for %v", all)
	}
	release()
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", url)
	if all := lines(started); code != 0 || len(all) != 6 || strings.Contains(errs, "handed out again") {
		t.Errorf("exit code %d, programs began for %v\n%s%s", code, all, out, errs)
	}
}

// Shows that a worker which is told to end gives back what it has not ended, so that
// nobody waits for its silence, and that this is no delivery.
func TestWorkerThatIsToldToEnd(t *testing.T) {
	url := local(t)
	started, release := holding(t, "")
	q, r := submitted(t, url, "--ack-wait", "1h", "--deliveries", "1")
	first := process(t, "worker", "--queue", url)
	eventually(t, "the worker begins", func() bool { return len(lines(started)) == 1 })
	if err := first.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	eventually(t, "its unit is back", func() bool {
		c, err := q.JS.Consumer(context.Background(), job.WorkStream(r.ID), job.Lane(0))
		return err == nil && c.CachedInfo().NumPending == 6 && c.CachedInfo().NumAckPending == 0
	})
	release()
	process(t, "worker", "--queue", url)
	if code, out, errs := called(t, nil, "collect", r.ID, "--queue", url, "-q"); code != 0 || errs != "" {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that a rate holds over two workers with room for all trials at once: of six
// trials, four a second, the last begins more than a second after they were submitted. The
// programs are real, and so is the time; on a machine that is slow it comes later still.
func TestRateOverAllWorkers(t *testing.T) {
	url := local(t)
	dir := folder(t, benchWith("rate = 240", `date +%s%N >>"$STARTED"; echo '{"n": 1}'`))
	started := filepath.Join(dir, "started")
	t.Setenv("STARTED", started)
	process(t, "worker", "--queue", url, "--parallel", "6")
	process(t, "worker", "--queue", url, "--parallel", "6")
	begin := time.Now().UnixNano()
	if code, out, errs := called(t, nil, "submit", "--queue", url); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	var at []int64
	for _, line := range lines(started) {
		n, err := strconv.ParseInt(line, 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		at = append(at, n)
	}
	slices.Sort(at)
	if len(at) != 6 || time.Duration(at[5]-begin) < time.Second {
		t.Errorf("trials were submitted at %d and began at %v", begin, at)
	}
}

// Shows that a cap counts what other workers spent: with a dollar a trial and a cap of
// two, a third trial begins, and one beside it on the other worker.
func TestCapOverTwoWorkers(t *testing.T) {
	url := local(t)
	dir := folder(t, benchWith("cost_cap_usd = 2", `echo "$1" >>"$STARTED"; sleep 0.1; echo '{"n": 1}'`))
	started := filepath.Join(dir, "started")
	t.Setenv("STARTED", started)
	process(t, "worker", "--queue", url)
	process(t, "worker", "--queue", url)
	code, out, errs := called(t, nil, "submit", "--queue", url, "--json")
	if all := lines(started); code != 7 || len(all) < 3 || len(all) > 4 {
		t.Errorf("exit code %d, programs began for %v\n%s%s", code, all, out, errs)
	}
}

// Shows that a variable which one file declares as sensitive travels for none: not for
// another file that declares it without.
func TestSensitiveInOneFile(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{
		"a.scenario.hcl": withKey,
		"b.scenario.hcl": strings.Replace(withKey, "sensitive = true", "", 1),
	})
	env := map[string]string{"SCENARIO_VAR_key": canary, "SCENARIO_VAR_word": "travels"}
	code, id, errs := called(t, env, "submit", "--detach", "--queue", url)
	if code != 0 {
		t.Fatal(errs)
	}
	readAll(t, url)
	_, r := opened(t, url, strings.TrimSpace(id))
	if !slices.Equal(r.Sensitive, []string{"key"}) || r.Given["b.scenario.hcl"]["word"] != "travels" {
		t.Errorf("sensitive are %v, given %v", r.Sensitive, r.Given)
	}
}

// Shows that a run whose submitter ended early is completed with what it lacks alone:
// neither what has a result nor what is in the queue already is queued once more.
func TestResumedRun(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	ctx := context.Background()
	q, r := submitted(t, url)
	queued := func() (positions []int) {
		units, _ := unitsOf(t, q, r)
		for _, u := range units {
			positions = append(positions, u.Position)
		}
		return positions
	}
	r.Sealed = false
	if err := submit.Resume(ctx, q, r); err != nil {
		t.Fatal(err)
	}
	if all := queued(); !slices.Equal(all, []int{1, 2}) || !r.Sealed {
		t.Errorf("in the queue are %v", all)
	}
	if err := q.JS.DeleteStream(ctx, job.WorkStream(r.ID)); err != nil {
		t.Fatal(err)
	}
	publish(t, q, job.ResultSubject(r.ID, 1), []byte("{}\n"), nil)
	r.Sealed = false
	if err := submit.Resume(ctx, q, r); err != nil {
		t.Fatal(err)
	}
	if all := queued(); !slices.Equal(all, []int{2}) {
		t.Errorf("in the queue are %v", all)
	}
}

// Shows that a run is completed without a second copy of what waits, also by a server
// that has forgotten what it was sent: one that was sent it under another id.
func TestResumedRunOfAForgetfulServer(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	ctx := context.Background()
	q, r := submitted(t, url)
	_, sent := unitsOf(t, q, r)
	if err := q.JS.DeleteStream(ctx, job.WorkStream(r.ID)); err != nil {
		t.Fatal(err)
	}
	if err := q.Prepare(ctx, r); err != nil {
		t.Fatal(err)
	}
	publish(t, q, sent[1].Subject, sent[1].Data, nats.Header{jetstream.MsgIDHeader: {"another"}})
	before := messages(t, q, job.WorkStream(r.ID))
	r.Sealed = false
	if err := submit.Resume(ctx, q, r); err != nil {
		t.Fatal(err)
	}
	if after := messages(t, q, job.WorkStream(r.ID)); after != before+1 {
		t.Errorf("of two units, one of which waited, %d were queued", after-before)
	}
}

// Shows that who waits for results is told where nobody works, by submit and by collect,
// and that nobody is told so where somebody does.
func TestNobodyWorks(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	const told = "no worker has been heard of"
	q, r := submitted(t, url)
	nobody := calling(t, nil, "submit", "--queue", url)
	eventually(t, "submit says so", func() bool {
		said := nobody.errs.String()
		return strings.Contains(said, told) && strings.Contains(said, "scenario-dist worker")
	})
	giveUp(t, url, nobody)
	process(t, "worker", "--queue", url)
	eventually(t, "the worker is heard of", func() bool {
		all, err := collect.Workers(context.Background(), q)
		return err == nil && len(all) > 0
	})
	if code, _, errs := called(t, nil, "collect", r.ID, "--queue", url); code != 1 || strings.Contains(errs, told) {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// giveUp forgets the run that a call of submit waits for, which ends the call.
func giveUp(t *testing.T, url string, c *call) {
	t.Helper()
	id := runID.FindStringSubmatch(c.errs.String())
	if id == nil {
		t.Fatalf("no run is named: %s", c.errs)
	}
	if code, _, errs := called(t, nil, "forget", id[1], "--queue", url); code != 0 {
		t.Fatal(errs)
	}
	if code := <-c.code; code != 5 {
		t.Errorf("submit: exit code %d\n%s", code, c.errs)
	}
}

// Shows that status of a run has the workers that have to do with it, and that of one that
// is lost nobody says that it runs something.
func TestStatusOfOneRun(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	kv, err := q.Workers(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []job.Presence{
		{Name: "ended", Left: true},
		{Name: "idle", Every: time.Hour},
		{Name: "nothing", Every: -time.Hour},
		{Name: "elsewhere", Every: time.Hour, Open: []string{"other"}, Running: []job.Unit{{Run: "other", Name: "x", File: "x"}}},
		{Name: "begins-there", Every: time.Hour, Open: []string{"other"}},
		{Name: "here", Every: time.Hour, Open: []string{r.ID}, Running: []job.Unit{{Run: r.ID, Name: "mine", File: "a"}}},
		{Name: "died-young", Every: -time.Hour, Open: []string{r.ID}},
		{Name: "refuses", Every: time.Hour, Refuses: map[string]string{r.ID: "worker_version: of another one"}},
		{Name: "lost", Every: -time.Hour, Open: []string{r.ID}, Running: []job.Unit{{Run: r.ID, Name: "gone", File: "a"}}},
	} {
		text, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := kv.Put(context.Background(), p.Name, text); err != nil {
			t.Fatal(err)
		}
	}
	_, out, errs := called(t, nil, "status", r.ID, "--queue", url)
	for word, shown := range map[string]bool{"worker ended": false, "worker idle": true, "worker nothing": false, "worker elsewhere": false, "worker begins-there": false, "worker died-young": true, "had units of run " + r.ID + "\n": true, "runs units of": false, "worker here": true, `runs "mine"`: true, "worker refuses": true, "worker lost": true, `runs "gone"`: false, `had "gone"`: true} {
		if strings.Contains(out, word) != shown {
			t.Errorf("that it has %q is not %v:\n%s%s", word, shown, out, errs)
		}
	}
	if _, out, _ := called(t, nil, "status", "--queue", url); !strings.Contains(out, "worker elsewhere") || !strings.Contains(out, "worker ended") {
		t.Error(out)
	}
}

// Shows that status says of a queue without runs that there are none, by an address without a
// scheme, too, and of no other.
func TestStatusOfAnEmptyQueue(t *testing.T) {
	url := local(t)
	address := strings.TrimPrefix(url, "nats://")
	if code, out, errs := called(t, nil, "status", "--queue", address); code != 0 || out != "no runs\n" || errs != "" {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if _, out, _ := called(t, nil, "status", "--queue", address, "--json"); !strings.Contains(out, `"runs":[]`) {
		t.Error(out)
	}
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	submitted(t, url)
	if _, out, _ := called(t, nil, "status", "--queue", address); strings.Contains(out, "no runs") {
		t.Error(out)
	}
}

// Shows that nothing of a run that is over and forgotten stays on the server: no stream,
// no bucket and no list of units.
func TestForgottenRun(t *testing.T) {
	url := local(t)
	folder(t, benchWith("rate = 6000", `echo '{"n": 1}'`))
	ctx := context.Background()
	q, r := submitted(t, url)
	if err := q.Forget(ctx, r); err != nil {
		t.Fatal(err)
	}
	for name := range q.JS.StreamNames(ctx).Name() {
		if strings.Contains(name, r.ID) {
			t.Errorf("the stream %s is still there", name)
		}
	}
	store, err := q.Bundles(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := store.GetInfo(ctx, job.UnitsObject(r.ID)); err != jetstream.ErrObjectNotFound {
		t.Errorf("the list of units is still there: %v", err)
	}
	if err := q.Forget(ctx, r); err != nil {
		t.Errorf("forgotten again: %v", err)
	}
}

// triage are the files of a bench with a workflow, which are of scenarios, too.
func triage(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, name := range []string{"triage.scenario.hcl", "triage.jsonl", "triage.yaml"} {
		text, err := os.ReadFile(filepath.Join(source, "..", "scenarios", "bench", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	return files
}

// Shows that a trial of a workflow which ran twice, and took another time, is not a
// broken guarantee.
func TestRepeatedTrialOfAWorkflow(t *testing.T) {
	url := local(t)
	folder(t, triage(t))
	q, r := submitted(t, url, "--bench")
	_, msgs := unitsOf(t, q, r)
	for _, m := range msgs {
		publish(t, q, m.Subject, m.Data, nil)
	}
	process(t, "worker", "--queue", url)
	eventually(t, "all units are done", func() bool { return messages(t, q, job.WorkStream(r.ID)) == 0 })
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", url, "--json")
	if code != 1 || len(r.Benches) != 1 || messages(t, q, job.ExtraStream(r.ID)) != 0 || strings.Contains(out, "repeated: ") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows what two runs of a trial of a workflow may differ in: how long they took, and
// nothing else. Another cost, score or digest is a broken guarantee.
func TestSecondTrialOfAWorkflow(t *testing.T) {
	folder(t, triage(t))
	made := local(t)
	q, r := submitted(t, made, "--bench")
	process(t, "worker", "--queue", made)
	first := resultOf(t, q, r, 1)
	for _, c := range []struct {
		name   string
		change func(*job.Trial)
		code   int
	}{
		{"nothing", func(*job.Trial) {}, 1}, // its gate is not passed
		{"how long it took", func(one *job.Trial) { one.Record.Result.Elapsed += 1234567 }, 1},
		{"what it cost", func(one *job.Trial) { one.Record.Result.CostUSD += 2 }, 6},
		{"whether it passed", func(one *job.Trial) { one.Record.Result.Passed = !one.Record.Result.Passed }, 6},
		{"what ran", func(one *job.Trial) { one.Record.Digest += "0" }, 6},
		{"time and cost", func(one *job.Trial) { one.Record.Result.Elapsed++; one.Record.Result.CostUSD++ }, 6},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := local(t)
			q, r := submitted(t, url, "--bench")
			var one job.Trial
			if err := json.Unmarshal(first.Data, &one); err != nil {
				t.Fatal(err)
			}
			c.change(&one)
			line, err := one.Line()
			if err != nil {
				t.Fatal(err)
			}
			publish(t, q, job.ResultSubject(r.ID, 1), line, nats.Header{job.BenchHeader: {"1"}})
			process(t, "worker", "--queue", url)
			eventually(t, "all units are done", func() bool { return messages(t, q, job.WorkStream(r.ID)) == 0 })
			code, out, errs := called(t, nil, "collect", r.ID, "--queue", url)
			differ := strings.Contains(errs, "gave different results")
			if kept := messages(t, q, job.ExtraStream(r.ID)); code != c.code || differ != (c.code == 6) || differ != (kept == 1) {
				t.Errorf("exit code %d, want %d, and %d second results are kept\n%s%s", code, c.code, kept, out, errs)
			}
		})
	}
}

// Shows that a call with --state goes on only with the run of the same files, choices
// and units.
func TestSameRun(t *testing.T) {
	made := func(run job.Run, units ...job.Unit) string {
		return stableID(&submit.Submission{Run: run, Units: units})
	}
	one := job.Unit{Position: 1, File: "a", Name: "one", PlanHash: "1"}
	other := one
	other.PlanHash = "2"
	same := made(job.Run{Bundle: "b", Units: 1}, one)
	if made(job.Run{Bundle: "b", Units: 1}, one) != same {
		t.Error("the same run has two ids")
	}
	for _, id := range []string{made(job.Run{Bundle: "c", Units: 1}, one), made(job.Run{Bundle: "b", Units: 1}, other), made(job.Run{Bundle: "b", Units: 1, Trials: 2}, one)} {
		if id == same {
			t.Error("another run has the same id")
		}
	}
}

// wordy says a variable that is not sensitive in what it sends, and expects that the
// default is said.
const wordy = `
variable "word" { default = "a" }
provider "openai" "llm" { model = "gpt-4o-mini" }
workflow "w" {
  provider = provider.llm
  step "llm" "answer" { prompt = "Say ${var.word}." }
}
scenario "says it" {
  run = workflow.w
  on "answer" {
    reply { content = "You said ${var.word}." }
  }
  expect "answer" { content = "You said a." }
}
`

// Shows that what a worker has in its environment for a variable decides nothing, unless
// the variable is sensitive: neither where the submitter gives a value nor where it
// leaves the default.
func TestVariablesOfAWorker(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": wordy})
	t.Setenv("SCENARIO_VAR_word", "theirs") // which called does not hand on
	worker := process(t, "worker", "--queue", url)
	for _, c := range []struct {
		name string
		env  map[string]string
		code int
	}{
		{"the default", nil, 0},
		{"a value of the submitter", map[string]string{"SCENARIO_VAR_word": "mine"}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			if code, _, errs := called(t, c.env, "run", "--report", "merge=want.jsonl"); code != c.code {
				t.Fatalf("exit code %d, want %d: %s", code, c.code, errs)
			}
			code, out, errs := called(t, c.env, "submit", "--queue", url, "--timeout", "1m", "--report", "merge=got.jsonl")
			want, _ := os.ReadFile("want.jsonl")
			got, err := os.ReadFile("got.jsonl")
			if code != c.code || err != nil || string(got) != string(want) || strings.Contains(string(got), "theirs") {
				t.Errorf("exit code %d, want %d: %s%s\n%s\nwant\n%s\nthe worker says %s", code, c.code, out, errs, got, want, worker.Stderr.(*output).String())
			}
		})
	}
}

// Shows that status tells how many of the results did not pass: of scenarios, and of
// trials.
func TestStatusCountsWhatFailed(t *testing.T) {
	files := benchWith("", `echo "{\"n\": $(printf %s "$1" | tr -d c)}"`) // one of six passes
	files["a.scenario.hcl"] = someScenarios
	folder(t, files)
	for path, want := range map[string]string{"a.scenario.hcl": ": 2 of 2 done, 0 running, 0 waiting, 1 failed\n", "b.scenario.hcl": ": 6 of 6 done, 0 running, 0 waiting, 5 failed\n"} {
		url := local(t)
		_, r := submitted(t, url, path)
		if code, _, errs := called(t, nil, "worker", "--queue", url, "--until-done"); code != 0 {
			t.Fatal(errs)
		}
		if _, out, errs := called(t, nil, "status", r.ID, "--queue", url); !strings.Contains(out, want) {
			t.Errorf("%s: %s%s", path, out, errs)
		}
		if _, out, _ := called(t, nil, "status", r.ID, "--queue", url, "--json"); !strings.Contains(out, `"failed":`) {
			t.Error(out)
		}
	}
}

// Shows that every command says of a server without JetStream what it lacks, and of files
// that it cannot read which they are; and that nobody who does not wait is promised a
// report.
func TestWhatASetupLacks(t *testing.T) {
	url := started(t, &server.Options{Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true})
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	for _, args := range [][]string{{"status"}, {"worker"}, {"submit"}, {"collect", "r"}} {
		if code, _, errs := called(t, nil, append(args, "--queue", url)...); code != 2 || !strings.Contains(errs, "JetStream is not enabled there") || !strings.Contains(errs, "nats-server -js") {
			t.Errorf("%s: exit code %d\n%s", args, code, errs)
		}
	}
	for _, flag := range []string{"--creds", "--queue-ca"} {
		if code, _, errs := called(t, nil, "status", "--queue", url, flag, "none.creds"); code != 2 || !strings.Contains(errs, "cannot read the file of "+flag) {
			t.Errorf("%s: exit code %d\n%s", flag, code, errs)
		}
	}
	if code, _, errs := called(t, nil, "submit", "--detach", "--report", "html=h.html", "--queue", local(t)); code != 2 || !strings.Contains(errs, "scenario-dist collect") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
}

// Shows that a bench which is not run is named with the call of this command that runs it.
func TestBenchBesideScenarios(t *testing.T) {
	files := benchWith("", `echo '{"n": 1}'`)
	files["a.scenario.hcl"] = someScenarios
	folder(t, files)
	for _, args := range [][]string{{"run"}, {"submit", "--detach", "--queue", local(t)}} {
		want := "scenario-dist " + args[0] + " --bench runs it"
		if _, _, errs := called(t, nil, args...); !strings.Contains(errs, want) {
			t.Errorf("%s does not say %q:\n%s", args[0], want, errs)
		}
	}
}

// Shows that --state may lie in the suite: what it has is of no suite and goes to no
// worker, a call that was interrupted goes on with what it has, and two at once are not
// possible.
func TestStateInTheSuite(t *testing.T) {
	started, release := holding(t, "")
	first := process(t, "run", ".", "--workers", "2", "--ack-wait", "1s", "--state", "state")
	eventually(t, "two trials are under way", func() bool { return len(lines(started)) == 2 })
	if code, _, errs := called(t, nil, "run", ".", "--state", "state"); code != 2 || !strings.Contains(errs, "another scenario-dist run uses the directory state") {
		t.Errorf("exit code %d\n%s", code, errs)
	}
	kill(first)
	release()
	code, out, errs := called(t, nil, "run", ".", "--workers", "2", "--ack-wait", "1s", "--state", "state", "--json")
	if code != 0 || strings.Count(out, `"type":"scenario"`) != 1 || strings.Contains(out, "state/") || !strings.Contains(errs, "going on with the run that was interrupted") {
		t.Errorf("exit code %d\n%s\n%s", code, out, errs)
	}
}

// Shows that who waits for a run hears that every worker leaves it to others, and why.
func TestEveryWorkerRefuses(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": withKey})
	process(t, "worker", "--queue", url)
	submit := calling(t, map[string]string{"SCENARIO_VAR_key": canary}, "submit", "--queue", url)
	eventually(t, "submit says so", func() bool {
		said := submit.errs.String()
		return strings.Contains(said, "every worker leaves this run to others") && strings.Contains(said, `"key" is sensitive and does not travel`)
	})
	giveUp(t, url, submit)
	if said := submit.errs.String(); strings.Contains(said, canary) {
		t.Error(said)
	}
}
