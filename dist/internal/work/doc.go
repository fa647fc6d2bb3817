// Package work takes units from a queue, runs them and stores what they came to:
// worker.go takes and stores, plans.go compiles, pace.go waits for rates and counts
// costs, presence.go says of the worker that it lives.
package work
