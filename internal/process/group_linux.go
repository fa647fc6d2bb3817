package process

import (
	"bytes"
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// group gives a program a process group of its own. It dies with us.
func group() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// session does so, and gives it a session without a terminal. The system schedules
// sessions apart from each other, which makes the start of one a third slower.
func session() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// What waitid takes and fills in that package syscall does not have.
const (
	idTypePID = 1
	exited    = 0x4
	noWait    = 0x1000000
	cldExited = 1
)

// siginfo is what waitid says of a child: the head that all have, aligned as a pointer,
// then what belongs to SIGCHLD. The kernel writes 128 bytes.
type siginfo struct {
	_    [2]int32
	code int32
	_    [0]uintptr
	child
	_ [128]byte
}

type child struct {
	_, _   int32 // the process and its user
	status int32
}

// await returns when the process has ended, and leaves it to be waited for:
// until then its number, and that of its group, belong to nobody else.
func await(p *os.Process) status {
	var info siginfo
	for {
		_, _, e := syscall.Syscall6(syscall.SYS_WAITID, idTypePID, uintptr(p.Pid), uintptr(unsafe.Pointer(&info)), exited|noWait, 0, 0)
		switch {
		case e == syscall.EINTR:
		case e != 0 || info.code == 0: // somebody else has waited for it
			return status{code: -1}
		case info.code == cldExited:
			return status{code: int(info.child.status)}
		default:
			return status{code: -1, signal: syscall.Signal(info.child.status).String()}
		}
	}
}

// hasMembers reports whether anything but a process itself is left in its group.
// That one has ended and was not waited for, so a signal would still find it;
// hence the list of all processes.
func hasMembers(p *os.Process) bool {
	dir, err := os.Open("/proc")
	if err != nil {
		return false
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil && pid != p.Pid && runsIn(name, p.Pid) {
			return true
		}
	}
	return false
}

// runsIn reports whether a process is of a group and no zombie. Its line is
// "pid (name) state parent group …", and the name may have anything in it.
func runsIn(pid string, group int) bool {
	line, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 3 || string(fields[0]) == "Z" || string(fields[0]) == "X" {
		return false
	}
	return string(fields[2]) == strconv.Itoa(group)
}
