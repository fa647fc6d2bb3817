//go:build !unix

package process

import (
	"os"
	"syscall"
)

func group() *syscall.SysProcAttr { return nil }

func session() *syscall.SysProcAttr { return nil }

// kill ends the process alone: this system has no groups of that kind.
func kill(p *os.Process) { _ = p.Kill() }

// terminate does what kill does: this system has no signal that asks.
func terminate(p *os.Process) { kill(p) }

func hasMembers(*os.Process) bool { return false }

func await(p *os.Process) *os.ProcessState {
	state, _ := p.Wait()
	return state
}

func signal(*os.ProcessState) string { return "" }

func isFormat(error) bool { return false }
