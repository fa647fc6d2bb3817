package scenariotest_test

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// leavers are tests that leave something behind, by what it is.
var leavers = map[string]func(t *testing.T, s *scenariotest.Scenario){
	"nothing": func(t *testing.T, s *scenariotest.Scenario) { read(t, s) },
	"a goroutine": func(t *testing.T, s *scenariotest.Scenario) {
		read(t, s)
		go leftBlocked(make(chan int))
	},
	"a connection": func(t *testing.T, s *scenariotest.Scenario) {
		read(t, s)
		if _, err := s.DialContext(t.Context(), "tcp", "web.test:80"); err != nil {
			t.Error(err)
		}
	},
	// The client's timer is a goroutine of net/http, which ends when the body is read to
	// its end or closed: in a bubble, nothing would ever end it.
	"a body that http.Client.Timeout guards": func(t *testing.T, s *scenariotest.Scenario) {
		client := s.Client()
		client.Timeout = time.Hour
		if _, err := client.Get("http://web.test/a"); err != nil {
			t.Error(err)
		}
	},
}

func leftBlocked(c chan int) { <-c }

// read asks for the one answer, and reads it to its end.
func read(t *testing.T, s *scenariotest.Scenario) {
	resp, err := s.Client().Get("http://web.test/a")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("%d, %v", resp.StatusCode, err)
	}
}

// Not a test of its own: what [TestLeftBehind] looks at, in a process that may end badly.
func TestLeaver(t *testing.T) {
	leave := leavers[os.Getenv("LEAVES")]
	switch os.Getenv("LEAVES_IN") {
	case "":
		t.Skip("TestLeftBehind runs this")
	case "Run":
		scenariotest.Run(t, "testdata/left.scenario.hcl", leave)
	case "Run, Real":
		scenariotest.Run(t, "testdata/left.scenario.hcl", leave, scenariotest.Real())
	case "New":
		t.Run("s", func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { leave(t, scenariotest.New(t, "testdata/left.scenario.hcl", "s")) })
		})
	}
	t.Run("afterwards", func(*testing.T) {})
}

// Shows that what a test leaves behind fails it with the gate that says what it is,
// whoever made its bubble, and that the tests after it run where the bubble is that of
// Run. In one of the test's own, testing/synctest ends the process over a goroutine, and
// the test has said before which it is.
func TestLeftBehind(t *testing.T) {
	for name, c := range map[string]struct {
		in, leaves string
		says       []string
		dies       bool
	}{
		"Run, nothing":              {"Run", "nothing", nil, false},
		"Run, a goroutine":          {"Run", "a goroutine", []string{"left_running: goroutines", "hint: close what they wait for"}, false},
		"Run, a connection":         {"Run", "a connection", []string{"left_running: the test has ended and 1 of its connections is open"}, false},
		"Run, a guarded body":       {"Run", "a body that http.Client.Timeout guards", []string{"open_body", "hint: defer resp.Body.Close()"}, false},
		"Run, Real, nothing":        {"Run, Real", "nothing", nil, false},
		"Run, Real, a connection":   {"Run, Real", "a connection", []string{"left_running: the test has ended and 1 of its connections is open"}, false},
		"Run, Real, a guarded body": {"Run, Real", "a body that http.Client.Timeout guards", []string{"open_body"}, false},
		"New, nothing":              {"New", "nothing", nil, false},
		"New, a goroutine":          {"New", "a goroutine", []string{"left_running: goroutines", "scenariotest_test.leftBlocked("}, true},
		"New, a connection":         {"New", "a connection", []string{"left_running: the test has ended and 1 of its connections is open"}, false},
		"New, a guarded body":       {"New", "a body that http.Client.Timeout guards", []string{"open_body"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			cmd := exec.Command(os.Args[0], "-test.run=^TestLeaver$", "-test.v")
			cmd.Env = append(os.Environ(), "LEAVES="+c.leaves, "LEAVES_IN="+c.in)
			out, err := cmd.CombinedOutput()
			text := string(out)
			for _, want := range c.says {
				if !strings.Contains(text, want) {
					t.Errorf("nothing says %q", want)
				}
			}
			if failed := err != nil; failed != (c.says != nil) {
				t.Errorf("failed = %t", failed)
			}
			if after := strings.Contains(text, "--- PASS: TestLeaver/afterwards"); after == c.dies {
				t.Errorf("the tests after it ran: %t", after)
			}
			for _, gate := range []string{"left_running", "open_body"} {
				if strings.Contains(text, gate) != strings.Contains(strings.Join(c.says, " "), gate) {
					t.Errorf("something says %q", gate)
				}
			}
			if t.Failed() {
				t.Log(text)
			}
		})
	}
}
