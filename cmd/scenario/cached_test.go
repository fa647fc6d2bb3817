package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/scenario-lang/scenario/interp"
	"github.com/scenario-lang/scenario/report"
)

// aged makes a file one that was changed some time ago: what is as new as the call
// is not kept.
func aged(t *testing.T, path string, minutes int) {
	t.Helper()
	at := time.Now().Add(-time.Duration(minutes) * time.Minute)
	if err := os.Chtimes(path, at, at); err != nil {
		t.Fatal(err)
	}
}

// keepable goes to a copy of some scenarios of the repository, changed long ago.
func keepable(t *testing.T, dirs ...string) {
	t.Helper()
	from, err := filepath.Abs(filepath.Join(repository, "scenarios"))
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("go.mod", 0o777); err != nil { // the suite root
		t.Fatal(err)
	}
	for _, dir := range dirs {
		info, err := os.Stat(filepath.Join(from, dir))
		if err != nil {
			t.Fatal(err)
		}
		if info.IsDir() {
			err = os.CopyFS(dir, os.DirFS(filepath.Join(from, dir)))
		} else {
			var data []byte
			if data, err = os.ReadFile(filepath.Join(from, dir)); err == nil {
				err = os.WriteFile(dir, data, 0o666)
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range treeOf(t) {
		aged(t, path, 60)
	}
}

// treeOf are the files and directories below the working directory.
func treeOf(t *testing.T) (paths []string) {
	t.Helper()
	if err := filepath.WalkDir(".", func(path string, _ fs.DirEntry, err error) error {
		paths = append(paths, path)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return paths
}

// ran runs the suite and returns how many scenarios were run and how it ended. The
// environment has the entries NAME=value.
func ran(env []string, args ...string) (int, played) {
	var n atomic.Int64
	a, end := surroundings(func(p *interp.Plan) *interp.Result {
		n.Add(1)
		return interp.Run(p, interp.RunOptions{})
	})
	a.Env = func(name string) (string, bool) {
		for _, e := range env {
			if value, ok := strings.CutPrefix(e, name+"="); ok {
				return value, true
			}
		}
		return "", false
	}
	ended := end(execute(a, append([]string{"test"}, args...)))
	return int(n.Load()), ended
}

// timeless are the lines of --json without what the wall clock gave.
func timeless(t *testing.T, out string) string {
	t.Helper()
	var b strings.Builder
	for line := range strings.Lines(out) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		delete(event, "wall_ms")
		delete(event, "cached")
		written, err := json.Marshal(event)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(written, '\n'))
	}
	return b.String()
}

var keptSuites = []string{"cassettes.scenario.hcl", "cassettes", "mcp", "files", "values.scenario.hcl", "snapshot.scenario.hcl", "snapshots", "policies", "first.scenario.hcl", "taxonomy"}

// existing leaves out what the repository has no more.
func existing(t *testing.T) (names []string) {
	t.Helper()
	for _, name := range keptSuites {
		if _, err := os.Stat(filepath.Join(repository, "scenarios", name)); err == nil {
			names = append(names, name)
		}
	}
	if len(names) < 6 {
		t.Fatalf("only %q are left", names)
	}
	return names
}

// Shows that a suite in which nothing changed is not run again, and that every
// report of it says what it said before.
func TestCachedReportsAreTheSame(t *testing.T) {
	keepable(t, existing(t)...)
	cache := filepath.Join(t.TempDir(), "kept")
	args := func(dir string) []string {
		list := []string{"--cache-dir", cache, "-v"}
		for _, f := range report.Formats() {
			list = append(list, "--report", f.Name+"="+filepath.Join(dir, f.Name))
		}
		return list
	}
	reports := func(dir string) map[string]string {
		all := map[string]string{}
		for _, f := range report.Formats() {
			data, err := os.ReadFile(filepath.Join(dir, f.Name))
			if err != nil {
				t.Fatal(err)
			}
			all[f.Name] = string(bytes.ReplaceAll(data, []byte(dir), nil))
		}
		return all
	}
	one, two := t.TempDir(), t.TempDir()
	first, before := ran(nil, args(one)...)
	second, after := ran(nil, args(two)...)
	if first < 50 || second*5 > first {
		t.Errorf("%d scenarios were run first, and %d again", first, second)
	}
	if before.code != 0 || after.stdout != before.stdout || after.code != before.code || after.stderr != before.stderr {
		t.Errorf("it ended with %d and %d\n%s\n%s", before.code, after.code, before.stderr, after.stderr)
	}
	was, is := reports(one), reports(two)
	for name := range was {
		if was[name] != is[name] {
			t.Errorf("the report %s differs", name)
		}
	}
	if n, _ := ran(nil, "--cache-dir", cache); n != first {
		t.Errorf("without events %d were run, and %d of them have none kept", n, first)
	}
	if n, ended := ran(nil, "--cache-dir", cache, "--json"); n*5 > first || !strings.Contains(ended.stdout, `"cached":true`) {
		t.Errorf("%d were run\n%.300s", n, ended.stdout)
	}
}

// Shows, for every file of a suite, that a call which goes by kept results says
// what one says that runs everything, whatever happens to the file: it is spoilt,
// emptied or removed.
func TestCachedResultsFollowEveryFile(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs a suite some hundred times")
	}
	keepable(t, existing(t)...)
	cache := filepath.Join(t.TempDir(), "kept")
	if _, ended := ran(nil, "--cache-dir", cache, "--json"); ended.code != 0 {
		t.Fatal(ended)
	}
	different := 0
	for i, path := range treeOf(t) {
		data, err := os.ReadFile(path)
		if err != nil { // a directory
			continue
		}
		how := []func() error{
			func() error { return os.WriteFile(path, nil, 0o666) },
			func() error { return os.WriteFile(path, data[:len(data)*2/3], 0o666) },
			func() error { return os.Remove(path) },
		}[i%3]
		if err := how(); err != nil {
			t.Fatal(err)
		}
		for _, p := range []string{path, filepath.Dir(path)} {
			if _, err := os.Stat(p); err == nil {
				aged(t, p, 30)
			}
		}
		_, kept := ran(nil, "--cache-dir", cache, "--json")
		_, anew := ran(nil, "--no-cache", "--json")
		if kept.code != anew.code || kept.stderr != anew.stderr || timeless(t, kept.stdout) != timeless(t, anew.stdout) {
			t.Errorf("%s: with kept results %d, without %d\n%s\n%s", path, kept.code, anew.code, kept.stderr, anew.stderr)
		}
		if anew.code != 0 {
			different++
		}
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		aged(t, path, 60)
		aged(t, filepath.Dir(path), 60)
	}
	if different < 15 {
		t.Errorf("only %d of the changes matter", different)
	}
}

const keptFile = `
import = ["lib.scenario.hcl"]
variable "word" {
  type    = string
  default = "a"
}
locals {
  note  = file("note.txt")
  count = length(fileset("data/*.txt"))
}
scenario "s" {
  run    = workflow.w
  inputs = { x = "${var.word}${local.note}${local.count}" }
  expect "v" {
    output = "${var.word}${local.note}${local.count}"
  }
}
scenario "t" {
  run    = workflow.w
  seed   = 3
  inputs = { x = "y" }
  expect "v" {
    output = "y"
  }
}
`

const keptLibrary = `
workflow "w" {
  inputs = { x = "" }
  step "value" "v" { value = input.x }
}
`

// keptSuite goes to a suite of one file that reads files of all kinds.
func keptSuite(t *testing.T) (cache string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for path, text := range map[string]string{"go.mod": "", "a.scenario.hcl": keptFile, "lib.scenario.hcl": keptLibrary, "note.txt": "n", "data/1.txt": "1"} {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range treeOf(t) {
		aged(t, path, 60)
	}
	return filepath.Join(t.TempDir(), "kept")
}

// Shows what makes a kept result useless: whatever a run can depend on.
func TestCachedResultsAreOfTheSameCall(t *testing.T) {
	write := func(path, text string) func(*testing.T) {
		return func(t *testing.T) {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			aged(t, path, 30)
			aged(t, filepath.Dir(path), 30)
		}
	}
	for _, c := range []struct {
		name   string
		change func(*testing.T)
		env    []string
		args   []string
		runs   int
	}{
		{name: "nothing"},
		{name: "a part of it", args: []string{"--run", "^s$"}},
		{name: "another order of paths", args: []string{"lib.scenario.hcl", "a.scenario.hcl"}},
		{name: "a file that nobody reads", change: write("other.txt", "x")},
		{name: "a variable of the environment that nobody reads", env: []string{"OTHER=x"}},
		{name: "the file", change: write("a.scenario.hcl", keptFile+"\n"), runs: 2},
		{name: "an import", change: write("lib.scenario.hcl", keptLibrary+"\n"), runs: 2},
		{name: "a file that it reads", change: write("note.txt", "m"), runs: 2},
		{name: "a file of a set", change: write("data/2.txt", "2"), runs: 2},
		{name: "a file of a set, its content", change: write("data/1.txt", "2")},
		{name: "a variable", args: []string{"--var", "word=b"}, runs: 2},
		{name: "a variable from the environment", env: []string{"SCENARIO_VAR_word=b"}, runs: 2},
		{name: "a seed", args: []string{"--seed", "7"}, runs: 2},
		{name: "the seed 0", args: []string{"--seed", "0"}, runs: 2},
		{name: "strict", args: []string{"--strict"}, runs: 2},
		{name: "strict cassettes", args: []string{"--strict-cassettes"}, runs: 2},
		{name: "twice each", args: []string{"--count", "2"}, runs: 4},
		{name: "another order", args: []string{"--shuffle=1"}, runs: 2},
		{name: "traces", args: []string{"--trace-out", "t.jsonl"}, runs: 2},
		{name: "snapshots that are recorded", args: []string{"--update"}, runs: 2},
		{name: "another name of the file", change: func(t *testing.T) {
			if err := os.Rename("a.scenario.hcl", "b.scenario.hcl"); err != nil {
				t.Fatal(err)
			}
		}, runs: 2},
		{name: "another root", change: func(t *testing.T) {
			if err := os.Mkdir("../go.mod", 0o777); err != nil && !os.IsExist(err) {
				t.Fatal(err)
			}
			if err := os.Remove("go.mod"); err != nil {
				t.Fatal(err)
			}
		}, runs: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := keptSuite(t)
			if n, ended := ran(nil, "--cache-dir", cache); n != 2 || ended.code != 0 {
				t.Fatalf("%d were run\n%s%s", n, ended.stdout, ended.stderr)
			}
			if c.change != nil {
				c.change(t)
			}
			if n, ended := ran(c.env, append([]string{"--cache-dir", cache}, c.args...)...); n != c.runs || ended.code != 0 {
				t.Errorf("%d were run, want %d\n%s%s", n, c.runs, ended.stdout, ended.stderr)
			}
		})
	}
}

// Shows that a kept result is of the same values in the environment, where a file asks
// for them: another value is a miss, and one that no file asks for does not count.
func TestCachedResultsFollowTheEnvironment(t *testing.T) {
	cache := keptSuite(t)
	const file = `
provider "http" "api" {
  base_url = env("WORD")
}
workflow "w" {
  step "http" "get" {
    provider = provider.api
    path     = "/x"
  }
}
scenario "s" {
  run = workflow.w
  on "get" {
    reply {}
  }
  expect "run" { status = "success" }
}
`
	if err := os.WriteFile("a.scenario.hcl", []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	aged(t, "a.scenario.hcl", 60)
	args := []string{"--cache-dir", cache, "--env", "WORD", "a.scenario.hcl"}
	for i, c := range []struct {
		env  []string
		runs int
	}{
		{[]string{"WORD=http://a"}, 1},
		{[]string{"WORD=http://a"}, 0},
		{[]string{"WORD=http://a", "OTHER=x"}, 0},
		{[]string{"WORD=http://b"}, 1},
		{[]string{"WORD=http://b"}, 0},
		{[]string{"WORD=http://a"}, 1}, // one entry is kept for a file
		{[]string{"WORD=http://a"}, 0},
	} {
		if n, ended := ran(c.env, args...); n != c.runs || ended.code != 0 {
			t.Errorf("call %d, %q: %d were run, want %d\n%s%s", i+1, c.env, n, c.runs, ended.stdout, ended.stderr)
		}
	}
}

// Shows that nothing is kept where CI is set, not even with a home, unless the call names
// a directory, and that such a call is answered from it.
func TestCacheInCI(t *testing.T) {
	cache, home := keptSuite(t), t.TempDir()
	env := []string{"CI=true", "HOME=" + home, "XDG_CACHE_HOME=" + home}
	// Where the user's cache is says the environment of the process.
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	for i, c := range []struct {
		env, args []string
		runs      int
	}{
		{env, nil, 2},
		{env, nil, 2},
		{env, []string{"--cache-dir", cache}, 2},
		{env, []string{"--cache-dir", cache}, 0},
		{env[1:], nil, 2},
		{env[1:], nil, 0}, // on a machine of one's own
	} {
		if n, ended := ran(c.env, c.args...); n != c.runs || ended.code != 0 {
			t.Errorf("call %d: %d were run, want %d\n%s%s", i+1, n, c.runs, ended.stdout, ended.stderr)
		}
		if left, _ := os.ReadDir(home); i < 4 && len(left) > 0 {
			t.Errorf("call %d left %v in the user's cache", i+1, left)
		}
	}
}

// Shows that another build of the command goes by nothing that this one kept, also where
// it calls itself the same version, and that the same one does wherever it lies.
func TestCachedResultsAreOfTheSameBuild(t *testing.T) {
	cache := keptSuite(t)
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	built := time.Now().Add(-time.Hour)
	build := func(text []byte, at time.Time) string {
		path := filepath.Join(t.TempDir(), "scenario")
		if err := os.WriteFile(path, text, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cached := func(command string) bool {
		t.Helper()
		out, err := exec.Command(command, "test", "--cache-dir", cache, "--json").CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.Contains(string(out), `"cached":true`)
	}
	first := build(text, built)
	if cached(first) {
		t.Error("something was kept before")
	}
	for _, c := range []struct {
		name, command string
		want          bool
	}{
		{"the same", first, true},
		{"a copy", build(text, built), true},
		{"another size", build(append(slices.Clip(text), 0), built), false},
		{"built at another time", build(text, built.Add(time.Second)), false},
	} {
		if got := cached(c.command); got != c.want {
			t.Errorf("%s: kept results were shown: %v", c.name, got)
		}
	}
}

// Shows what is never kept: what did not pass, what warns, what is secret, what was
// changed just now; and that CI and people can do without.
func TestCacheKeepsOnlyWhatPassed(t *testing.T) {
	const secret = "s3cr3t-canary-value"
	for _, c := range []struct {
		name, text string
		env        []string
		args       []string
		runs       int
		fresh      bool
	}{
		{name: "it fails", text: strings.Replace(keptFile, `output = "y"`, `output = "z"`, 1), runs: 2},
		{name: "it is skipped", text: strings.Replace(keptFile, "seed   = 3", "skip = \"later\"", 1), runs: 1},
		{name: "it warns", text: keptFile + "\nlocals {\n  unused = 1\n}\n", runs: 2},
		{name: "a secret", text: strings.Replace(keptFile, `default = "a"`, "default = \""+secret+"\"\n  sensitive = true", 1), runs: 2},
		{name: "just now", text: keptFile + "\n", runs: 0, fresh: true},
		{name: "switched off", text: keptFile, args: []string{"--no-cache"}, runs: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			cache := keptSuite(t)
			if err := os.WriteFile("a.scenario.hcl", []byte(c.text), 0o666); err != nil {
				t.Fatal(err)
			}
			if !c.fresh {
				aged(t, "a.scenario.hcl", 30)
			}
			args := append([]string{"--cache-dir", cache}, c.args...)
			if c.args != nil {
				args = c.args
			}
			ran(c.env, args...)
			if n, ended := ran(c.env, args...); n != c.runs {
				t.Errorf("%d were run again, want %d\n%s%s", n, c.runs, ended.stdout, ended.stderr)
			}
			_ = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
				if data, _ := os.ReadFile(path); bytes.Contains(data, []byte(secret)) {
					t.Errorf("%s holds the secret", path)
				}
				return nil
			})
		})
	}
}

// Shows that what a file reads beside itself is not kept while it is as new as the
// call: what was compiled may have been another text.
func TestCacheDistrustsNewFiles(t *testing.T) {
	cache := keptSuite(t)
	aged(t, "note.txt", 0)
	ran(nil, "--cache-dir", cache)
	if n, _ := ran(nil, "--cache-dir", cache); n != 2 {
		t.Errorf("%d were run again", n)
	}
}

// Shows that a damaged entry is as good as none, wherever it is damaged, and that
// the directory is the user's own unless CI is set.
func TestCacheSurvivesDamage(t *testing.T) {
	cache := keptSuite(t)
	ran(nil, "--cache-dir", cache)
	var entry string
	_ = filepath.WalkDir(cache, func(path string, d fs.DirEntry, err error) error {
		if d.Type().IsRegular() {
			entry = path
		}
		return err
	})
	whole, err := os.ReadFile(entry)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(whole); i += 1 + len(whole)/40 {
		for _, damaged := range [][]byte{whole[:i], slices.Concat(whole[:i], []byte{whole[i] ^ 1}, whole[i+1:])} {
			if err := os.WriteFile(entry, damaged, 0o600); err != nil {
				t.Fatal(err)
			}
			if n, ended := ran(nil, "--cache-dir", cache); n != 2 || ended.code != 0 {
				t.Fatalf("damaged at %d: %d were run\n%s%s", i, n, ended.stdout, ended.stderr)
			}
		}
	}
	if n, _ := ran(nil, "--cache-dir", cache); n != 0 {
		t.Errorf("it was not mended: %d were run", n)
	}
	own := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", own)
	t.Setenv("HOME", own)
	for _, c := range []struct {
		env  []string
		runs int
	}{{[]string{"HOME=" + own, "CI=true"}, 2}, {nil, 2}, {[]string{"HOME=" + own}, 0}} {
		ran(c.env)
		if n, _ := ran(c.env); n != c.runs {
			t.Errorf("%q: %d were run again, want %d", c.env, n, c.runs)
		}
	}
	if err := os.WriteFile("taken", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, ended := ran(nil, "--cache-dir", "taken"); ended.code != 2 || !strings.Contains(ended.stderr, "--cache-dir taken cannot be used") {
		t.Errorf("%d: %s", ended.code, ended.stderr)
	}
}
