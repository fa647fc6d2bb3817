//go:build unix

package main

import (
	"bytes"
	"fmt"
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
// are reported, and that nothing of it is left. The programs are real ones; one of five
// tries is enough, for a machine that is busy.
func TestExecEndsItsProgram(t *testing.T) {
	t.Chdir(t.TempDir())
	twoPrograms(t, "trap '' TERM; sleep 60 & echo $! > child; kill -INT $PPID; wait; wait")
	var out, errs bytes.Buffer
	withinASecond(t, func() time.Duration {
		out.Reset()
		errs.Reset()
		began := time.Now()
		if code := run([]string{"exec"}, strings.NewReader(""), &out, &errs, noEnv); code != 130 {
			t.Errorf("exit %d, want 130", code)
		}
		return time.Since(began)
	})
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

// twoPrograms writes a file of two scenarios, of which the first has a shell run a line.
func twoPrograms(t *testing.T, line string) {
	t.Helper()
	text := fmt.Sprintf(`scenario "one" {
  sut { command = ["sh", "-c", %q] }
  expect "run" { status = "success" }
}

scenario "two" {
  sut { command = ["true"] }
  expect "run" { status = "success" }
}
`, line)
	if err := os.WriteFile("a.scenario.hcl", []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// withinASecond fails the test where something takes longer five times.
func withinASecond(t *testing.T, once func() time.Duration) {
	t.Helper()
	var took []time.Duration
	for range 5 {
		took = append(took, once())
		if took[len(took)-1] <= time.Second {
			return
		}
	}
	t.Errorf("it took %s, want a second at most", took)
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

// Shows that what did not run is said to be left out by what it was: by Ctrl-C or the
// limit of the call also where --fail-fast would have ended the suite with a failure,
// which a run that was cut off is none of; and by --fail-fast where a scenario failed.
func TestWhyTheRestDidNotRun(t *testing.T) {
	for name, c := range map[string]struct {
		command, name, why string
		code               int
		args               []string
	}{
		"Ctrl-C":    {"kill -INT $PPID; sleep 60", "interrupted", "not run, because the suite was interrupted", 130, nil},
		"the limit": {"sleep 60", "timeout", "The suite reached the --timeout limit of 1s before this scenario began.", 1, []string{"--timeout", "1s"}},
		"a failure": {"exit 3", "unexpected_failure", "not run after the first failure (--fail-fast)", 1, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			twoPrograms(t, c.command)
			var out, errs bytes.Buffer
			code := run(append([]string{"exec", "-v", "--fail-fast"}, c.args...), strings.NewReader(""), &out, &errs, noEnv)
			if code != c.code || !strings.Contains(out.String(), c.name) {
				t.Errorf("exit %d, want %d for %s: %s%s", code, c.code, c.name, &out, &errs)
			}
			if !strings.Contains(out.String(), c.why) {
				t.Errorf("it does not say %q: %s%s", c.why, &out, &errs)
			}
		})
	}
}

// Shows that what a cut run had come to is told of a server, too: what it was asked, by
// the steps that did, beside what it had asked itself; and that the limit of the call
// tells as much as Ctrl-C, as an error named timeout in every report.
func TestExecTellsWhatAServerWasAsked(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3: ", err)
	}
	for name, c := range map[string]struct {
		limits []string // each longer, for a machine that is busy
		ends   string
		code   int
		says   string
	}{
		"Ctrl-C":    {[]string{"0s"}, "os.kill(os.getppid(), signal.SIGINT)", 130, "The run was interrupted after "},
		"the limit": {[]string{"1s", "4s", "16s"}, "pass", 1, " before this scenario ended."},
	} {
		t.Run(name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			for name, text := range map[string]string{"a.scenario.hcl": `provider "http" "app" {}
provider "http" "data" { base_url = "https://data.test" }

workflow "ask" {
  step "http" "order" {
    provider = provider.app
    path     = "/order"
    retry    = retry.three
  }
}

retry "linear" "three" {
  max_retries = 3
  delay       = "1ms"
}

scenario "one" {
  run = workflow.ask
  sut {
    command = ["python3", "server.py"]
    env     = { DATA = provider.data.url }
    serves  = provider.app
  }
  on "data" {
    reply {
      body  = "hello"
      times = 2
    }
  }
  expect "order" { retries = 1 }
}
`, "server.py": `import http.server, os, signal, socketserver, time, urllib.request
asked = 0
class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        global asked
        asked += 1
        urllib.request.urlopen(os.environ["DATA"] + "/x").read()
        if asked == 2:
            ` + c.ends + `
            time.sleep(60)
        self.send_error(503)
    def log_message(self, *rest): pass
socketserver.TCPServer(("127.0.0.1", int(os.environ["PORT"])), Server).serve_forever() # HTTPServer asks for its name first
`} {
				if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			var out, errs bytes.Buffer
			for _, limit := range c.limits {
				out.Reset()
				code := run([]string{"exec", "--report", "junit=j.xml", "--report", "json=j.json", "--report", "tap=t.tap", "--timeout", limit}, strings.NewReader(""), &out, &errs, noEnv)
				if code != c.code {
					t.Errorf("exit %d, want %d", code, c.code)
				}
				if strings.Contains(out.String(), "order: 2 attempts") {
					break
				}
			}
			told := map[string]string{"text": out.String()}
			for _, name := range []string{"j.xml", "j.json", "t.tap"} {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				told[name] = string(b)
			}
			for name, text := range told {
				for _, want := range []string{
					c.says, "Until then the program had asked:", "data: 2 attempts in 2 calls: 2 success", "It had been asked:", "order: 2 attempts: 1 failure, 1 cancelled",
				} {
					if !strings.Contains(text, want) {
						t.Errorf("%s lacks %q:\n%s", name, want, text)
					}
				}
			}
		})
	}
}
