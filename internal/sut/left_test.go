package sut_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/internal/sut"
	"github.com/scenario-lang/scenario/interp"
)

// What makes a test the program, or the child that the program leaves running: which of
// the two it is, where the child says what became of it, how long it waits before it
// asks, and whether it goes on then.
const (
	leftRole  = "SUT_TEST_LEFT"
	leftHold  = "SUT_TEST_LEFT_HOLD"
	leftWait  = "SUT_TEST_LEFT_WAIT"
	leftStays = "SUT_TEST_LEFT_STAYS"
	leftAsks  = "SUT_TEST_LEFT_ASKS" // the program asks, too
)

// askOnce asks the model and reports whether it had an answer.
func askOnce() bool {
	resp, err := http.Post(os.Getenv("OPENAI_BASE_URL")+"/chat/completions", "application/json",
		strings.NewReader(`{"model": "gpt-4o", "messages": [{"role": "user", "content": "why?"}]}`))
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK
}

// leaveBehind is the program and its child. Neither returns.
func leaveBehind(role, name string) {
	if role == "program" {
		self, err := os.Executable()
		if err != nil {
			os.Exit(9)
		}
		child := exec.Command(self, "-test.run=^"+name+"$")
		child.Env = append(os.Environ(), leftRole+"=child")
		began, err := child.StdoutPipe()
		ends, err2 := child.StdinPipe()
		if err != nil || err2 != nil || child.Start() != nil {
			os.Exit(9)
		}
		defer ends.Close()
		if _, err := began.Read(make([]byte, 1)); err != nil || os.Getenv(leftAsks) != "" && !askOnce() {
			os.Exit(9)
		}
		os.Exit(0)
	}
	hold, err := net.Dial("tcp", os.Getenv(leftHold))
	if err != nil {
		os.Exit(9)
	}
	fmt.Print(".")
	_, _ = io.Copy(io.Discard, os.Stdin) // it ends with the program
	wait, _ := time.ParseDuration(os.Getenv(leftWait))
	time.Sleep(wait)
	said := "refused"
	if askOnce() {
		said = "answered"
	}
	_, _ = io.WriteString(hold, said)
	if os.Getenv(leftStays) != "" {
		_, _ = io.Copy(io.Discard, hold) // until it is ended
	}
	os.Exit(0)
}

// Shows that what a program has started and left running goes on until the run has
// settled, whose time counts from the end of the program on, and that nothing of it is
// left when the run is over, also where somebody interrupts it. A scenario that passes
// without settle although it left something running is warned of. These are real programs:
// the child asks a third of a second after the program has ended, and settling takes two
// seconds for a machine that is busy.
func TestWhatItLeftSettles(t *testing.T) {
	if role := os.Getenv(leftRole); role != "" {
		leaveBehind(role, t.Name())
	}
	if runtime.GOOS == "windows" {
		t.Skip("no process groups: what a program left is not seen")
	}
	for name, c := range map[string]struct {
		sut, wait    string
		asks, stays  bool
		interrupted  bool
		said         string
		attempts     int
		wantProblems bool
		warned       bool
	}{
		"without settle":   {wait: "20s", wantProblems: true},
		"without a limit":  {wait: "20s", asks: true, attempts: 1, warned: true},
		"settles":          {sut: `settle = "2s"`, wait: "300ms", said: "answered", attempts: 1},
		"settles on until": {sut: "settle = \"2s\"\n    until  = length(endpoint.llm.attempts) >= 1", wait: "300ms", asks: true, said: "answered", attempts: 2},
		"stays":            {sut: `settle = "2s"`, wait: "300ms", stays: true, said: "answered", attempts: 1},
		"interrupted":      {sut: `settle = "50s"`, wait: "300ms", stays: true, interrupted: true, said: "answered", attempts: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			hold, err := net.Listen("tcp4", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer hold.Close()
			interrupt, said := make(chan struct{}), make(chan string, 1)
			var since time.Time
			go func() {
				conn, err := hold.Accept()
				if err != nil {
					said <- err.Error()
					return
				}
				defer conn.Close()
				word := make([]byte, 100)
				n, _ := conn.Read(word)
				if c.interrupted {
					since = time.Now()
					close(interrupt)
				}
				_, _ = conn.Read(word[n:]) // it ends with the child
				said <- string(word[:n])
			}()
			path := t.TempDir() + "/a.scenario.hcl"
			text := fmt.Sprintf(`provider "openai" "llm" {}

scenario "s" {
  sut {
    %s
  }
  on "llm" {
    reply {
      content = "yes"
      times   = %d
    }
  }
  assert "each was answered" { condition = alltrue([for a in endpoint.llm.attempts : a.status_code == 200]) && length(endpoint.llm.attempts) == %d }
}
`, c.sut, max(1, c.attempts), c.attempts)
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			env := append(os.Environ(), leftRole+"=program", leftHold+"="+hold.Addr().String(), leftWait+"="+c.wait)
			if c.asks {
				env = append(env, leftAsks+"=1")
			}
			if c.stays {
				env = append(env, leftStays+"=1")
			}
			r := sut.Play(planOf(t, path), sut.Options{
				Command: []string{self, "-test.run=^TestWhatItLeftSettles$"}, WorkingDir: t.TempDir(), Environment: env, Interrupt: interrupt,
			})
			select {
			case got := <-said:
				if got != c.said {
					t.Errorf("the child said %q, want %q", got, c.said)
				}
			case <-time.After(10 * time.Second):
				t.Fatal("the child is left")
			}
			if took := time.Since(since); c.interrupted && took > 2*time.Second {
				t.Errorf("it took %s to end", took)
			}
			if c.interrupted {
				return // it has no verdict
			}
			e := r.Program
			if e == nil || e.Stopped || e.ExitCode == nil || *e.ExitCode != 0 {
				t.Errorf("the program: %+v", e)
			}
			if failed := r.Verdict != interp.Pass; failed != c.wantProblems {
				t.Errorf("%s: %+v", r.Verdict, r.Problems)
			}
			if warned := slices.ContainsFunc(r.Warnings, func(w string) bool { return strings.Contains(w, "left something running") }); warned != c.warned {
				t.Errorf("warned %t: %q", warned, r.Warnings)
			}
		})
	}
}
