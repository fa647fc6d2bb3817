//go:build !unix

package cassette

import "time"

// cpuOf is the time that f took, where the processor's is not to be had.
func cpuOf(f func()) time.Duration {
	begun := time.Now()
	f()
	return time.Since(begun)
}
