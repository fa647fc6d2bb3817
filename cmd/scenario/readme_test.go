package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The first screen of the README is true: its scenario, run by its command in
// an empty folder, prints what stands there, and passes without the line that
// the README calls the bug.
func TestReadmeFirstScreen(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	source := fenced(t, string(readme), "```hcl\n")
	console := fenced(t, string(readme), "```console\n")
	command, want, _ := strings.Cut(console, "\n")
	words := strings.Fields(strings.TrimPrefix(command, "$ "))

	dir := t.TempDir()
	file := filepath.Join(dir, words[len(words)-1])
	write := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(source)
	got, code := inDir(t, dir, words[1:]...)
	if diff := cmp.Diff(want, got); diff != "" || code != 1 {
		t.Errorf("exit %d; the README differs from what is printed (-README +printed):\n%s", code, diff)
	}
	mended := strings.Replace(source, "  respect_retry_after = false # the bug\n", "", 1)
	if mended == source {
		t.Fatal("the README's bug is gone")
	}
	write(mended)
	if got, code := inDir(t, dir, words[1:]...); code != 0 {
		t.Errorf("without the bug the scenario does not pass: exit %d\n%s", code, got)
	}
}

// fenced returns the first block of a document that begins with a fence.
func fenced(t *testing.T, doc, fence string) string {
	t.Helper()
	_, rest, ok := strings.Cut(doc, fence)
	block, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatalf("the README has no block %q", fence)
	}
	return block
}

// inDir runs the command, which the test binary stands for, in a directory.
func inDir(t *testing.T, dir string, args ...string) (stdout string, code int) {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	link := filepath.Join(t.TempDir(), "scenario")
	if err := os.Symlink(exe, link); err != nil {
		t.Skip(err)
	}
	c := exec.Command(link, args...)
	c.Dir = dir
	out, err := c.Output()
	if exit, ok := err.(*exec.ExitError); ok {
		return string(out), exit.ExitCode()
	}
	if err != nil {
		t.Fatal(err)
	}
	return string(out), 0
}
