package cli

import (
	"math"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Shows that a command which answers programs has no limit of memory but that of the
// environment: with one the collector takes the time of the answers where many
// connections are idle.
func TestServingHasNoLimit(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	defer func() {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}()
	for _, c := range []struct {
		env     map[string]string
		limit   int64
		percent int
	}{
		{nil, math.MaxInt64, servingPercent},
		{map[string]string{"GOMEMLIMIT": "1GiB"}, 1 << 30, servingPercent},
		{map[string]string{"GOGC": "50"}, math.MaxInt64, 50},
	} {
		debug.SetGCPercent(50)        // as the runtime read the environment
		debug.SetMemoryLimit(1 << 30) // so, too
		m := TuneMemory(func(name string) (string, bool) { v, ok := c.env[name]; return v, ok })
		m.Serve()
		runtime.GC()
		if got := debug.SetMemoryLimit(-1); got != c.limit {
			t.Errorf("%v: the limit is %d, want %d", c.env, got, c.limit)
		}
		if got := debug.SetGCPercent(50); got != c.percent {
			t.Errorf("%v: it collects at %d percent, want %d", c.env, got, c.percent)
		}
	}
}

// Shows that the limit grows with what one piece of work keeps, without being told:
// one long run would else spend its time in the collector.
func TestLimitFollowsWhatIsAlive(t *testing.T) {
	percent, before := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	m := TuneMemory(func(string) (string, bool) { return "", false })
	defer func() {
		m.Serve()
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(before)
	}()
	kept := make([]byte, MemoryLimit)
	for deadline := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) < 2*MemoryLimit; runtime.Gosched() {
		runtime.GC()
		if time.Now().After(deadline) {
			t.Fatalf("with %d bytes alive the limit is %d", len(kept), debug.SetMemoryLimit(-1))
		}
	}
	runtime.KeepAlive(kept)
}

// Shows that the stacks of tasks that wait count as alive: ten thousand calls of a
// simulated service are as many.
func TestLimitFollowsStacks(t *testing.T) {
	percent, before := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	m := TuneMemory(func(string) (string, bool) { return "", false })
	defer func() {
		m.Serve()
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(before)
	}()
	var deep func(n int, up func()) byte
	deep = func(n int, up func()) byte {
		var frame [4 << 10]byte
		if n == 0 {
			up()
			return frame[0]
		}
		return deep(n-1, up) + frame[n]
	}
	up, done := make(chan bool), make(chan bool)
	for range 600 {
		go deep(30, func() {
			up <- true
			<-done
		})
		<-up
	}
	defer close(done)
	for deadline := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) <= MemoryLimit; runtime.Gosched() {
		runtime.GC()
		if time.Now().After(deadline) {
			t.Fatalf("with 600 deep stacks the limit is %d", debug.SetMemoryLimit(-1))
		}
	}
}

// Shows that a command that waits for programs has a lower limit, which follows what
// is alive with less room beside it, and one that waits for other processes with still less.
func TestSparingLimit(t *testing.T) {
	for range 3 {
		runtime.GC() // what other tests left is no longer alive
	}
	percent, before := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	m := TuneMemory(func(string) (string, bool) { return "", false })
	defer func() {
		m.Serve()
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(before)
	}()
	for _, c := range []struct {
		set  func()
		room int64 // beside two of sparingLimit
	}{{m.Wait, 2 * sparingLimit / waitingPart}, {m.Spare, 2 * sparingLimit / sparingPart}} {
		c.set()
		if got := debug.SetMemoryLimit(-1); got != sparingLimit {
			t.Errorf("the limit is %d, want %d", got, sparingLimit)
		}
		kept := make([]byte, 2*sparingLimit)
		for deadline := time.Now().Add(10 * time.Second); debug.SetMemoryLimit(-1) < 2*sparingLimit+c.room; runtime.Gosched() {
			runtime.GC()
			if time.Now().After(deadline) {
				t.Fatalf("with %d bytes alive the limit is %d", len(kept), debug.SetMemoryLimit(-1))
			}
		}
		if got := debug.SetMemoryLimit(-1); got > 2*sparingLimit+c.room+sparingLimit/2 {
			t.Errorf("with %d bytes alive the limit is %d", len(kept), got)
		}
		runtime.KeepAlive(kept)
	}
}

// Shows that a command with reports has three times what is alive, up to a limit of its own,
// beyond which there is twice as much as for any, and that one which spares has not.
func TestLimitOfReports(t *testing.T) {
	for _, c := range []struct {
		alive, want uint64
		spares      bool
	}{
		{90 << 20, 270 << 20, false},
		{150 << 20, reportLimit, false},
		{200 << 20, 400 << 20, false},
		{100 << 20, 150 << 20, true},
	} {
		l := limit{reports: true}
		if c.spares {
			l.part = sparingPart
		}
		if got := l.room(c.alive); got != c.want {
			t.Errorf("with %d bytes alive there is room for %d, want %d", c.alive, got, c.want)
		}
		if l.reports = false; !c.spares && l.room(c.alive) != 2*c.alive {
			t.Errorf("without reports there is room for %d of %d bytes alive", l.room(c.alive), c.alive)
		}
	}
}

// Shows how much may be taken where so much is alive: three times as much up to a bound,
// which reports raise, or twice as much; and less where a command waits.
func TestRoom(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		of    *limit
		alive uint64
		want  uint64
	}{
		{&limit{}, 20 * mb, 60 * mb},
		{&limit{}, 45 * mb, 135 * mb},
		{&limit{}, 60 * mb, 152 * mb},
		{&limit{}, 100 * mb, 200 * mb},
		{&limit{reports: true}, 60 * mb, 180 * mb},
		{&limit{reports: true}, 120 * mb, 320 * mb},
		{&limit{reports: true}, 200 * mb, 400 * mb},
		{&limit{part: sparingPart}, 60 * mb, 90 * mb},
		{&limit{part: waitingPart, reports: true}, 60 * mb, 70 * mb},
	} {
		if got := c.of.room(c.alive); got != c.want {
			t.Errorf("reports %t, part %d: with %d MB alive there is room for %d MB, want %d", c.of.reports, c.of.part, c.alive/mb, got/mb, c.want/mb)
		}
	}
}
