//go:build unix && !linux

package process

import (
	"os"
	"syscall"
)

// group makes a program the first of a session of its own, which has no
// terminal, and of a process group.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// await waits for the process. What is left of its group keeps the group's
// number from being given to another.
func await(p *os.Process) *os.ProcessState {
	state, _ := p.Wait()
	return state
}

// hasMembers reports whether anything is left of the group of a process that has
// been waited for.
func hasMembers(p *os.Process) bool { return syscall.Kill(-p.Pid, 0) == nil }
