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

func await(p *os.Process) status {
	state, err := p.Wait()
	if err != nil {
		return status{code: -1}
	}
	return status{code: state.ExitCode()}
}

func isFormat(error) bool { return false }
