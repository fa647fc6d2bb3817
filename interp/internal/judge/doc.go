// Package judge holds a finished run against what its scenario expects: gates,
// invariants, expectations, assertions, snapshots. It reads the plan and what
// observe folded from the trace; it knows nothing of the engine. So [Judge] gives
// the same verdict for a trace that was read from a file. A [Watcher] follows a
// run under way, which saves folding its trace twice.
package judge
