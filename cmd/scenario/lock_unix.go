//go:build unix

package main

import (
	"os"
	"syscall"
)

// lockLog keeps other calls from writing a log. The kernel gives the lock back
// when the process ends, however that comes.
func lockLog(f *os.File) error { return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }
