//go:build unix

package dial

import (
	"os/exec"
	"syscall"
)

// ownGroup makes a process the first of a group, so that what it starts ends
// with it, and a signal to the command is not one to the process.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

func terminate(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }

func kill(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
