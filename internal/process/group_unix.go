//go:build unix

package process

import (
	"os"
	"syscall"
)

// kill ends everything in the group of a process. That one must not have been
// waited for, so that its number is still its own.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// signal names what ended a process, "" where it ended itself.
func signal(s *os.ProcessState) string {
	if status, ok := s.Sys().(syscall.WaitStatus); ok && status.Signaled() {
		return status.Signal().String()
	}
	return ""
}
