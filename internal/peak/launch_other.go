//go:build !unix

package peak

import (
	"errors"
	"os"
	"os/exec"
	"time"
)

// Launch does nothing on this system.
func Launch() {}

// A Child is a program that runs.
type Child struct {
	// Process is the program itself, for signals.
	Process *os.Process
	// Began is when it was started.
	Began time.Time

	cmd *exec.Cmd
}

// Start starts a program with what c says of it: its arguments, environment, directory,
// input and output. c is used up by it.
func Start(c *exec.Cmd) (*Child, error) {
	from := time.Now()
	if err := c.Start(); err != nil {
		return nil, err
	}
	return &Child{Process: c.Process, Began: from, cmd: c}, nil
}

// Wait waits for the end of the program and of its output, and says what it took.
func (c *Child) Wait() (Used, error) {
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		return Used{}, err
	}
	return of(c.cmd.ProcessState, time.Since(c.Began)), nil
}

// resident is not known here.
func resident(*os.ProcessState) int64 { return 0 }
