package main

import "runtime/debug"

// A suite allocates much and keeps little, so that collecting less often is
// worth its memory; beyond the limit the collector works harder again.
const (
	gcPercent   = 400
	memoryLimit = 512 << 20
)

// tuneMemory sets the collector, unless the environment already does.
func tuneMemory(env lookup) {
	if _, set := env("GOGC"); !set {
		debug.SetGCPercent(gcPercent)
	}
	if _, set := env("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(memoryLimit)
	}
}
