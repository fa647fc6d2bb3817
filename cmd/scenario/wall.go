package main

import "time"

// now is the time that stands in a recording's header, which nothing compares.
func now() time.Time { return time.Now().Truncate(time.Second) }

// A stopwatch reads the wall clock. Nothing that is compared or stored may
// come from it: it feeds wall_ms, the progress line and
// the warning that a recording is old.
type stopwatch struct{ started time.Time }

func startWatch() stopwatch { return stopwatch{time.Now()} }

func (s stopwatch) elapsed() time.Duration { return time.Since(s.started) }

// shortly tries something again while it fails, for a quarter of a second.
func shortly(try func() error) error {
	err := try()
	for wait := time.Millisecond; err != nil && wait <= 128*time.Millisecond; wait *= 2 {
		time.Sleep(wait)
		err = try()
	}
	return err
}

// anySeed is another number in every call, short enough to be typed again.
func anySeed() uint64 { return uint64(time.Now().UnixMicro()) % 1_000_000_000 }
