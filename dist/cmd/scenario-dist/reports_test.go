package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/report"
)

// realTimes are those of reports on a real clock: fields and attributes that hold one, and
// the words for how long all of it and each event took.
var realTimes = regexp.MustCompile(strings.Join([]string{
	`"(elapsed_ms|wall_ms|virtual_ms|virtual_ns|duration|stop)": ?[0-9.]+`,
	`\b(virtual_ms|duration_ms): [0-9.]+`, `\btime="[0-9.]+"`, `\(real [0-9.]+(ns|µs|ms|s)\)`, `(?m: *\b[0-9.]+(ns|µs|ms|s)  run (success|failed|partial))`,
}, "|"))

// timeless is a report without its real times. Trials that run beside each other begin and
// end in the order that the machine gives them, so events of a bench have no order here.
func timeless(text []byte) string {
	var out, events []string
	for line := range strings.Lines(string(text)) {
		var m map[string]any
		if json.Unmarshal([]byte(line), &m) != nil {
			out = append(out, line)
			continue
		}
		if trace, ok := m["trace"].([]any); ok {
			all := make([]string, len(trace))
			for i, e := range trace {
				all[i] = unordered(e.(map[string]any))
			}
			slices.Sort(all)
			m["trace"] = all
			out = append(out, marshalled(m)+"\n")
		} else if m["seq"] != nil {
			events = append(events, unordered(m))
		} else {
			out = append(out, line)
		}
	}
	slices.Sort(events)
	return realTimes.ReplaceAllString(strings.Join(append(out, events...), ""), "…")
}

// unordered is an event without its time and place.
func unordered(event map[string]any) string {
	delete(event, "seq")
	delete(event, "at_ns")
	if result, ok := event["result"].(map[string]any); ok {
		delete(result, "elapsed_ms")
	}
	return marshalled(event) + "\n"
}

func marshalled(m map[string]any) string {
	text, err := json.Marshal(m)
	if err != nil {
		panic(err) // it was JSON
	}
	return string(text)
}

// compared runs a suite by both commands and compares all formats. same is what is
// compared of a report.
func compared(t *testing.T, command string, paths []string, same func([]byte) string) {
	t.Helper()
	scenario := commandScenario(t)
	dir := t.TempDir()
	flags := func(who string) (all []string) {
		for _, f := range report.Formats() {
			all = append(all, "--report", f.Name+"="+filepath.Join(dir, who+"."+f.Name))
		}
		all = append(all, "--trace-out", filepath.Join(dir, who+".trace"))
		return append(all, paths...)
	}
	var kind []string
	if command == "bench" {
		kind = []string{"--bench"}
	}
	c := exec.Command(scenario, append([]string{command}, flags("want")...)...)
	var want bytes.Buffer
	c.Stdout = &want
	_ = c.Run() // the code is compared below
	check := func(how string, code int, out, errs string) {
		t.Helper()
		if code != c.ProcessState.ExitCode() || same([]byte(out)) != same(want.Bytes()) {
			t.Errorf("%s: exit code %d, want %d; %s\n%s", how, code, c.ProcessState.ExitCode(), errs, firstDifference(same([]byte(out)), same(want.Bytes())))
		}
		names := []string{"trace"}
		for _, f := range report.Formats() {
			names = append(names, f.Name)
		}
		for _, name := range names {
			got, err := os.ReadFile(filepath.Join(dir, "got."+name))
			if err != nil {
				t.Fatal(err)
			}
			should, err := os.ReadFile(filepath.Join(dir, "want."+name))
			if err != nil {
				t.Fatal(err)
			}
			if same(got) != same(should) {
				t.Errorf("%s: the report %s differs\n%s", how, name, firstDifference(same(got), same(should)))
			}
		}
	}
	counts := []string{"1", "2", "8"}
	if testing.Short() {
		counts = []string{"8"} // the shuffled run below has two workers, and others of these tests one
	}
	for _, workers := range counts {
		code, out, errs := called(t, nil, slices.Concat([]string{"run", "--workers", workers}, kind, flags("got"))...)
		check(workers+" workers", code, out, errs)
	}
	address := local(t)
	q, r := submitted(t, address, append(kind, paths...)...)
	shuffle(t, q, r)
	process(t, "worker", "--queue", address, "--parallel", "3")
	process(t, "worker", "--queue", address)
	code, out, errs := called(t, nil, append([]string{"collect", r.ID, "--queue", address}, flags("got")[:2*len(report.Formats())+2]...)...)
	check("shuffled", code, out, errs)
}

