//go:build unix

package process

import (
	"errors"
	"os"
	"syscall"
)

// kill ends everything in the group of a process. That one must not have been
// waited for, so that its number is still its own.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// terminate asks everything in the group of a process to end.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

// isFormat reports whether the system does not know what kind of program it is.
func isFormat(err error) bool { return errors.Is(err, syscall.ENOEXEC) }
