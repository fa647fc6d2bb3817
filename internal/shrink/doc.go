// Package shrink makes a scenario that fails as small as it goes: what it declares is
// left out, part by part, as long as the same check still fails. The world that it plays
// in, and everything else in its file, stays as it is.
//
//	r, err := shrink.Scenario(file, "an order", "", time.After(time.Minute), play)
//
// What may go are calls, holds, events, outages, entries of scripts, instants of calls
// and other checks. Nothing is drawn: as long as the time is not over, the
// same scenario is always made the same.
package shrink
