package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/scenario-lang/scenario/internal/command/benches"
	"github.com/scenario-lang/scenario/interp"
)

// keyed is a bench whose program passes where it has the value of a sensitive variable.
const keyed = `
variable "key" {
  type      = string
  sensitive = true
}
bench "b" {
  cases = [{ id = "c", input = { n = 1 } }]
  sut {
    command = ["sh", "-c", "echo x >>started; test \"$KEY\" = ` + canary + ` && echo '{\"n\": 1}'"]
    env     = { KEY = var.key }
  }
  rubric { passed = output.n == 1 }
}
`

// Shows that workers in the process that submits have the values of sensitive variables
// however they were given, and that a report does, too.
func TestSensitiveValueOfTheCommandLine(t *testing.T) {
	for _, c := range []struct {
		name string
		args []string
	}{
		{"--var", []string{"--var", "key=" + canary}},
		{"--var-file", []string{"--var-file", "vars.hcl"}},
	} {
		for _, file := range []string{"a.scenario.hcl", "b.scenario.hcl"} {
			t.Run(c.name+" "+file, func(t *testing.T) {
				folder(t, map[string]string{"a.scenario.hcl": withKey, "b.scenario.hcl": keyed, "vars.hcl": `key = "` + canary + `"`})
				want := map[string]int{"a.scenario.hcl": 1, "b.scenario.hcl": 0}[file] // withKey has one that fails
				code, out, errs := called(t, nil, append([]string{"run", file, "--timeout", "1m", "--workers", "2"}, c.args...)...)
				if code != want || strings.Contains(errs, "worker_version") {
					t.Errorf("exit code %d\n%s%s", code, out, errs)
				}
				leaks(t, "what is printed", []byte(out+errs))
			})
		}
	}
}

