//go:build unix

package cli

import (
	"os"
	"syscall"
)

// Lock keeps other calls that lock a file too from it: an error says that one has it. The kernel gives the lock back
// when the process ends, however that comes; but where it is killed while it
// starts a program, that program holds on to it for the moment until it runs.
func Lock(f *os.File) error {
	return Shortly(func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
}
