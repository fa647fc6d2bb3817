//go:build unix

package main

import (
	"bytes"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Shows that a signal in the middle of a run ends the program, which ignores that
// it is asked to, and the child that it has, within a second; that the scenarios
// are reported, and that nothing of it is left. The programs are real ones.
func TestExecEndsItsProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	text := `provider "openai" "llm" {}

scenario "one" {
  sut { command = ["sh", "-c", "trap '' TERM; sleep 60 & echo $! > child; kill -INT $PPID; wait; wait"] }
  expect "run" { status = "success" }
}

scenario "two" {
  sut { command = ["true"] }
  expect "run" { status = "success" }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	var out, errs bytes.Buffer
	began := time.Now()
	code := run([]string{"exec"}, strings.NewReader(""), &out, &errs, noEnv)
	if took := time.Since(began); code != 130 || took > 5*time.Second {
		t.Errorf("exit %d after %s", code, took)
	}
	if !strings.Contains(out.String(), "1 scenario in 1 file was not run, because the suite was interrupted") || !strings.Contains(errs.String(), "interrupted: 1 of 2 scenarios were not run") {
		t.Errorf("got %s\n%s", &out, &errs)
	}
	child, err := os.ReadFile("child")
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(child)))
	if err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(5 * time.Second); syscall.Kill(pid, 0) == nil; time.Sleep(time.Millisecond) {
		if stat, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); bytes.Contains(stat, []byte(") Z ")) {
			break // nobody has asked after it yet
		}
		if time.Now().After(deadline) {
			t.Fatalf("process %d is left", pid)
		}
	}
}

// Shows what is told of a run that Ctrl-C cut off, in every report: that it was
// interrupted, what the program had asked until then and what it said last, and no
// verdict of checks; of one that did not begin, that it did not run, and no time that it
// took.
func TestExecTellsWhatWasInterrupted(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3: ", err)
	}
	t.Chdir(t.TempDir())
	file, program := `provider "http" "web" { base_url = "https://web.test" }

scenario "one" {
  sut {
    command = ["python3", "ask.py"]
    env     = { URL = provider.web.url }
  }
  on "web" {
    fault "http_error" { status_code = 503 }
    reply { body = "hello" }
    reply { latency = "1m" }
  }
  expect "web" { retries = 5 }
}

scenario "two" {
  sut { command = ["true"] }
  expect "run" { status = "success" }
}
`, `import os, signal, threading, time, urllib.request
def ask(path):
    try: print(urllib.request.urlopen(os.environ["URL"] + path).read(), flush=True)
    except OSError as e: print(e, flush=True)
ask("/a")
ask("/a")
threading.Thread(target=ask, args=["/b"], daemon=True).start()
time.sleep(0.3)
os.kill(os.getppid(), signal.SIGINT)
time.sleep(60)
`
	for name, text := range map[string]string{"a.scenario.hcl": file, "ask.py": program} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{"exec", "--report", "junit=j.xml", "--report", "html=h.html", "--report", "json=j.json", "--report", "tap=t.tap", "--trace-out", "t.jsonl"}
	var out, errs bytes.Buffer
	if code := run(args, strings.NewReader(""), &out, &errs, noEnv); code != 130 {
		t.Errorf("exit %d, want 130\n%s\n%s", code, &out, &errs)
	}
	told := map[string]string{"text": out.String()}
	for _, name := range []string{"j.xml", "h.html", "j.json", "t.tap", "t.jsonl"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		told[name] = string(b)
	}
	for name, wants := range map[string][]string{
		"text":    {"The run was interrupted after ", "web: 3 attempts in 2 calls: 1 success, 1 failure, 1 cancelled", "b'hello'", "1 errored, 1 skipped"},
		"j.xml":   {"The run was interrupted after ", "web: 3 attempts in 2 calls: 1 success, 1 failure, 1 cancelled", "attempt 2 at web: success 200", "b'hello'", "not run, because the suite was interrupted"},
		"h.html":  {"The run was interrupted after ", "3 attempts in 2 calls", "not run, because the suite was interrupted"},
		"j.json":  {`"status":"error","way":"exec","elapsed_ms":`, `web: 3 attempts in 2 calls: 1 success, 1 failure, 1 cancelled`, `"name":"two","status":"skip","way":"exec",`},
		"t.tap":   {"web: 3 attempts in 2 calls", "elapsed_ms: "},
		"t.jsonl": {`"attempt_end"`},
	} {
		for _, want := range wants {
			if !strings.Contains(told[name], want) {
				t.Errorf("%s lacks %q:\n%s", name, want, told[name])
			}
		}
		for _, never := range []string{"virtual_ms", "retries", "2 of 2 scenarios"} {
			if name != "h.html" && name != "t.jsonl" && strings.Contains(told[name]+errs.String(), never) {
				t.Errorf("%s has %q:\n%s", name, never, told[name])
			}
		}
	}
}
