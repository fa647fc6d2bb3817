//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// peakMB is the largest resident size of a child that has ended.
func peakMB(p *os.ProcessState) float64 {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return float64(usage.Maxrss) / (1 << 20) // bytes there, kilobytes elsewhere
	}
	return float64(usage.Maxrss) / (1 << 10)
}
