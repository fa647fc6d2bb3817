//go:build unix

package serve

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

// What makes a test the program that dies: how, when, and whom it asks.
const (
	diesHow  = "SERVE_TEST_DIES"
	diesWhen = "SERVE_TEST_DIES_WHEN"
	diesURL  = "SERVE_TEST_DIES_URL"
)

// deaths are the ways in which a program ends at once.
var deaths = map[string]func(){
	"exits":         func() { os.Exit(3) },
	"exits with 0":  func() { os.Exit(0) },
	"panics":        func() { panic("at the end of its wits") },
	"is killed":     func() { _ = syscall.Kill(os.Getpid(), syscall.SIGKILL); forever() },
	"is terminated": func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM); forever() },
	"faults":        func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSEGV); forever() },
}

// forever waits for a signal. A program in which nothing can go on any more would end by itself,
// and both ends at once can be none.
func forever() { time.Sleep(time.Hour) }

// die is the program. It asks, and ends before the answer, in the middle of one, or before
// it has sent all of its request.
func die() {
	const body = `{"model":"m","stream":true,"messages":[{"role":"user","content":"why?"}]}`
	host, path, _ := strings.Cut(strings.TrimPrefix(os.Getenv(diesURL), "http://"), "/")
	c, err := net.Dial("tcp", host)
	if err != nil {
		os.Exit(9)
	}
	request := fmt.Sprintf("POST /%s/chat/completions HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", path, len(body), body)
	switch os.Getenv(diesWhen) {
	case "in its request":
		_, _ = io.WriteString(c, request[:len(request)-10])
	case "in an answer":
		_, _ = io.WriteString(c, request)
		in := bufio.NewReader(c)
		for line := ""; err == nil && !strings.Contains(line, "Rayleigh"); {
			line, err = in.ReadString('\n')
		}
	}
	if err != nil {
		os.Exit(9)
	}
	deaths[os.Getenv(diesHow)]()
}

const outlived = `
provider "openai" "llm" {}
scenario "the program after it is answered" {
  on "llm" {
    reply {
      content     = "Rayleigh scattering of light"
      chunk_delay = "1h"
    }
    reply { content = "Rayleigh scattering" }
  }
  assert "each was told apart" {
    condition = [for a in endpoint.llm.attempts : [a.outcome, a.ended_by, a.call]] == %s
  }
}
`

// Shows that a program which dies, however it does, in the middle of an answer or of its own
// request, leaves its session as it should be: what it was being told has been left by the
// client, what it never asked is no attempt, and the program after it is answered at once,
// with the next entry.
func TestProgramsThatDie(t *testing.T) {
	if os.Getenv(diesHow) != "" {
		die()
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for when, want := range map[string]string{
		"in an answer":   `[["cancelled", "client", 1], ["success", "server", 2]]`,
		"in its request": `[["cancelled", "client", 1], ["success", "server", 2]]`,
	} {
		for how := range deaths {
			t.Run(how+" "+when, func(t *testing.T) {
				w := listen(t, fmt.Sprintf(outlived, want))
				url := w.Addresses().Providers["llm"]
				dies := func(when string) {
					cmd := exec.Command(self, "-test.run=^TestProgramsThatDie$")
					cmd.Env = append(os.Environ(), diesHow+"="+how, diesWhen+"="+when, diesURL+"="+url)
					var exit *exec.ExitError
					if err := cmd.Run(); errors.As(err, &exit) && exit.ExitCode() == 9 || err != nil && exit == nil {
						t.Fatal(err)
					}
				}
				if when == "in its request" {
					dies(when)
				}
				dies("in an answer")
				status, body := w.do(w.request(http.MethodPost, url+"/chat/completions", `{"model":"m","messages":[{"role":"user","content":"why?"}]}`, "Content-Type", "application/json"))
				if status != http.StatusOK || !strings.Contains(body, `"Rayleigh scattering"`) {
					t.Errorf("%d %s", status, body)
				}
				w.Finish()
				if len(w.judged) != 1 || w.judged[0].Verdict != interp.Pass || len(w.gates) > 0 {
					t.Errorf("%+v %v", w.judged, w.gates)
				}
			})
		}
	}
}
