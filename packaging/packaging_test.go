//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/internal/pages"
	"github.com/scenario-lang/scenario/packaging/internal/release"
)

const version = "v0.1.0"

// system is the one that the tests release for, and run.
const system = "linux/amd64"

// built is a release for one system.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the command")
	}
	dir := filepath.Join(t.TempDir(), "release")
	r := release.Release{Root: "..", Out: dir, Only: system, Version: version, Log: io.Discard}
	if err := r.Write(); err != nil {
		t.Fatal(err)
	}
	return dir
}

// one is the only file that a pattern matches.
func one(t *testing.T, dir, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s: %q, %v", pattern, found, err)
	}
	return found[0]
}

// run runs a program, whose exit code has to be that one.
func run(t *testing.T, dir string, code int, env []string, args ...string) string {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != code {
		t.Fatalf("%q: %v\n%s", args, err, out)
	}
	return string(out)
}

// works shows that the command can do what the tutorial begins with.
func works(t *testing.T, env []string, command ...string) {
	t.Helper()
	dir := t.TempDir()
	if out := run(t, dir, 0, env, append(command, "version")...); !strings.Contains(out, "scenario "+version+" ") {
		t.Errorf("the version is %s", out)
	}
	run(t, dir, 0, env, append(command, "init", ".")...)
	if out := run(t, dir, 1, env, append(command, "test")...); !strings.Contains(out, "1 passed, 1 failed") {
		t.Errorf("the starters:\n%s", out)
	}
}

// need skips where a program is not there.
func need(t *testing.T, args ...string) {
	t.Helper()
	if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
		t.Skipf("%q: %v %s", args, err, out)
	}
}

// Shows that a release is the same bytes when it is built again, in another directory,
// that its checksums hold and its parts list names what is linked; and that what each
// package manager installs, offline, works.
func TestRelease(t *testing.T) {
	dir := built(t)
	run(t, dir, 0, nil, "sha256sum", "--strict", "-c", "SHA256SUMS")

	t.Run("reproducible", func(t *testing.T) {
		again := built(t)
		run(t, again, 0, nil, "sha256sum", "--strict", "-c", filepath.Join(dir, "SHA256SUMS"))
	})
	t.Run("archive", func(t *testing.T) {
		to := t.TempDir()
		run(t, to, 0, nil, "tar", "xzf", one(t, dir, "*_linux_amd64.tar.gz"))
		works(t, nil, filepath.Join(to, "scenario"))
	})
	t.Run("sbom", func(t *testing.T) {
		text, err := os.ReadFile(one(t, dir, "*.cdx.json"))
		if err != nil {
			t.Fatal(err)
		}
		var doc struct {
			BOMFormat  string
			Components []struct{ Name, Version string }
		}
		if err := json.Unmarshal(text, &doc); err != nil || doc.BOMFormat != "CycloneDX" {
			t.Fatal(err, doc.BOMFormat)
		}
		to := t.TempDir()
		run(t, to, 0, nil, "tar", "xzf", one(t, dir, "*_linux_amd64.tar.gz"), "scenario")
		deps := strings.Count(run(t, to, 0, nil, "go", "version", "-m", "scenario"), "\tdep\t")
		if deps == 0 || len(doc.Components) != deps+1 { // and the standard library
			t.Errorf("%d components, and the command has %d dependencies", len(doc.Components), deps)
		}
	})
	t.Run("deb", func(t *testing.T) {
		need(t, "dpkg-deb", "--version")
		to := t.TempDir()
		run(t, to, 0, nil, "dpkg-deb", "-x", one(t, dir, "*.deb"), "root")
		works(t, nil, filepath.Join(to, "root", "usr", "bin", "scenario"))
		if out := run(t, to, 0, nil, "dpkg-deb", "-f", one(t, dir, "*.deb"), "Package", "Version", "Architecture"); !strings.Contains(out, "Version: 0.1.0") || !strings.Contains(out, "amd64") {
			t.Error(out)
		}
	})
	t.Run("apk", func(t *testing.T) {
		text, err := os.ReadFile(one(t, dir, "*.apk"))
		if err != nil {
			t.Fatal(err)
		}
		names := inTarball(t, text)
		if !strings.Contains(names, "usr/bin/scenario\n") || !strings.Contains(names, ".PKGINFO\n") {
			t.Error(names)
		}
	})
	t.Run("rpm", func(t *testing.T) {
		need(t, "rpm", "--version")
		if out := run(t, dir, 0, nil, "rpm", "-qpl", one(t, dir, "*.rpm")); !strings.Contains(out, "/usr/bin/scenario") {
			t.Error(out)
		}
	})
	t.Run("npm", func(t *testing.T) {
		need(t, "npm", "--version")
		to := t.TempDir()
		env := []string{"npm_config_cache=" + filepath.Join(to, "cache"), "npm_config_registry=http://127.0.0.1:1"}
		run(t, to, 0, env, "npm", "install", "--offline", "--no-audit", "--no-fund", "--omit=optional", "--prefix", to, one(t, dir, "scenario-cli-npm-*.tgz"), one(t, dir, "scenario-cli-linux-x64-npm-*.tgz"))
		works(t, nil, filepath.Join(to, "node_modules", ".bin", "scenario"))
	})
	t.Run("wheel", func(t *testing.T) {
		need(t, "python3", "-m", "pip", "--version")
		to := t.TempDir()
		run(t, to, 0, nil, "python3", "-m", "pip", "install", "--no-index", "--no-deps", "--no-cache-dir", "--disable-pip-version-check", "--prefix", to, "--ignore-installed", "--break-system-packages", one(t, dir, "*.whl"))
		command := ""
		_ = filepath.WalkDir(to, func(path string, d fs.DirEntry, _ error) error { // Debian puts it below local/
			if d != nil && !d.IsDir() && d.Name() == "scenario" {
				command = path
			}
			return nil
		})
		works(t, nil, command)
	})
	t.Run("chroot", func(t *testing.T) { inAnEmptyRoot(t, dir) })
}

