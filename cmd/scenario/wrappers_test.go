package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// A wrapperTest is a command that tests one of the wrappers of scenario serve for
// other languages, in its directory: the tests beside it, which are also its example,
// pass, and what a session finds fails them.
type wrapperTest struct {
	dir  string
	need []string // what has to be there
	run  []string
}

func wrapperTests() []wrapperTest {
	pytest := withPytest()
	return []wrapperTest{
		{"python", []string{"python3", "-c", "import sys; assert sys.version_info >= (3, 8)"}, []string{"python3", "-m", "unittest", "-v", "test_without_pytest"}},
		{"python", []string{pytest, "-c", "import pytest"}, []string{pytest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_agent.py"}},
		{"node", []string{"node", "-e", "if (+process.versions.node.split('.')[0] < 18) process.exit(1)"}, []string{"node", "--test", "agent.test.mjs"}},
	}
}

// withPytest is a Python that has pytest: Debian's package gives it to the system's
// own, which may not be the first one.
func withPytest() string {
	for _, python := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(python, "-c", "import pytest").Run() == nil {
			return python
		}
	}
	return "python3"
}

// Shows that the wrappers for Python and Node do what their pages say, run by the
// test runners that people use them with.
func TestWrappers(t *testing.T) {
	if testing.Short() {
		t.Skip("the programs wait for a second of real time")
	}
	bin := commandDir(t)
	for _, w := range wrapperTests() {
		t.Run(filepath.Base(w.run[0])+" "+w.run[2], func(t *testing.T) {
			t.Parallel()
			if out, err := exec.Command(w.need[0], w.need[1:]...).CombinedOutput(); err != nil {
				t.Skipf("%s: %v %s", w.need[0], err, out)
			}
			cmd := exec.Command(w.run[0], w.run[1:]...)
			cmd.Dir = filepath.Join(repository, "examples", w.dir)
			cmd.Env = append(cleanEnv(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "PYTHONDONTWRITEBYTECODE=1")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// Shows that each wrapper is one file of at most a hundred lines, which people can
// copy.
func TestWrappersAreSmall(t *testing.T) {
	for _, name := range []string{"python/scenario_pytest.py", "node/scenario.mjs"} {
		text, err := os.ReadFile(filepath.Join(repository, "examples", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 100 {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}
