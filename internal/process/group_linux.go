package process

import (
	"os"
	"syscall"
	"unsafe"
)

// group gives a program a process group of its own. It dies with us.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// The arguments of waitid that package syscall does not have.
const (
	idTypePID = 1
	exited    = 0x4
	noWait    = 0x1000000
)

// await returns when the process has ended, and leaves it to be waited for:
// until then its number, and that of its group, belong to nobody else. It
// returns no state for that reason.
func await(p *os.Process) *os.ProcessState {
	var info [128]byte
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, idTypePID, uintptr(p.Pid), uintptr(unsafe.Pointer(&info[0])), exited|noWait, 0, 0)
		if e != syscall.EINTR {
			return nil
		}
	}
}
