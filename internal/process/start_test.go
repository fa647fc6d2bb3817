package process

import (
	"context"
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"
)

// Shows that a system which cannot start programs says so by its name, before a
// pipe or a path could fail, and that all others are tried.
func TestStartable(t *testing.T) {
	for _, goos := range []string{"js", "wasip1", "ios"} {
		err := startable(goos)
		if !errors.Is(err, errors.ErrUnsupported) || !strings.HasPrefix(err.Error(), goos+" cannot start programs") {
			t.Errorf("%s: %v", goos, err)
		}
	}
	for _, goos := range []string{"linux", "darwin", "windows", "freebsd", "plan9"} {
		if err := startable(goos); err != nil {
			t.Errorf("%s: %v", goos, err)
		}
	}
}

// Shows that Run starts a program or says that this system starts none; it is
// what can be shown on every system, WebAssembly included.
func TestRunEverywhere(t *testing.T) {
	program, err := os.Executable()
	want := startable(runtime.GOOS)
	if err != nil && want == nil {
		t.Fatal(err)
	}
	r, err := Run(context.Background(), Command{
		Path: program, Args: []string{program, "-test.run=^$"}, Env: os.Environ(),
	}, Limits{Stdout: 1 << 10, Stderr: 1 << 10})
	if want != nil {
		if err == nil || err.Error() != want.Error() {
			t.Errorf("error %v, want %v", err, want)
		}
		return
	}
	if err != nil || r.Code != 0 || !strings.Contains(string(r.Stdout), "PASS") && !strings.Contains(string(r.Stdout), "no tests to run") {
		t.Errorf("%v, %+v: %s", err, r, r.Stdout)
	}
}
