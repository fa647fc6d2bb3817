// Package judge holds a finished run against what its scenario expects: gates,
// invariants, expectations, assertions, snapshots. It reads the plan and what
// observe folded from the trace; it knows nothing of the engine.
package judge
