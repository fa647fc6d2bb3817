//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/trace"
)

// Shows that a signal while the second of four scenarios runs ends the suite
// at once, although that scenario never would: what is done is printed, then
// the summary, and the exit code names the signal. The trace of what ran is
// written whole, and so are the reports, with every scenario: what ran, and what did
// not as skipped.
func TestSignals(t *testing.T) {
	for _, c := range []struct {
		signal syscall.Signal
		code   int
	}{{syscall.SIGINT, 130}, {syscall.SIGTERM, 143}, {syscall.SIGHUP, 129}} {
		t.Run(c.signal.String(), func(t *testing.T) {
			if signal.Ignored(c.signal) { // as nohup has it, and a command that is told so stays deaf
				t.Skipf("%s is ignored here", c.signal)
			}
			world(t)
			hang := make(chan struct{})
			defer close(hang)
			got := play(func(p *interp.Plan) *interp.Result {
				if p.Name == "2" {
					if err := syscall.Kill(os.Getpid(), c.signal); err != nil {
						t.Error(err)
					}
					<-hang
				}
				return passed(p)
			}, "test", "--parallel", "1", "--trace-out", "t", "--report", "json=r.json", "--report", "junit=r.xml", "--report", "html=r.html")
			got.check(t, c.code, `pass  w.scenario.hcl  4 scenarios, 3 skipped, virtual 0s
3 scenarios in 1 file were not run, because the suite was interrupted
1 passed, 0 failed, 0 errored, 3 skipped (virtual 0s)
`, "interrupted: 3 of 4 scenarios were not run")
			written, err := os.ReadFile("t")
			if err != nil || bytes.Count(written, []byte("\n")) != 1 || !bytes.Contains(written, []byte(`"scenario":"1"`)) {
				t.Errorf("the trace is %q, %v", written, err)
			}
			leftReports(t)
			if left, _ := filepath.Glob(".*"); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

// leftReports checks the reports of a suite of four scenarios that was interrupted in the
// second: they can be read, and say so of each.
func leftReports(t *testing.T) {
	t.Helper()
	var statuses []string
	text, err := os.ReadFile("r.json")
	for line := range bytes.Lines(text) {
		var e struct{ Type, Name, Status string }
		if bad := json.Unmarshal(line, &e); bad != nil {
			t.Errorf("%v: %s", bad, line)
		}
		statuses = append(statuses, e.Name+" "+e.Status)
	}
	if got, want := strings.Join(statuses, ", "), "1 pass, 2 skip, 3 skip, 4 skip,  error"; err != nil || got != want {
		t.Errorf("the report in JSON has %q, %v", got, err)
	}
	var asXML struct {
		Suites []struct {
			Cases []struct {
				Name    string    `xml:"name,attr"`
				Skipped *struct{} `xml:"skipped"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if text, err = os.ReadFile("r.xml"); err == nil {
		err = xml.Unmarshal(text, &asXML)
	}
	statuses = nil
	for _, suite := range asXML.Suites {
		for _, c := range suite.Cases {
			status := "ran"
			if c.Skipped != nil {
				status = "skip"
			}
			statuses = append(statuses, c.Name+" "+status)
		}
	}
	if got, want := strings.Join(statuses, ", "), "1 ran, 2 skip, 3 skip, 4 skip, the suite is complete ran"; err != nil || got != want {
		t.Errorf("the report for JUnit has %q, %v", got, err)
	}
	if text, err = os.ReadFile("r.html"); err != nil || !bytes.HasSuffix(bytes.TrimSpace(text), []byte("</html>")) {
		t.Errorf("the page has %d bytes without an end, %v", len(text), err)
	}
}

// Shows that --timeout ends a suite with a scenario that hangs: that one is an
// error and so is what had not begun, each is named, and the exit code is 1.
func TestTimeout(t *testing.T) {
	world(t)
	hang := make(chan struct{})
	defer close(hang)
	expired := make(chan time.Time, 1)
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		if p.Name == "2" {
			expired <- time.Time{}
			<-hang
		}
		return passed(p)
	})
	a.After = func(d time.Duration) <-chan time.Time {
		if d != 200*time.Millisecond {
			t.Errorf("the limit is %s, want 200ms", d)
		}
		return expired
	}
	got := end(execute(a, []string{"test", "--parallel", "1", "--timeout", "200ms", "-v"}))
	got.check(t, 1, `error w.scenario.hcl  4 scenarios, 3 errored, virtual 0s
  pass  "1"  w.scenario.hcl:4, 0 checks, virtual 0s
  error "2"  w.scenario.hcl:8, 0 checks, virtual 0s
    error "timeout"  w.scenario.hcl:8
      The suite reached the --timeout limit of 200ms before this scenario ended.
      hint: raise the limit, or split the suite with --shard
  error "3"  w.scenario.hcl:12, 0 checks, virtual 0s
    error "timeout"  w.scenario.hcl:12
      The suite reached the --timeout limit of 200ms before this scenario began.
      hint: raise the limit, or split the suite with --shard
  error "4"  w.scenario.hcl:16, 0 checks, virtual 0s
    error "timeout"  w.scenario.hcl:16
      The suite reached the --timeout limit of 200ms before this scenario began.
      hint: raise the limit, or split the suite with --shard
1 passed, 0 failed, 3 errored, 0 skipped (virtual 0s)
`)
}

// Shows what is said of a suite that came to its limit without -v: which one
// was running, and the names of those that did not begin.
func TestTimeoutNames(t *testing.T) {
	world(t)
	hang := make(chan struct{})
	defer close(hang)
	expired := make(chan time.Time, 1)
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		expired <- time.Time{}
		<-hang
		return passed(p)
	})
	a.After = func(time.Duration) <-chan time.Time { return expired }
	got := end(execute(a, []string{"test", "--parallel", "1", "--timeout", "200ms"}))
	got.check(t, 1, `error w.scenario.hcl  4 scenarios, 4 errored, virtual 0s
  error "1"  w.scenario.hcl:4, 0 checks, virtual 0s
    error "timeout"  w.scenario.hcl:4
      The suite reached the --timeout limit of 200ms before this scenario ended.
      hint: raise the limit, or split the suite with --shard
3 scenarios in 1 file were not run, because the --timeout limit of 200ms was reached:
  "2"  w.scenario.hcl:8
  "3"  w.scenario.hcl:12
  "4"  w.scenario.hcl:16
0 passed, 0 failed, 4 errored, 0 skipped (virtual 0s)
`)
}

// Shows that a run which differs from the one before it ends with 6, in
// precedence of the failure beside it, and that the first event that differs
// is shown.
func TestCountFindsDifferences(t *testing.T) {
	world(t)
	runs := 0
	got := play(func(p *interp.Plan) *interp.Result {
		r := passed(p)
		switch p.Name {
		case "2":
			runs++
			r.Events = []trace.Event{{Seq: 1, Type: trace.RunStart}, {Seq: 2, Type: trace.StepStart, Round: runs / 3}}
		case "3":
			r.Verdict = interp.Fail
		}
		return r
	}, "test", "--count", "5", "--parallel", "1", "--json")
	if runs != 3 {
		t.Errorf("the scenario ran %d times, want 3: the third run differs", runs)
	}
	if got.code != 6 {
		t.Errorf("exit code %d, want 6", got.code)
	}
	for _, want := range []string{
		`"name":"2","status":"error"`, `run 3 of 5 is not run 1`, `line 3 of the trace`,
		`\n  run 1: {\"seq\":2,\"at_ns\":0,\"type\":\"step_start\"}\n  run 3: {\"seq\":2,\"at_ns\":0,\"type\":\"step_start\",\"round\":1}\n`,
		`{"type":"summary","status":"error","passed":2,"failed":1,"errored":1,"skipped":0}`,
	} {
		if !strings.Contains(got.stdout, want) {
			t.Errorf("standard output lacks %s:\n%s", want, got.stdout)
		}
	}
}

// Shows that a difference in the results counts even where the traces agree.
func TestCountComparesResults(t *testing.T) {
	world(t)
	runs := 0
	got := play(func(p *interp.Plan) *interp.Result {
		r := passed(p)
		if runs++; runs == 2 {
			r.Verdict, r.Problems = interp.Fail, []interp.Problem{{Kind: "assert"}}
		}
		return r
	}, "test", "--count", "2", "--parallel", "1", "--run", "1")
	if got.code != 6 || !strings.Contains(got.stdout, "run 1 is pass with 0 problems, run 2 of 2 is fail with 1") {
		t.Errorf("exit code %d\n%s", got.code, got.stdout)
	}
}

// Shows that a panic in the engine ends with 6 and names the scenario, and that
// the other scenarios still run.
func TestCrash(t *testing.T) {
	world(t)
	got := play(func(p *interp.Plan) *interp.Result {
		if p.Name == "3" {
			panic("planted")
		}
		return passed(p)
	}, "test", "-q")
	got.check(t, 6, `error w.scenario.hcl  4 scenarios, 1 errored, virtual 0s
  error "3"  w.scenario.hcl:12, 0 checks, virtual 0s
    error "internal error"  w.scenario.hcl:12
      The engine failed while it ran this scenario. This is a bug in scenario; the report is on standard error.
3 passed, 0 failed, 1 errored, 0 skipped (virtual 0s)
`, `internal error: running "3" (w.scenario.hcl:12): planted`)
}

// Shows that a signal while files are still being read reports the ones that
// have run, and how many were not read.
func TestSignalWhileReading(t *testing.T) {
	writeSuite(t, 4, -1)
	hang := make(chan struct{})
	defer close(hang)
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		if p.Name == "2-0" {
			if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
				t.Error(err)
			}
			<-hang
		}
		return passed(p)
	})
	a.Keep = 0
	got := end(execute(a, []string{"test", "--parallel", "1"}))
	got.check(t, 130, `pass  f00.scenario.hcl  3 scenarios, virtual 0s
pass  f01.scenario.hcl  3 scenarios, virtual 0s
6 passed, 0 failed, 0 errored, 0 skipped (virtual 0s)
`, "stopped before 2 of 4 files were read")
	if strings.Contains(got.stderr, "interrupted: 0") {
		t.Error(got.stderr)
	}
}

// Shows that a signal in the middle of a large file leaves the same whether its scenarios
// are reported as they end or were all compiled before: what has a result, and what was
// not run.
func TestSignalInLargeFile(t *testing.T) {
	t.Chdir(t.TempDir())
	writeLargeFile(t, "a", 120, -1)
	call := func(keep int64) played {
		hang := make(chan struct{})
		defer close(hang)
		a, end := surroundings(func(p *interp.Plan) *interp.Result {
			if p.Name == "40-1" {
				if err := syscall.Kill(os.Getpid(), syscall.SIGINT); err != nil {
					t.Error(err)
				}
				<-hang
			}
			return passed(p)
		})
		a.Keep = keep
		return end(execute(a, []string{"test", "--parallel", "1", "--json"}))
	}
	got, want := call(0), call(1<<30)
	if got.code != 130 || strings.Count(got.stdout, `"status":"pass"`) != 40 || strings.Count(got.stdout, `not run, because the suite was interrupted`) != 80 {
		t.Errorf("exit code %d\n%s%s", got.code, got.stderr, got.stdout)
	}
	if timeless(t, got.stdout) != timeless(t, want.stdout) || got.stderr != want.stderr {
		t.Errorf("%s%s\nof a suite that was compiled before\n%s%s", got.stderr, got.stdout, want.stderr, want.stdout)
	}
}
