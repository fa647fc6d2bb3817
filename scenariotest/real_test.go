package scenariotest_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/scenario-lang/scenario/scenariotest"
)

// Shows that Real runs a scenario on the clock of the machine, and that without it time
// is that of a bubble, which begins with the year 2000.
func TestReal(t *testing.T) {
	for name, c := range map[string]struct {
		options []scenariotest.Option
		real    bool
	}{"real": {[]scenariotest.Option{scenariotest.Real()}, true}, "in a bubble": {nil, false}} {
		t.Run(name, func(t *testing.T) {
			scenariotest.Run(t, "testdata/left.scenario.hcl", func(t *testing.T, s *scenariotest.Scenario) {
				read(t, s)
				if year := time.Now().Year(); (year > 2000) != c.real {
					t.Errorf("it is %d", year)
				}
			}, c.options...)
		})
	}
}

// invalid names the file of [TestInvalidFile].
const invalid = "SCENARIOTEST_INVALID"

// Not a test of its own: it has a file that is invalid.
func TestInvalidFile(t *testing.T) {
	path := os.Getenv(invalid)
	if path == "" {
		t.Skip("TestCompiledOnce runs this")
	}
	scenariotest.Run(t, path, func(*testing.T, *scenariotest.Scenario) {})
}

// Shows that a file is compiled once in a process, so that it may change behind that,
// and that one which is invalid fails its test with all that is wrong with it.
func TestCompiledOnce(t *testing.T) {
	t.Chdir(t.TempDir()) // files are read below the root of a repository, or the working directory
	const path = "a.scenario.hcl"
	const right = "provider \"http\" \"web\" { base_url = \"http://web.test\" }\n\nscenario \"s\" {\n  on \"web\" {\n    reply {}\n  }\n}\n"
	wrong := strings.NewReplacer("reply {}", "reply { stauts_code = 200 }", "{ base_url = \"http://web.test\" }", "{\n  base_url = \"http://web.test\"\n  timout = 1\n}").Replace(right)
	for _, text := range []string{right, wrong} {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		ran := false
		scenariotest.Run(t, path, func(t *testing.T, s *scenariotest.Scenario) {
			read(t, s)
			ran = true
		})
		if !ran {
			t.Error("nothing ran")
		}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestInvalidFile$")
	cmd.Env = append(os.Environ(), invalid+"="+path)
	out, err := cmd.CombinedOutput()
	for _, want := range []string{"stauts_code", "timout"} {
		if err == nil || !strings.Contains(string(out), want) {
			t.Errorf("%v, and nothing is said of %s: %s", err, want, out)
		}
	}
}

// inBubble is how many goroutines are in the bubble of the caller. Outside of it those of
// other tests come and go.
func inBubble(t *testing.T) int {
	t.Helper()
	buf := make([]byte, 1<<20)
	own := string(buf[:runtime.Stack(buf, false)])
	_, id, found := strings.Cut(own[:strings.Index(own, "\n")], "synctest bubble ")
	if !found {
		t.Fatalf("no bubble: %s", own)
	}
	all := string(buf[:runtime.Stack(buf, true)])
	return strings.Count(all, "synctest bubble "+id)
}

// Shows that HTTP needs no goroutine of ours, also while an answer is under way, and that
// those of a connection are gone when the run is finished.
func TestGoroutines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := inBubble(t)
		s := scenariotest.New(t, "testdata/left.scenario.hcl", "s")
		resp, err := s.Client().Get("http://web.test/a")
		if err != nil {
			t.Fatal(err)
		}
		if n := inBubble(t); n != before {
			t.Errorf("%d goroutines more during an answer", n-before)
		}
		resp.Body.Close()
		conn, err := s.DialContext(t.Context(), "tcp", "web.test:80")
		if err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := inBubble(t); n <= before || n > before+2 {
			t.Errorf("%d goroutines more for a connection, want 1 or 2", n-before)
		}
		s.Finish()
		synctest.Wait()
		if n := inBubble(t); n != before {
			t.Errorf("%d goroutines more at the end", n-before)
		}
		conn.Close()
	})
}
