package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/dist/internal/job"
)

// Shows that a run whose units are gone from the queue without a result, as where a server
// was killed before it had written them, is not waited for: what waits says so, and ends.
func TestUnitsThatAreGone(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	s, err := q.JS.Stream(t.Context(), job.WorkStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Purge(t.Context()); err != nil {
		t.Fatal(err)
	}
	code, out, errs := calledWithin(t, soon, nil, "collect", r.ID, "--queue", url)
	if code != 6 || !strings.Contains(errs, "2 units of run "+r.ID+" are lost") || !strings.Contains(errs, "hint: ") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that who only asks how far a run is leaves nothing on the server: a worker with
// --until-done asks five times a second.
func TestWhoAsksLeavesNothing(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": someScenarios})
	q, r := submitted(t, url)
	publish(t, q, job.ResultSubject(r.ID, 1), []byte("{}\n"), nil)
	for range 3 {
		if allDone(t.Context(), q, "") || allDone(t.Context(), q, r.ID) {
			t.Error("a run with one result of two is done")
		}
		if code, out, errs := called(t, nil, "status", r.ID, "--queue", url); code != 0 || !strings.Contains(out, "1 of 2 done") {
			t.Fatalf("exit code %d\n%s%s", code, out, errs)
		}
	}
	s, err := q.JS.Stream(t.Context(), job.ResultStream(r.ID))
	if err != nil {
		t.Fatal(err)
	}
	if n := s.CachedInfo().State.Consumers; n != 0 {
		t.Errorf("%d consumers are left", n)
	}
}

// Shows that a worker for one run alone, which it cannot work for, says so and ends: it
// would wait for ever for others to end the run.
func TestWorkerThatRefusesItsOnlyRun(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"a.scenario.hcl": withKey})
	code, id, errs := called(t, map[string]string{"SCENARIO_VAR_key": canary}, "submit", "--detach", "--queue", url)
	if code != 0 {
		t.Fatal(errs)
	}
	id = strings.TrimSpace(id)
	code, out, errs := calledWithin(t, soon, nil, "worker", "--queue", url, "--only", id, "--until-done")
	if code != 6 || !strings.Contains(errs, `"key" is sensitive and does not travel`) || !strings.Contains(errs, "this worker is for run "+id+" alone, and cannot run its units") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows that a trial which must not run twice waits for room on a server that is full, and
// is not lost by that, as the note that it begins has to be stored first.
func TestTrialThatMustNotRunTwiceOnAFullServer(t *testing.T) {
	url := openWith(t, full400)
	dir := folder(t, benchWith("idempotent = false", `echo "$1" >>"$STARTED"; echo '{"n": 1}'`))
	started := filepath.Join(dir, "started")
	t.Setenv("STARTED", started)
	q, r := submitted(t, url, "--deliveries", "1")
	for _, open := range []func(context.Context) error{
		func(ctx context.Context) error { _, err := q.Begun(ctx); return err },
		func(ctx context.Context) error { _, err := q.Workers(ctx); return err },
	} {
		if err := open(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	empty := fill(t, q)
	worker := calling(t, map[string]string{"SCENARIO_QUEUE": url}, "worker", "--until-done")
	eventually(t, "the worker says that there is no room", func() bool {
		return strings.Contains(worker.errs.String(), "a trial that must not run twice waits for room")
	})
	if text, _ := os.ReadFile(started); len(text) > 0 {
		t.Errorf("programs began for %q", text)
	}
	empty()
	if code := <-worker.code; code != 0 {
		t.Errorf("worker: exit code %d\n%s", code, worker.errs)
	}
	code, out, errs := calledWithin(t, soon, nil, "collect", r.ID, "--queue", url)
	if code != 0 || !strings.Contains(out, "6 of 6 cases passed") || len(lines(started)) != 6 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