// inAnEmptyRoot shows that in a root directory that holds nothing but the files of a
// package the tutorial works as it prints it.
func inAnEmptyRoot(t *testing.T, dir string) {
	need(t, "dpkg-deb", "--version")
	if os.Getuid() != 0 {
		t.Skip("only root may change the root directory")
	}
	to := t.TempDir()
	run(t, to, 0, nil, "dpkg-deb", "-x", one(t, dir, "*.deb"), "root")
	root := filepath.Join(to, "root")
	work := filepath.Join(root, "work")
	if err := os.MkdirAll(work, 0o777); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile("../docs/tutorial.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(text))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, b := range blocks {
		switch {
		case b.Directive == "file":
			if err := os.WriteFile(filepath.Join(work, b.Argument), []byte(b.Text), 0o666); err != nil {
				t.Fatal(err)
			}
		case b.Directive == "patch":
			file := filepath.Join(work, b.Argument)
			was, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			is, err := pages.Patch(string(was), b.Text)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, []byte(is), 0o666); err != nil {
				t.Fatal(err)
			}
		case b.Directive == "" && b.Language == "console":
			ran += inRoot(t, root, b)
		}
	}
	if ran < 3 {
		t.Errorf("%d commands of the tutorial ran", ran)
	}
}

// inRoot types the commands of a block in a root directory, and holds what they print
// against it.
func inRoot(t *testing.T, root string, b pages.Block) (ran int) {
	t.Helper()
	for part := range strings.SplitSeq("\n"+b.Text, "\n$ ") {
		line, want, _ := strings.Cut(part, "\n")
		if line == "" {
			continue
		}
		c, err := pages.ParseCommand(line)
		if err != nil || c.Words[0] != "scenario" {
			continue // the shell's own, such as cat
		}
		if c.Words[1] == "bench" {
			continue // it scores a program of the repository, which is in no package
		}
		cmd := exec.Command("/usr/bin/scenario", c.Words[1:]...)
		cmd.Dir, cmd.Env = "/work", append([]string{"LANG=C.UTF-8"}, c.Env...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
		out, err := cmd.CombinedOutput() // the page says how it ends
		if cmd.ProcessState == nil {
			t.Fatalf("%s: %v", line, err)
		}
		if !pages.Stands(string(out), want) {
			t.Errorf("line %d: %s printed\n%s\nand the page has\n%s", b.Line, line, out, want)
		}
		ran++
	}
	return ran
}

// inTarball lists the names in a file of several gzip streams, as an apk is.
func inTarball(t *testing.T, text []byte) string {
	t.Helper()
	var names strings.Builder
	in := bytes.NewReader(text)
	for in.Len() > 0 {
		z, err := gzip.NewReader(in)
		if err != nil {
			t.Fatal(err)
		}
		z.Multistream(false)
		all, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		r := tar.NewReader(bytes.NewReader(all))
		for {
			h, err := r.Next()
			if err != nil {
				break
			}
			names.WriteString(h.Name + "\n")
		}
	}
	return names.String()
}
