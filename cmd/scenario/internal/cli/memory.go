package cli

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
)

// A suite allocates much and keeps little, so that collecting less often is
// worth its memory, up to a limit; beyond the limit the collector works
// harder.
const (
	gcPercent   = 800
	memoryLimit = 128 << 20
	// servingPercent is for commands that answer programs, which keep what those
	// asked and their connections.
	servingPercent = 200
	// EaseEvery is after how many pieces of work the limit is looked at.
	EaseEvery = 64
)

// A memory adjusts the limit of the collector to what a suite keeps. The zero
// value leaves everything as it is. It is used from one goroutine.
type memory struct {
	limit uint64
	// percent says that how often is collected is ours to say.
	percent bool
}

// TuneMemory sets the collector, unless the environment already does.
func TuneMemory(env Lookup) memory {
	m := memory{}
	if _, set := env("GOGC"); !set {
		debug.SetGCPercent(gcPercent)
		m.percent = true
	}
	if _, set := env("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(memoryLimit)
		m.limit = memoryLimit
	}
	return m
}

// Serve sets the collector for a command that answers programs. How much is alive
// depends on those: ten thousand idle connections are beyond any limit for a suite,
// and the collector would leave a tenth of the time to the answers.
func (m *memory) Serve() {
	if m.percent {
		debug.SetGCPercent(servingPercent)
	}
	if m.limit != 0 {
		debug.SetMemoryLimit(math.MaxInt64)
		m.limit = 0
	}
}

// Ease raises the limit where so much is alive, such as the recordings of a
// large suite, that keeping to it would leave no time for anything else.
func (m *memory) Ease(done int) {
	if m.limit == 0 || done%EaseEvery != 0 {
		return
	}
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return
	}
	if needed := 2 * live[0].Value.Uint64(); needed > m.limit {
		m.limit = needed
		debug.SetMemoryLimit(int64(needed))
	}
}
