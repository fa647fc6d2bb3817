package main

import (
	"io"
	"os"
	"time"

	"github.com/scenario-lang/scenario/internal/command/cli"
	"github.com/scenario-lang/scenario/internal/command/harness"
	"github.com/scenario-lang/scenario/internal/command/notify"
	"github.com/scenario-lang/scenario/interp"
)

func main() {
	cli.SurvivePipes()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.LookupEnv))
}

// run executes one command line and returns the exit code. Everything a
// command knows of its surroundings comes in here.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, env cli.Lookup) int {
	a := &cli.App{
		Stdin: stdin, Stdout: stdout, Stderr: stderr, Env: env,
		Play: interp.RunTold, After: time.After, Notifier: notify.OnDisk, Memory: cli.TuneMemory(env), Keep: harness.KeepSource,
	}
	return int(execute(a, args))
}
