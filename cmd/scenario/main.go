package main

import (
	"io"
	"os"
	"time"

	"github.com/scenario-lang/scenario/interp"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.LookupEnv))
}

// run executes one command line and returns the exit code. Everything a
// command knows of its surroundings comes in here.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, env lookup) int {
	a := &app{
		stdin: stdin, stdout: stdout, stderr: stderr, env: env,
		play: interp.Run, after: time.After, notifier: newDiskNotifier, memory: tuneMemory(env), keep: keepSource,
	}
	return int(a.execute(args))
}

// lookup finds a variable of the environment, as os.LookupEnv does.
type lookup func(name string) (string, bool)
