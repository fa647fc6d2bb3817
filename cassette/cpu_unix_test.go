//go:build unix

package cassette

import (
	"syscall"
	"time"
)

// cpuOf is the processor time that the process spent while f ran.
func cpuOf(f func()) time.Duration {
	before := spent()
	f()
	return spent() - before
}

func spent() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
