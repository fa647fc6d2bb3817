package cputime

import (
	"syscall"
	"time"
)

// Spent is the processor time of the process so far, its own and the system's on its
// behalf, without that of programs that it started. It is 0 where the system does not say.
func Spent() time.Duration {
	self, err := syscall.GetCurrentProcess()
	if err != nil {
		return 0
	}
	var created, ended, system, own syscall.Filetime
	if syscall.GetProcessTimes(self, &created, &ended, &system, &own) != nil {
		return 0
	}
	// Unlike an instant, a span of this type counts from zero, in steps of 100 ns.
	span := func(t syscall.Filetime) time.Duration {
		return time.Duration(int64(t.HighDateTime)<<32+int64(t.LowDateTime)) * 100
	}
	return span(system) + span(own)
}
