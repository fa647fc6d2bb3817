// Package failure names what went wrong in a simulated or real call, as it was
// observed: a typed kind from the wire, a mode of a taxonomy, and what follows
// from the mode (may it be retried, does it end the run).
//
// A failure is data about the system under test, not a Go error of this
// program, and it does not know whether what caused it was injected.
package failure
