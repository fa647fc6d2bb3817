//go:build unix && !linux

package process

import (
	"os"
	"syscall"
)

// group gives a program a process group of its own.
func group() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// await waits for the process. What is left of its group keeps the group's
// number from being given to another.
func await(p *os.Process) *os.ProcessState {
	state, _ := p.Wait()
	return state
}
