//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Spent is the processor time of the process so far, its own and the system's on its
// behalf, with that of all programs that it started and waited for. It is 0 where the
// system does not say.
func Spent() time.Duration {
	var all time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			all += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return all
}
