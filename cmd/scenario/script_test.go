package main

import (
	"cmp"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/scenario-lang/scenario/internal/peak"
)

// The test binary stands for the command when a script executes it.
func TestMain(m *testing.M) {
	peak.Launch()
	testscript.Main(m, map[string]func(){"scenario": main, "tellsecrets": tellSecrets})
}

// Shows what the command does, as scripts that a user could type. They are
// rewritten to what it does now where UPDATE_SCRIPTS is set.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               withRepository,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":  exits,
			"nowall": nowall,
			"serve":  startService,
		},
	})
}

// withRepository tells scripts where the repository is, and gives those that run
// the go command its cache.
func withRepository(env *testscript.Env) error {
	dir, err := filepath.Abs(repository)
	if err != nil {
		return err
	}
	env.Setenv("REPOSITORY", dir)
	if cache, err := os.UserCacheDir(); err == nil {
		env.Setenv("GOCACHE", cmp.Or(os.Getenv("GOCACHE"), filepath.Join(cache, "go-build")))
	}
	return nil
}

// exits runs a command that must end with a code: exits 3 scenario test. With
// the word any every code will do.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code command [argument…]")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%s did not end by itself: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if want, _ := strconv.Atoi(args[0]); got != want && args[0] != "any" {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

var (
	wallMS = regexp.MustCompile(`"wall_ms":[0-9.e+-]+`)
	cpuMS  = regexp.MustCompile(`"cpu_ms":[0-9]+`)
	cpu    = regexp.MustCompile(`(?m)^(less than )?[0-9.]+s of CPU$`)
)

// nowall copies a file without what the wall clock and the system's count of processor time
// gave: nowall stdout copy.
func nowall(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: nowall from to")
	}
	text := wallMS.ReplaceAllString(ts.ReadFile(args[0]), `"wall_ms":0`)
	text = cpu.ReplaceAllString(cpuMS.ReplaceAllString(text, `"cpu_ms":0`), "0s of CPU")
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
}
