//go:build linux

package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

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
		held := inTarball(t, text)
		for _, want := range []string{"pkgname = scenario\n", "pkgver = 0.1.0\n", "arch = x86_64\n"} {
			if !strings.Contains(string(held[".PKGINFO"]), want) {
				t.Errorf(".PKGINFO has no %q:\n%s", want, held[".PKGINFO"])
			}
		}
		license, err := os.ReadFile("../LICENSE")
		if err != nil || !bytes.Equal(held["usr/share/doc/scenario/copyright"], license) || len(held["usr/bin/scenario"]) == 0 {
			t.Error(err, slices.Sorted(maps.Keys(held)))
		}
	})
	t.Run("rpm", func(t *testing.T) {
		need(t, "rpm", "--version")
		out := run(t, dir, 0, nil, "rpm", "-qp", "--qf", "%{NAME} %{VERSION} %{ARCH} %{LICENSE}\n[%{FILENAMES} %{FILEMODES:perms} %{FILEUSERNAME}\n]", one(t, dir, "*.rpm"))
		want := "scenario 0.1.0 x86_64 Apache-2.0\n/usr/bin/scenario -rwxr-xr-x root\n/usr/share/doc/scenario/copyright -rw-r--r-- root\n"
		if !strings.HasSuffix(out, want) {
			t.Errorf("%s\nand not\n%s", out, want)
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
	t.Run("chroot", func(t *testing.T) { inEmptyRoots(t, dir) })
}

// inTarball is what a file of several gzip streams holds, as an apk is.
func inTarball(t *testing.T, text []byte) map[string][]byte {
	t.Helper()
	held := map[string][]byte{}
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
			if held[h.Name], err = io.ReadAll(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	return held
}
