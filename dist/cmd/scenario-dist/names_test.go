package main

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/scenario-lang/scenario/dist/internal/job"
	"github.com/scenario-lang/scenario/dist/internal/queue"
	"github.com/scenario-lang/scenario/internal/command/cli"
)

// Shows that whatever cannot be the id of a run is refused with the same words wherever a
// command takes one, before a server is asked: in each command that has RUN, and in each
// flag that takes an id. A server would take dots and stars for something else.
func TestNamesThatAreNoRuns(t *testing.T) {
	names := []string{"a b", "a.b", "*", ">", "ü", "a/b", " ", "", strings.Repeat("a", 65), "a\x00b"}
	var places [][]string
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		words := strings.Fields(c.CommandPath())[1:]
		if strings.Contains(c.Use, "RUN") {
			places = append(places, words)
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if takes, _ := pflag.UnquoteUsage(f); takes == "id" {
				places = append(places, append(slices.Clone(words), "--"+f.Name))
			}
		})
		for _, child := range c.Commands() {
			walk(child)
		}
	}
	walk(root(&cli.App{}))
	if len(places) < 4 {
		t.Fatalf("a run is taken by %q alone", places)
	}
	for _, place := range places {
		for _, name := range names {
			code, out, errs := called(t, map[string]string{"SCENARIO_QUEUE": "nats://127.0.0.1:1"}, append(slices.Clone(place), name)...)
			if code != 2 || !strings.Contains(errs, "the id of a run") || !strings.Contains(errs, "hint: scenario-dist status lists the runs") {
				t.Errorf("%q %q: exit code %d\n%s%s", place, name, code, out, errs)
			}
		}
		code, _, errs := called(t, map[string]string{"SCENARIO_QUEUE": "nats://127.0.0.1:1"}, append(slices.Clone(place), "k6efrpglqvbp")...)
		if code != 2 || !strings.Contains(errs, "cannot connect") {
			t.Errorf("%q of what may be one: exit code %d\n%s", place, code, errs)
		}
	}
}

// Shows that a mistake in the arguments is answered with the help of this program, and not
// with that of the other one.
func TestHelpOfThisProgram(t *testing.T) {
	for _, args := range [][]string{{"worker", "x"}, {"status", "a", "b"}, {"version", "x"}, {"collect", "a", "b"}} {
		code, _, errs := called(t, nil, args...)
		if code != 2 || !strings.Contains(errs, "hint: see scenario-dist help\n") {
			t.Errorf("%q: exit code %d\n%s", args, code, errs)
		}
	}
}

// Shows that a run can be given up while it runs: the worker stops what it runs of it at
// once and goes on with others, who waits for its results is told, and the queue has
// nothing of it any more.
func TestForget(t *testing.T) {
	url := local(t)
	env := map[string]string{"SCENARIO_QUEUE": url}
	started, release := holding(t, "idempotent = false")
	q, r := submitted(t, url)
	worker := calling(t, env, "worker", "--parallel", "2", "--until-done")
	eventually(t, "two trials begin", func() bool { return len(lines(started)) == 2 })
	collect := calling(t, env, "collect", r.ID)
	eventually(t, "collect waits for results", func() bool { return waiters(t, q, r) == 1 })
	code, out, errs := calledWithin(t, soon, env, "forget", r.ID)
	if code != 0 || out != "run "+r.ID+" is forgotten\n" {
		t.Errorf("forget: exit code %d\n%s%s", code, out, errs)
	}
	if code := <-collect.code; code != 5 || !strings.Contains(collect.errs.String(), "the queue has no run "+r.ID+" any more") {
		t.Errorf("collect: exit code %d\n%s", code, collect.errs)
	}
	eventually(t, "the worker has stopped both", func() bool {
		return strings.Count(worker.errs.String(), "was stopped: run "+r.ID+" is forgotten\n") == 2
	})
	begun, err := q.Begun(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if keys, err := begun.Keys(t.Context()); err == nil && len(keys) > 0 {
		t.Errorf("the queue still knows that %q have begun", keys)
	}
	for name := range q.JS.StreamNames(t.Context()).Name() {
		if strings.Contains(name, r.ID) {
			t.Errorf("the stream %s is still there", name)
		}
	}
	for _, name := range []string{"forget", "status", "collect"} {
		if code, _, errs := called(t, env, name, r.ID); code != 5 || !strings.Contains(errs, "the queue has no run "+r.ID) {
			t.Errorf("%s of what is forgotten: exit code %d\n%s", name, code, errs)
		}
	}
	release()
	code, out, errs = calledWithin(t, soon, env, "submit", "--timeout", "20s")
	if code != 0 || !strings.Contains(out, "6 of 6 cases passed") {
		t.Errorf("another run: exit code %d\n%s%s", code, out, errs)
	}
	if code := <-worker.code; code != 0 {
		t.Errorf("the worker ends with %d\n%s", code, worker.errs)
	}
}

// waiters counts who waits for the results of a run: who counts what they cost takes their
// heads alone.
func waiters(t *testing.T, q *queue.Queue, r *job.Run) (n int) {
	t.Helper()
	s, err := q.JS.Stream(t.Context(), job.ResultStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	for c := range s.ListConsumers(t.Context()).Info() {
		if !c.Config.HeadersOnly {
			n++
		}
	}
	return n
}

// Shows that a run can be given up on a server that is full: that is what makes room.
func TestForgetOnAFullServer(t *testing.T) {
	url := openWith(t, full400)
	env := map[string]string{"SCENARIO_QUEUE": url}
	folder(t, map[string]string{"a.scenario.hcl": manyScenarios(300)})
	q, r := submitted(t, url)
	fill(t, q)
	if code, out, errs := calledWithin(t, soon, env, "forget", r.ID); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, _, errs := called(t, env, "status", r.ID); code != 5 {
		t.Errorf("status: exit code %d\n%s", code, errs)
	}
}

// Shows that of the workers that are silent those are named that had a unit in hand: not
// one that never had any, nor one that had ended what it had.
func TestWhoWasLost(t *testing.T) {
	url := local(t)
	started, release := holding(t, "")
	_, r := submitted(t, url, "--ack-wait", "500ms")
	idle := process(t, "worker", "--queue", url, "--only", "another")
	ended := process(t, "worker", "--queue", url, "--only", "another")
	busy := process(t, "worker", "--queue", url)
	eventually(t, "a trial begins", func() bool { return len(lines(started)) == 1 })
	eventually(t, "all are heard of", func() bool {
		_, out, _ := called(t, nil, "status", "--queue", url)
		return strings.Count(out, "heard of") == 3
	})
	_ = ended.Process.Signal(os.Interrupt)
	_ = ended.Wait()
	kill(idle)
	kill(busy)
	release()
	process(t, "worker", "--queue", url)
	code, out, errs := called(t, nil, "collect", r.ID, "--queue", url)
	if code != 0 || !strings.Contains(errs, pid(busy)) || strings.Contains(errs, pid(idle)) || strings.Contains(errs, pid(ended)) {
		t.Errorf("exit code %d\n%s%s\nthe one that was lost is %s, not %s or %s", code, out, errs, pid(busy), pid(idle), pid(ended))
	}
}

func pid(c *exec.Cmd) string { return fmt.Sprintf("process %d)", c.Process.Pid) }
