package scenariotest_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/scenario-lang/scenario/scenariotest"
)

// unseen names the file of [TestUnseenChecks], and unseenIn how it is played.
const unseen, unseenIn = "SCENARIOTEST_UNSEEN", "SCENARIOTEST_UNSEEN_IN"

// Not a test of its own: its file has checks that a Go test does not observe.
func TestUnseenChecks(t *testing.T) {
	path := os.Getenv(unseen)
	if path == "" {
		t.Skip("TestSaysWhatIsNotObserved runs this")
	}
	t.Chdir(filepath.Dir(path))
	path = filepath.Base(path)
	play := func(t *testing.T, s *scenariotest.Scenario) { read(t, s) }
	switch os.Getenv(unseenIn) {
	case "Run":
		scenariotest.Run(t, path, play)
	case "Run, Real":
		scenariotest.Run(t, path, play, scenariotest.Real())
	case "New":
		synctest.Test(t, func(t *testing.T) { play(t, scenariotest.New(t, path, "s")) })
	}
}

// Shows that a Go test says which checks of its file it does not observe, as exec and test
// do, however it is played, and that it fails where that is all that the file checks.
func TestSaysWhatIsNotObserved(t *testing.T) {
	const (
		file   = "provider \"http\" \"web\" { base_url = \"http://web.test\" }\nscenario \"s\" {\n  sut { command = [\"true\"] }\n  on \"web\" {\n    reply {}\n  }\n"
		exits  = "  assert \"it ends with 3\" { condition = sut.exit_code == 3 }\n"
		quiet  = "  assert \"it is quiet\" { condition = sut.stderr == \"\" }\n"
		runs   = "  expect \"run\" { status = \"success\" }\n"
		allows = "  allow = [\"no_assertion\"]\n"
	)
	for name, c := range map[string]struct {
		checks string
		says   []string // and nothing else of these
		fails  bool
	}{
		"no check":                    {"", nil, false},
		"a check that is seen":        {runs, nil, false},
		"one of two":                  {exits + runs, []string{"it ends with 3"}, false},
		"two of three":                {exits + quiet + runs, []string{"it ends with 3", "it is quiet"}, false},
		"all that there are":          {exits + quiet, []string{"it ends with 3", "it is quiet", "no_assertion"}, true},
		"all that there are, allowed": {exits + allows, []string{"it ends with 3", "no_assertion"}, false},
	} {
		for _, in := range []string{"Run", "Run, Real", "New"} {
			t.Run(name+"/"+in, func(t *testing.T) {
				t.Parallel()
				path := filepath.Join(t.TempDir(), "a.scenario.hcl")
				if err := os.WriteFile(path, []byte(file+c.checks+"}\n"), 0o666); err != nil {
					t.Fatal(err)
				}
				cmd := exec.Command(os.Args[0], "-test.run=^TestUnseenChecks$", "-test.v")
				cmd.Env = append(os.Environ(), unseen+"="+path, unseenIn+"="+in)
				out, err := cmd.CombinedOutput()
				if (err != nil) != c.fails {
					t.Errorf("it ended with %v", err)
				}
				for _, check := range []string{"it ends with 3", "it is quiet"} {
					want := strings.Contains(strings.Join(c.says, "\n"), check)
					if got := strings.Contains(string(out), `not observed: assert "`+check+`"  a.scenario.hcl:`); got != want {
						t.Errorf("says of %q: %t", check, got)
					}
				}
				if got := strings.Contains(string(out), "no_assertion"); got != strings.Contains(strings.Join(c.says, "\n"), "no_assertion") {
					t.Errorf("says no_assertion: %t", got)
				}
				if t.Failed() {
					t.Logf("%s", out)
				}
			})
		}
	}
}
