package runners

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const examples = "../../examples/node"

// Shows that the example in TypeScript passes under vitest and node --test, compiles with strict
// types, and that vitest shows what a scenario finds, with its place: here that the
// program does not wait as long as it is told.
func TestVitest(t *testing.T) {
	dir, run := project(t)
	for _, script := range []string{"types", "test"} {
		if out, err := run("npm", "run", script); err != nil {
			t.Fatalf("npm run %s: %v\n%s", script, err, out)
		}
	}
	if out, err := run("node", "--import", "tsx", "--test", "ask.node.test.ts"); err != nil || !strings.Contains(out, "pass 1") {
		t.Errorf("node --test with tsx: %v\n%s", err, out)
	}
	ask := filepath.Join(dir, "ask.ts")
	text, err := os.ReadFile(ask)
	if err != nil {
		t.Fatal(err)
	}
	hasty := strings.Replace(string(text), "1000 * Number(", "10 * Number(", 1)
	if hasty == string(text) {
		t.Fatal("ask.ts waits in other words")
	}
	if err := os.WriteFile(ask, []byte(hasty), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := run("npm", "test")
	if err == nil {
		t.Errorf("a program that comes back too early passes:\n%s", out)
	}
	for _, want := range []string{
		`assert "waits as long as it is told"  agent.scenario.hcl:13`,
		"endpoint.llm.calls[0].gaps_ms[0] = ",
		"1 failed | 1 passed",
	} {
		if !strings.Contains(out, want) {
			t.Errorf("vitest does not show %q:\n%s", want, out)
		}
	}
}

// project is a copy of the example with its packages, and what runs a command in it
// that finds `scenario` in its path.
func project(t *testing.T) (dir string, run func(name string, args ...string) (string, error)) {
	t.Helper()
	if testing.Short() {
		t.Skip("packages are installed")
	}
	for _, name := range []string{"node", "npm"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skip("there is no " + name + ", so vitest cannot be installed")
		}
	}
	dir, bin := t.TempDir(), t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(examples)); err != nil {
		t.Fatal(err)
	}
	build := exec.Command("go", "build", "-o", bin, "./cmd/scenario")
	build.Dir = "../.."
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	run = func(name string, args ...string) (string, error) {
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"), "NO_COLOR=1", "CI=")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	if out, err := run("npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund"); err != nil {
		t.Skipf("vitest cannot be installed: %v\n%s", err, out)
	}
	return dir, run
}
