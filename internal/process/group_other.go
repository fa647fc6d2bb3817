//go:build unix && !linux

package process

import (
	"os"
	"syscall"
)

// group gives a program a process group of its own.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// session does so, and gives it a session without a terminal.
func session() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// await waits for the process. What is left of its group keeps the group's
// number from being given to another.
func await(p *os.Process) status {
	state, err := p.Wait()
	if err != nil {
		return status{code: -1}
	}
	if s, ok := state.Sys().(syscall.WaitStatus); ok && s.Signaled() {
		return status{code: -1, signal: s.Signal().String()}
	}
	return status{code: state.ExitCode()}
}

// hasMembers reports whether anything is left of the group of a process that has
// been waited for.
func hasMembers(p *os.Process) bool { return syscall.Kill(-p.Pid, 0) == nil }
