//go:build linux

package main

import (
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/scenario-lang/scenario/internal/pages"
)

// tutorial shows that the tutorial works as it prints it: its files are written to
// work, and its commands are made by command, out of the words behind `scenario`.
func tutorial(t *testing.T, page, work string, command func(args []string) *exec.Cmd) {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := pages.Blocks(string(text))
	if err != nil {
		t.Fatal(err)
	}
	ran := 0
	for _, b := range blocks {
		file := filepath.Join(work, b.Argument)
		switch {
		case b.Directive == "file":
			put(t, file, b.Text)
		case b.Directive == "patch":
			was, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			is, err := pages.Patch(string(was), b.Text)
			if err != nil {
				t.Fatal(err)
			}
			put(t, file, is)
		case b.Directive == "" && b.Language == "console":
			ran += typed(t, b, command)
		}
	}
	if ran < 3 {
		t.Errorf("%d commands of the tutorial ran", ran)
	}
}

func put(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// typed runs the commands of a block, and holds what they print against it.
func typed(t *testing.T, b pages.Block, command func([]string) *exec.Cmd) (ran int) {
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
		cmd := command(c.Words[1:])
		cmd.Env = append(cmd.Env, c.Env...)
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

// inEmptyRoots shows that the tutorial works in root directories that hold nothing but
// the files of one package, and in the one that the Dockerfile makes.
func inEmptyRoots(t *testing.T, dir string) {
	if os.Getuid() != 0 {
		t.Skip("only root may change the root directory")
	}
	unpacked := func(shell string) func(t *testing.T, root string) {
		return func(t *testing.T, root string) {
			need(t, "sh", "-c", shell[:strings.Index(shell, " ")]+" --version")
			run(t, dir, 0, nil, "sh", "-c", shell, "sh", root)
		}
	}
	for _, c := range []struct {
		name string
		fill func(t *testing.T, root string)
	}{
		{"deb", unpacked(`dpkg-deb -x ./*.deb "$1"`)},
		{"rpm", func(t *testing.T, root string) {
			need(t, "sh", "-c", "command -v rpm2cpio && command -v cpio || command -v bsdtar")
			run(t, dir, 0, nil, "sh", "-c", `if command -v bsdtar >/dev/null; then bsdtar -C "$1" -xf ./*.rpm; else rpm2cpio ./*.rpm | (cd "$1" && cpio -idm --quiet); fi`, "sh", root)
		}},
		{"apk", unpacked(`tar -xzf ./*.apk -C "$1" 2>/dev/null`)},
		{"archive", func(t *testing.T, root string) {
			run(t, dir, 0, nil, "sh", "-c", `mkdir -p "$1/usr/bin" && tar -xzf ./*_linux_amd64.tar.gz -C "$1/usr/bin" scenario`, "sh", root)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			root := t.TempDir()
			c.fill(t, root)
			inRoot(t, image{root: root, work: "/work", entry: []string{"/usr/bin/scenario"}})
		})
	}
	t.Run("Dockerfile", func(t *testing.T) { inRoot(t, imageOf(t, dir)) })
}

// An image is a root directory, where a command starts in it, and as whom.
type image struct {
	root, work string
	user       uint32
	entry      []string
}

// imageOf does what a builder of images does with the Dockerfile of a release, beside
// which lies what its first lines say.
func imageOf(t *testing.T, dir string) image {
	t.Helper()
	from := t.TempDir()
	run(t, from, 0, nil, "sh", "-c", `tar xzf "$1"/scenario_*_linux_amd64.tar.gz scenario`, "sh", dir)
	text, err := os.ReadFile(filepath.Join(dir, "Dockerfile"))
	if err != nil {
		t.Fatal(err)
	}
	i := image{root: t.TempDir(), work: "/"}
	for line := range strings.Lines(string(text)) {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		args := strings.Fields(rest)
		switch word {
		case "", "#":
		case "FROM":
			if rest != "scratch" {
				t.Fatalf("the image is not from scratch: %s", line)
			}
		case "COPY":
			run(t, from, 0, nil, "cp", "-p", args[0], filepath.Join(i.root, args[1]))
		case "WORKDIR":
			i.work = path.Clean(rest)
		case "USER":
			if rest != "65534:65534" {
				t.Fatalf("a number that is nobody's: %s", line)
			}
			i.user = 65534
		case "ENTRYPOINT":
			i.entry = strings.Split(strings.Trim(rest, `[]"`), `", "`)
		default:
			t.Fatalf("nothing here builds %s", line)
		}
	}
	if entries, err := os.ReadDir(i.root); err != nil || len(entries) != 1 {
		t.Fatalf("%v: the image holds %v", err, entries)
	}
	return i
}

// inRoot shows that the version and the tutorial are there in a root directory.
func inRoot(t *testing.T, i image) {
	t.Helper()
	work := filepath.Join(i.root, i.work)
	if err := os.MkdirAll(work, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(work, int(i.user), int(i.user)); err != nil {
		t.Fatal(err)
	}
	command := func(args []string) *exec.Cmd {
		cmd := exec.Command(i.entry[0], append(i.entry[1:len(i.entry):len(i.entry)], args...)...)
		cmd.Dir, cmd.Env = i.work, []string{"LANG=C.UTF-8"}
		cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: i.root, Credential: &syscall.Credential{Uid: i.user, Gid: i.user}}
		return cmd
	}
	if out, err := command([]string{"version"}).CombinedOutput(); err != nil || !strings.Contains(string(out), "scenario "+version+" ") {
		t.Errorf("version: %v\n%s", err, out)
	}
	tutorial(t, "../docs/tutorial.md", work, command)
}

// Shows that from a clone the command is installed as the README says, and the tutorial
// works, where there is Go and nothing else: no git, no C compiler, no shell, no network.
func TestCloneWithOnlyGo(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the command")
	}
	need(t, "git", "rev-parse", "HEAD")
	clone, home := filepath.Join(t.TempDir(), "clone"), t.TempDir()
	run(t, "..", 0, nil, "git", "clone", "-q", "--shared", ".", clone)
	from := func(name string) string {
		return name + "=" + strings.TrimSpace(run(t, ".", 0, nil, "go", "env", name))
	}
	bin := t.TempDir()
	if err := os.Symlink(filepath.Join(strings.TrimPrefix(from("GOROOT"), "GOROOT="), "bin", "go"), filepath.Join(bin, "go")); err != nil {
		t.Fatal(err)
	}
	// Paths that are cut let it take what other tests compiled.
	env := []string{
		"PATH=" + bin, "HOME=" + home, "LANG=C.UTF-8", "GOBIN=" + filepath.Join(home, "bin"), "GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=-trimpath",
		from("GOROOT"), from("GOCACHE"), from("GOMODCACHE"),
	}
	install := exec.Command(filepath.Join(bin, "go"), "install", "./cmd/scenario")
	install.Dir, install.Env = clone, env
	if out, err := install.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := t.TempDir()
	command := func(args []string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(home, "bin", "scenario"), args...)
		cmd.Dir, cmd.Env = work, []string{"PATH=" + bin, "HOME=" + home, "LANG=C.UTF-8"}
		return cmd
	}
	if out, err := command([]string{"version"}).CombinedOutput(); err != nil || !strings.HasPrefix(string(out), "scenario ") {
		t.Errorf("version: %v\n%s", err, out)
	} else {
		t.Logf("%s", out)
	}
	tutorial(t, filepath.Join(clone, "docs", "tutorial.md"), work, command)
}
