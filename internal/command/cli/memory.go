package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// A suite allocates much and keeps little, so that collecting less often is
// worth its memory, up to a limit; beyond the limit the collector works
// harder.
const (
	GCPercent   = 800 // what is measured beside the command has these two as well
	MemoryLimit = 120 << 20
	// suiteLimit is how much a command may take for three times what is alive, as collecting
	// costs more the nearer that comes to the limit: what 50,000 files keep.
	suiteLimit = 152 << 20
	// reportLimit is how much a command may take that writes reports, which keep more of a
	// suite than its text does.
	reportLimit = 320 << 20
	// servingPercent is for commands that answer programs, which keep what those
	// asked and their connections.
	servingPercent = 200
	// sparingLimit is for benches, which wait for programs and keep what those
	// answered: collecting often costs them nothing.
	sparingLimit = 48 << 20
	// sparingPart leaves a bench room for half of what is alive before the next collection.
	sparingPart = 2
	// waitingPart leaves a sixth: less memory, for more collections that nobody waits for.
	waitingPart = 6
)

// A memory adjusts the limit of the collector to what is alive. The zero value leaves
// everything as it is.
type memory struct {
	limit *limit // nil where the environment gives one
	// percent says that how often is collected is ours to say.
	percent bool
}

// TuneMemory sets the collector, unless the environment already does.
func TuneMemory(env Lookup) memory {
	m := memory{}
	if _, set := env("GOGC"); !set {
		debug.SetGCPercent(GCPercent)
		m.percent = true
	}
	if _, set := env("GOMEMLIMIT"); !set {
		debug.SetMemoryLimit(MemoryLimit)
		m.limit = &limit{bytes: MemoryLimit}
		m.limit.follow()
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
	if m.limit != nil {
		m.limit.lift()
		m.limit = nil
	}
}

// Room raises the limit for a command that keeps more than a suite does.
func (m *memory) Room(bytes uint64) {
	if m.limit != nil {
		m.limit.raise(bytes)
	}
}

// Report gives a command that writes reports three times what is alive where it may take so
// much, as collecting what reports keep costs more the nearer it comes to the limit. It changes
// nothing of a command that spares or waits.
func (m *memory) Report() {
	if m.limit != nil {
		m.limit.report()
	}
}

// Spare sets the collector for a command that waits more than it computes, and keeps
// much.
func (m *memory) Spare() {
	if m.limit != nil {
		m.limit.spare(sparingPart)
	}
}

// Wait sets the collector for a command that waits for other processes to do the work, and
// keeps much of what they report: its own speed does not matter.
func (m *memory) Wait() {
	if m.limit != nil {
		m.limit.spare(waitingPart)
	}
}

// A limit is that of the collector. It is raised where so much is alive, such as the
// recordings of a large suite or the trace of one long run, that keeping to it would
// leave no time for anything else.
type limit struct {
	mu     sync.Mutex
	bytes  uint64
	lifted bool
	// part is which part of what is alive is the room beside that: half of it is 2.
	part uint64
	// reports is whether three times what is alive may be taken, up to reportLimit.
	reports bool
}

// follow looks at what is alive whenever the collector has run: what is freed then
// makes room for nothing, and so is found each time.
func (l *limit) follow() {
	type canary struct{ _ *int }
	runtime.SetFinalizer(&canary{}, func(*canary) {
		if l.ease() {
			l.follow()
		}
	})
}

// ease raises the limit to twice or three times what is alive, or to less, the stacks of
// tasks that wait included. It reports whether there still is one.
func (l *limit) ease() bool {
	alive := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(alive)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.lifted {
		return false
	}
	kept := uint64(0)
	for _, s := range alive {
		if s.Value.Kind() == metrics.KindUint64 {
			kept += s.Value.Uint64()
		}
	}
	l.to(l.room(kept))
	return true
}

// room is how much may be taken where so much is alive.
func (l *limit) room(alive uint64) uint64 {
	most := uint64(suiteLimit)
	if l.reports {
		most = reportLimit
	}
	if l.part == 0 {
		return max(2*alive, min(3*alive, most))
	}
	return alive + alive/l.part
}

func (l *limit) report() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reports = true
}

func (l *limit) raise(bytes uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.lifted {
		l.to(bytes)
	}
}

// to raises the limit, where it is lower. The lock is held.
func (l *limit) to(bytes uint64) {
	if bytes > l.bytes {
		l.bytes = bytes
		debug.SetMemoryLimit(int64(bytes))
	}
}

// spare lowers the limit, from the next collection on to what is alive and a part of it.
func (l *limit) spare(part uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.bytes, l.part = sparingLimit, part
	debug.SetMemoryLimit(sparingLimit)
}

// lift takes the limit away for good.
func (l *limit) lift() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lifted = true
	debug.SetMemoryLimit(math.MaxInt64)
}
