package cli

import (
	"math"
	"runtime/debug"
	"testing"
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
		m.Ease(0)
		if got := debug.SetMemoryLimit(-1); got != c.limit {
			t.Errorf("%v: the limit is %d, want %d", c.env, got, c.limit)
		}
		if got := debug.SetGCPercent(50); got != c.percent {
			t.Errorf("%v: it collects at %d percent, want %d", c.env, got, c.percent)
		}
	}
}
