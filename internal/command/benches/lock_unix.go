//go:build unix

package benches

import (
	"os"
	"syscall"

	"github.com/scenario-lang/scenario/internal/command/cli"
)

// lockLog keeps other calls from writing a log. The kernel gives the lock back
// when the process ends, however that comes; but where it is killed while it
// starts a program, that program holds on to it for the moment until it runs.
func lockLog(f *os.File) error {
	return cli.Shortly(func() error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) })
}
