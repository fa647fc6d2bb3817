package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
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
		{"node", []string{"node", "-e", "const [a, b] = process.versions.node.split('.'); if (+a < 22 || +a === 22 && +b < 18 || +a === 23 && +b < 6) process.exit(1)"}, []string{"node", "--test", "ask.node.test.ts"}},
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

// Shows that a test runner prints what a session finds, with its place in the file: a
// program that does not wait as long as it is told fails its test. The files that
// pytest.ini names are found from a folder below, keys of clients are set, and a
// command that is not installed is named.
func TestWrappersSayWhatTheyFind(t *testing.T) {
	if testing.Short() {
		t.Skip("the programs wait for real")
	}
	bin, pytest := commandDir(t), withPytest()
	early := []string{"assert \"waits as long as it is told\"  ", "agent.scenario.hcl:13", "endpoint.llm.calls[0].gaps_ms[0] = "}
	missing := []string{"there is no command `scenario` in PATH"}
	for name, w := range map[string]struct {
		wrapperTest
		file, from, to string
		path           string // in place of the one that has the command
		want           []string
	}{
		"pytest":                     {wrapperTest{"python", []string{pytest, "-c", "import pytest"}, []string{pytest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../test_agent.py", "-k", "rate_limit"}}, "agent.py", "time.sleep(", "time.sleep(0.01 * ", "", early},
		"pytest without a key":       {wrapperTest{"python", []string{pytest, "-c", "import pytest"}, []string{pytest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../test_agent.py"}}, "agent.py", `os.environ.get("OPENAI_API_KEY", "none")`, `os.environ["OPENAI_API_KEY"]`, "", nil},
		"pytest without the command": {wrapperTest{"python", []string{pytest, "-c", "import pytest"}, []string{pytest, "-m", "pytest", "-q", "-p", "no:cacheprovider", "../test_agent.py"}}, "agent.py", "", "", "none", missing},
		"node":                       {wrapperTest{"node", []string{"node", "-e", ""}, []string{"node", "--test", "../agent.test.mjs"}}, "agent.mjs", "sleep(1000 *", "sleep(10 *", "", append(early, "agent.test.mjs:12:")},
		"node without the command":   {wrapperTest{"node", []string{"node", "-e", ""}, []string{"node", "--test", "../agent.test.mjs"}}, "agent.mjs", "", "", "none", missing},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if out, err := exec.Command(w.need[0], w.need[1:]...).CombinedOutput(); err != nil {
				t.Skipf("%s: %v %s", w.need[0], err, out)
			}
			out, err := w.runIn(t, changed(t, w.dir, w.file, w.from, w.to), firstOf(w.path, bin))
			if (err == nil) != (w.want == nil) {
				t.Errorf("%v\n%s", err, out)
			}
			for _, want := range w.want {
				if !strings.Contains(out, want) {
					t.Errorf("it does not say %q:\n%s", want, out)
				}
			}
		})
	}
}

// runIn runs the command of a test in the folder "below" of a folder, with bin first
// in its path.
func (w wrapperTest) runIn(t *testing.T, dir, bin string) (string, error) {
	t.Helper()
	program, err := exec.LookPath(w.run[0])
	if err != nil {
		t.Fatal(err)
	}
	below := filepath.Join(dir, "below")
	if err := os.Mkdir(below, 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, w.run[1:]...)
	cmd.Dir = below
	if w.dir == "node" { // whose helper takes paths from where it runs
		cmd.Dir, cmd.Args[2] = dir, filepath.Base(w.run[2])
	}
	cmd.Env = append(cleanEnv(), "PATH="+bin, "PYTHONDONTWRITEBYTECODE=1")
	cmd.Env = slices.DeleteFunc(cmd.Env, func(v string) bool { return strings.HasPrefix(v, "OPENAI_API_KEY=") })
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// changed is a copy of an example in which a file has other words.
func changed(t *testing.T, example, file, from, to string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(repository, "examples", example))); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, file)
	text, err := os.ReadFile(path)
	if err != nil || !bytes.Contains(text, []byte(from)) {
		t.Fatalf("%s has no %q: %v", file, from, err)
	}
	if err := os.WriteFile(path, bytes.Replace(text, []byte(from), []byte(to), 1), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shows that each wrapper is one file of at most 120 lines, which people can
// copy.
func TestWrappersAreSmall(t *testing.T) {
	for _, name := range []string{"python/scenario_pytest.py", "node/scenario.mjs"} {
		text, err := os.ReadFile(filepath.Join(repository, "examples", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		if lines := bytes.Count(text, []byte("\n")); lines > 120 {
			t.Errorf("%s has %d lines", name, lines)
		}
	}
}
