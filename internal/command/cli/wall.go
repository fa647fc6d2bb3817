package cli

import "time"

// Now is the time that stands in a recording's header, which nothing compares.
func Now() time.Time { return time.Now().Truncate(time.Second) }

// A Stopwatch reads the wall clock. Nothing that is compared or stored may
// come from it: it feeds wall_ms, the last
// line on a terminal, the progress line and the warning that a recording is old.
type Stopwatch struct{ Started time.Time }

// StartWatch is a Stopwatch that runs.
func StartWatch() Stopwatch { return Stopwatch{time.Now()} }

// Elapsed is the real time since it was started.
func (s Stopwatch) Elapsed() time.Duration { return time.Since(s.Started) }

// Shortly tries something again while it fails, for a quarter of a second.
func Shortly(try func() error) error {
	err := try()
	for wait := time.Millisecond; err != nil && wait <= 128*time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		err = try()
	}
	return err
}

// AnySeed is another number in every call, short enough to be typed again.
func AnySeed() uint64 { return uint64(time.Now().UnixMicro()) % 1_000_000_000 }
