package sched

// A Class orders events that are due at one instant.
type Class uint8

const (
	// Completion is the class of bytes, replies and ends of work. A wait that
	// its context ended is an end of work too.
	Completion Class = iota
	// Start is the class of what begins: tasks, retry wake-ups, grants of
	// locks and pools, heartbeats, sweeps.
	Start
	// Deadline is the class of timeouts, so that a reply due exactly at a
	// deadline still counts.
	Deadline
)
