package platforms

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// targets are the systems that everything has to build for, as GOOS/GOARCH.
var targets = []string{"js/wasm", "windows/amd64", "darwin/arm64", "linux/arm64"}

// command is a call of the go command in a directory, for a target. Flags of the environment
// stay, so that what another call has compiled with them is not compiled again.
func command(dir, target string, args ...string) *exec.Cmd {
	goos, goarch, _ := strings.Cut(target, "/")
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS="+strings.TrimSpace(os.Getenv("GOFLAGS")+" -buildvcs=false"), "GOWORK=off")
	return cmd
}

// build compiles and links every package of a module for a target; the error
// holds what the go command said.
func build(dir, target string) error {
	if out, err := command(dir, target, "build", "./...").CombinedOutput(); err != nil {
		return fmt.Errorf("GOOS/GOARCH %s: go build ./...: %w\n%s", target, err, out)
	}
	return nil
}

// root is the module's directory. All its directories are opened, so that a
// kept result of this test is forgotten when one of their files changes.
func root(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "go.mod")); err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() && (d.Name() == ".git" || d.Name() == "bin" || d.Name() == "tmp" || d.Name() == "node_modules") {
			return filepath.SkipDir
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Shows that every package of the module is right by the compiler's types for every
// target, which takes seconds where nothing was built for it.
func TestTypes(t *testing.T) {
	if testing.Short() {
		t.Skip("reads all packages four times")
	}
	dir := root(t)
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			if err := typed(dir, target); err != nil {
				t.Error(err)
			}
		})
	}
}

// Shows that every package and command of the module builds for every target.
// With nothing in Go's cache a target takes about a minute on two idle cores,
// else seconds.
func TestBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the module four times")
	}
	dir := root(t)
	for _, target := range targets {
		t.Run(target, func(t *testing.T) {
			if err := build(dir, target); err != nil {
				t.Error(err)
			}
		})
	}
}

// Shows that a package which lacks a file for one of the targets is found there,
// and only there.
func TestOffendersAreFound(t *testing.T) {
	if testing.Short() {
		t.Skip("builds for another system")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":            "module m\n\ngo 1.26\n",
		"deep/x.go":         "package deep\n\nvar _ = group()\n",
		"deep/unix.go":      "//go:build unix\n\npackage deep\n\nfunc group() int { return 1 }\n",
		"deep/x_windows.go": "package deep\n\nfunc group() int { return 2 }\n",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, target := range targets {
		err := build(dir, target)
		if broken := target == "js/wasm"; broken != (err != nil) || broken && !strings.Contains(err.Error(), "undefined: group") {
			t.Errorf("%s: %v", target, err)
		}
		if other := typed(dir, target); (err == nil) != (other == nil) || err != nil && !strings.Contains(other.Error(), "undefined: group") {
			t.Errorf("%s: by its types: %v", target, other)
		}
	}
}

// Shows that the command passes every scenario as WebAssembly, too: what runs on
// the virtual clock needs nothing of the system but files.
func TestWebAssemblyPassesTheScenarios(t *testing.T) {
	if testing.Short() {
		t.Skip("builds and runs the command as WebAssembly")
	}
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("there is no node to run WebAssembly with")
	}
	dir := root(t)
	file := filepath.Join(t.TempDir(), "scenario.wasm")
	if out, err := command(dir, "js/wasm", "build", "-o", file, "./cmd/scenario").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", filepath.Join(strings.TrimSpace(string(goroot)), "lib", "wasm", "wasm_exec_node.js"), file, "test", "./scenarios")
	cmd.Dir = dir
	// wasm_exec.js refuses more than 8 KiB of arguments and environment.
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte(" passed, 0 failed, 0 errored")) {
		t.Errorf("%v\n%s", err, out)
	}
}
