package peak

import (
	"os"
	"os/exec"
	"time"
)

// Used is what a program took, without those that it started and did not wait for.
type Used struct {
	// CPU is its time and the system's on its behalf.
	CPU time.Duration
	// Wall is the time from its start to its end.
	Wall time.Duration
	// Peak is its largest resident size in bytes, 0 where the system does not say.
	Peak int64
	// Code is its exit code, -1 if a signal ended it.
	Code int
}

// Run runs a program to its end. Whatever code it ends with is no error.
func Run(c *exec.Cmd) (Used, error) {
	child, err := Start(c)
	if err != nil {
		return Used{}, err
	}
	return child.Wait()
}

// of is what a process that has ended took.
func of(p *os.ProcessState, wall time.Duration) Used {
	return Used{CPU: p.UserTime() + p.SystemTime(), Wall: wall, Peak: resident(p), Code: p.ExitCode()}
}