// firstDifference is where two texts differ.
func firstDifference(got, want string) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	part := func(s string) string { return s[max(0, at-100):min(len(s), at+200)] }
	return "…" + part(got) + "\nwant\n…" + part(want)
}

// shuffle queues the units of a run in another order.
func shuffle(t *testing.T, q *queue.Queue, r *job.Run) {
	t.Helper()
	_, msgs := unitsOf(t, q, r)
	s, err := q.JS.Stream(context.Background(), job.WorkStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(context.Background()); err != nil {
		t.Fatal(err)
	}
	draw := rand.New(rand.NewPCG(7, 11))
	draw.Shuffle(len(msgs), func(i, j int) { msgs[i], msgs[j] = msgs[j], msgs[i] })
	var sent []jetstream.PubAckFuture
	for _, m := range msgs {
		f, err := q.JS.PublishAsync(m.Subject, m.Data)
		if err != nil {
			t.Fatal(err)
		}
		sent = append(sent, f)
	}
	for _, f := range sent {
		select {
		case <-f.Ok():
		case err := <-f.Err():
			t.Fatal(err)
		}
	}
}

// Shows that a run on any number of workers, and with units in any order, reports what
// the command scenario reports, byte for byte in every format. SCENARIO_SUITE names
// another suite. In short, of 1, 2 and 8 workers in one process it is only 8.
func TestReportsAreThoseOfTest(t *testing.T) {
	if suite := os.Getenv("SCENARIO_SUITE"); suite != "" {
		if !filepath.IsAbs(suite) {
			suite = filepath.Join(source, suite)
		}
		t.Chdir(filepath.Dir(suite))
		compared(t, "test", []string{filepath.Base(suite)}, func(b []byte) string { return string(b) })
		return
	}
	folder(t, map[string]string{"a.scenario.hcl": someScenarios, "sub/b.scenario.hcl": strings.ReplaceAll(someScenarios, `"passes"`, `"passes too"`)})
	compared(t, "test", nil, func(b []byte) string { return string(b) })
}

// Shows the same of a bench with a workflow and of one with a deterministic program,
// real times aside.
func TestReportsAreThoseOfBench(t *testing.T) {
	files := benchWith("concurrency = 1", `echo '{"n": 1}'`)
	for _, name := range []string{"triage.scenario.hcl", "triage.jsonl", "triage.yaml"} {
		text, err := os.ReadFile(filepath.Join(source, "..", "scenarios", "bench", name))
		if err != nil {
			t.Fatal(err)
		}
		files[name] = string(text)
	}
	const recorded = "I want my money back for order 7"
	for from, to := range map[string]string{"triage.scenario.hcl": "gates.scenario.hcl", "triage.jsonl": "gates.jsonl"} {
		files[to] = strings.NewReplacer("triage.jsonl", "gates.jsonl", recorded, "Nobody has recorded this").Replace(files[from])
	}
	if files["gates.jsonl"] == files["triage.jsonl"] {
		t.Fatalf("no case asks %q", recorded)
	}
	folder(t, files)
	t.Run("program", func(t *testing.T) { compared(t, "bench", []string{"b.scenario.hcl"}, timeless) })
	t.Run("gates of all trials together", func(t *testing.T) { compared(t, "bench", []string{"gates.scenario.hcl"}, timeless) })
	t.Run("workflow", func(t *testing.T) { compared(t, "bench", []string{"triage.scenario.hcl"}, timeless) })
}

// Shows that who has a report of which something could not be read is told that it is not
// whole, also where the run failed, and what to do: only a run that a queue keeps can be
// collected again.
func TestReportThatIsNotWhole(t *testing.T) {
	failed := cli.ExitWith(cli.ExitFailed)
	if err := notWhole(failed, nil, &job.Run{ID: "r"}, true); err != failed {
		t.Error(err)
	}
	for kept, want := range map[bool]string{true: "scenario-dist collect r reports the run again", false: "run it again"} {
		want = "Error: the report is written, and is not whole: unexpected EOF\nhint: " + want + "\n"
		for _, end := range []error{nil, failed} {
			var said bytes.Buffer
			code := cli.Conclude(&said, notWhole(end, io.ErrUnexpectedEOF, &job.Run{ID: "r"}, kept))
			if code != cli.ExitInternal || said.String() != want {
				t.Errorf("exit code %d\n%s", code, &said)
			}
		}
	}
}