// Shows that submit reports a bench with the values of its own command line, and that
// collect says before it waits which variable it needs to do so.
func TestReportNeedsASensitiveValue(t *testing.T) {
	url := local(t)
	folder(t, map[string]string{"b.scenario.hcl": keyed, "vars.hcl": `key = "` + canary + `"`})
	code, id, errs := called(t, nil, "submit", "--detach", "--queue", url, "--var-file", "vars.hcl")
	if code != 0 {
		t.Fatal(errs)
	}
	id = strings.TrimSpace(id)
	code, out, errs := called(t, nil, "collect", id, "--queue", url, "--timeout", "1m") // no worker is there: it must not wait
	if code != 2 || !strings.Contains(errs, "SCENARIO_VAR_key, which is sensitive") || strings.Contains(errs, "worker_version") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	t.Setenv("SCENARIO_VAR_key", canary) // for the worker
	process(t, "worker", "--queue", url)
	if code, out, errs = called(t, nil, "submit", "--queue", url, "--var-file", "vars.hcl", "--timeout", "1m"); code != 0 || !strings.Contains(out, "1 of 1 case") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
	if code, out, errs = called(t, map[string]string{"SCENARIO_VAR_key": canary}, "collect", id, "--queue", url, "--timeout", "1m"); code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// asked is a bench whose rubric is decided by a sensitive variable.
const asked = `
variable "least" {
  type      = string
  sensitive = true
}
bench "b" {
  cases = [for n in range(4) : { id = "c${n}", input = { n = n } }]
  sut {
    command = ["sh", "-c", "echo '{\"n\": 1}'"]
  }
  rubric { passed = tostring(output.n) == var.least }
}
`

// Shows that a run is not reported with another value of a sensitive variable than it
// was submitted with: neither before nor after workers have
// run it, and with neither value in what is said. With the same values it is.
func TestReportWithAnotherValue(t *testing.T) {
	const other = "another-0b7e/value+y"
	t.Setenv("SCENARIO_VAR_key", canary) // for the worker
	t.Setenv("SCENARIO_VAR_least", "1")
	for _, c := range []struct {
		name, file, said string
		same, another    map[string]string
	}{
		{"a program's", keyed, "set SCENARIO_VAR_key to", map[string]string{"SCENARIO_VAR_key": canary}, map[string]string{"SCENARIO_VAR_key": other}},
		{"a rubric's", asked, "set SCENARIO_VAR_least to", map[string]string{"SCENARIO_VAR_least": "1"}, map[string]string{"SCENARIO_VAR_least": other}},
	} {
		t.Run(c.name, func(t *testing.T) {
			url := local(t)
			folder(t, map[string]string{"b.scenario.hcl": c.file})
			code, id, errs := called(t, c.same, "submit", "--detach", "--queue", url)
			if code != 0 {
				t.Fatal(errs)
			}
			id = strings.TrimSpace(id)
			refused := func(when string) {
				t.Helper()
				code, out, errs := called(t, c.another, "collect", id, "--queue", url, "--timeout", "1m", "--report", "merge=got.jsonl")
				if code != 2 || !strings.Contains(errs, "is another one here than the one that was submitted") || !strings.Contains(errs, c.said) || strings.Contains(errs, "worker_version") {
					t.Errorf("%s: exit code %d\n%s%s", when, code, out, errs)
				}
				if _, err := os.Stat("got.jsonl"); err == nil {
					t.Errorf("%s: there is a report", when)
				}
				if strings.Contains(out+errs, other) {
					t.Errorf("%s: what is printed has the other value", when)
				}
				leaks(t, "what is printed", []byte(out+errs))
			}
			refused("before") // no worker is there: it must not wait
			process(t, "worker", "--queue", url)
			if code, out, errs := called(t, c.same, "collect", id, "--queue", url, "--timeout", "1m"); code != 0 {
				t.Errorf("with the same values: exit code %d\n%s%s", code, out, errs)
			}
			refused("after")
		})
	}
}

// Shows that what messages cannot say is refused before anything runs.
func TestNameThatIsNotUTF8(t *testing.T) {
	for _, c := range []struct{ name, file, said string }{
		{"a file", "b\xff.scenario.hcl", `the name of the file "b\xff.scenario.hcl" is not UTF-8`},
		{"a directory", "b\xff/b.scenario.hcl", `is not UTF-8`},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, c.file)
			if os.MkdirAll(filepath.Dir(path), 0o755) != nil || os.WriteFile(path, []byte(benchWith("", "")["b.scenario.hcl"]), 0o644) != nil {
				t.Skip("there can be no such file here")
			}
			t.Chdir(dir)
			code, out, errs := called(t, nil, "run", "--timeout", "1m")
			if code != 3 || !strings.Contains(errs, c.said) || strings.Contains(errs, "worker_version") {
				t.Errorf("exit code %d\n%s%s", code, out, errs)
			}
		})
	}
}

