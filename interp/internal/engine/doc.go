// Package engine plays a plan: its steps in the order of their dependencies, the
// policies around their calls, and what the scenario does by itself. Whatever happens is appended to the trace of the run;
// the engine keeps only what it needs to go on.
//
// run.go holds what a run is, workflow.go how a graph of steps is run, step.go a
// step, call.go the policies around a call, attempt.go one dial of one target.
// Where its answer comes from is package exchange's to say.
package engine