// Shows that a run whose only worker cannot run its units ends and says why, whatever
// the reason is: nobody else would come.
func TestRunThatNobodyWorksFor(t *testing.T) {
	folder(t, benchWith("", `echo '{"n": 1}'`))
	state := t.TempDir()
	_, r := submitted(t, local(t))
	// Where the files of the run should have been unpacked there are none of them.
	if err := os.MkdirAll(filepath.Join(state, inState, "bundles", r.Bundle), 0o755); err != nil {
		t.Fatal(err)
	}
	code, out, errs := called(t, nil, "run", "--state", state, "--timeout", "1m", "--workers", "1")
	if code != 6 || !strings.Contains(errs, "this process cannot run the units") || !strings.Contains(errs, "cannot be compiled here") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

// Shows what a run says that is interrupted: how far it came, that there is no report, and
// how to go on, which without --state is to begin with it.
func TestRunThatIsInterrupted(t *testing.T) {
	for _, c := range []struct {
		name, hint string
		args       []string
	}{
		{"temporary", "hint: with --state DIR the same call would go on from here\n", nil},
		{"kept", "hint: the same call goes on from here\n", []string{"--state", "state"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			started, release := holding(t, "")
			defer release()
			run := process(t, append([]string{"run", ".", "--workers", "2", "--report", "merge=got.jsonl"}, c.args...)...)
			eventually(t, "two trials are under way", func() bool { return len(lines(started)) == 2 })
			_ = run.Process.Signal(os.Interrupt)
			_ = run.Wait()
			said := run.Stderr.(*output).String()
			if code := run.ProcessState.ExitCode(); code != 130 || !strings.Contains(said, "0 of 6 units have results; no report was written\n"+c.hint) {
				t.Errorf("exit code %d\n%s", code, said)
			}
			if _, err := os.Stat("got.jsonl"); err == nil {
				t.Error("there is a report")
			}
		})
	}
}

// Shows that a worker does not wait for the end of a run that the queue does not have,
// and that it ends where its run is forgotten.
func TestWorkerOfNoRun(t *testing.T) {
	url := local(t)
	code, _, errs := called(t, nil, "worker", "--queue", url, "--only", "typo", "--until-done")
	if code != 5 || !strings.Contains(errs, "the queue has no run typo") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	if code, _, errs = called(t, nil, "worker", "--queue", url, "--only", ""); code != 2 || !strings.Contains(errs, "--only needs the id of a run") {
		t.Errorf("exit code %d: %s", code, errs)
	}
	folder(t, benchWith("", `echo '{"n": 1}'`))
	q, r := submitted(t, url)
	worker := process(t, "worker", "--queue", url, "--only", r.ID, "--until-done")
	if err := q.Forget(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	_ = worker.Wait()
	if code := worker.ProcessState.ExitCode(); code != 0 && code != 5 { // 5 where it begins later
		t.Errorf("exit code %d: %s", code, worker.Stderr.(*output).String())
	}
}

// Shows that a password on the command line is refused and not repeated.
func TestPasswordOnTheCommandLine(t *testing.T) {
	const address = "nats://u:hunter2secret@127.0.0.1:1"
	for _, args := range [][]string{{"worker"}, {"status"}, {"submit"}, {"collect", "x"}} {
		code, out, errs := called(t, nil, append(args, "--queue", address)...)
		if code != 2 || !strings.Contains(errs, "--queue has a user or token in it") || strings.Contains(out+errs, "hunter2") {
			t.Errorf("%s: exit code %d\n%s%s", args[0], code, out, errs)
		}
	}
	code, _, errs := called(t, map[string]string{"SCENARIO_QUEUE": address}, "status")
	if code != 2 || !strings.Contains(errs, "cannot connect") || strings.Contains(errs, "hunter2") {
		t.Errorf("from the environment: exit code %d\n%s", code, errs)
	}
}

// Shows that a program gets nothing of what lets its worker into a queue, even where it
// asks for it by name, and no variables of other runs.
func TestProgramGetsNoQueue(t *testing.T) {
	t.Setenv("OTHER_NAME", "kept")
	for _, name := range []string{"SCENARIO_QUEUE", "SCENARIO_CREDS", "SCENARIO_QUEUE_CA", "SCENARIO_VAR_other"} {
		t.Setenv(name, canary)
	}
	dir := t.TempDir()
	seen := filepath.Join(dir, "seen")
	exec := benches.Exec(dir, os.LookupEnv)
	for _, names := range [][]string{nil, {"SCENARIO_QUEUE", "SCENARIO_CREDS", "SCENARIO_QUEUE_CA", "OTHER_NAME"}} {
		exec(t.Context(), interp.Program{Command: []string{"sh", "-c", "env >seen"}, Pass: names, Limit: 1000})
		text, err := os.ReadFile(seen)
		if err != nil || !strings.Contains(string(text), "OTHER_NAME=kept") {
			t.Fatalf("%v, %s", err, text)
		}
		leaks(t, "the environment of a program", text)
	}
}
