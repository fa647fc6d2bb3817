// Package drive answers the requests of a program under test from a plan, in
// the place of a workflow that would make them. It is the one place where a
// request finds its provider, endpoint, lane and entry, where overlaps are seen
// and calls are put together, so that the ways to reach it cannot differ: a
// transport in a Go test, and servers on sockets.
//
// A [Run] is asked from any goroutine; one mutex guards it, and no wait happens
// under that. It starts no goroutine. What it answers is an [Exchange], whose
// script somebody else plays, and follows with it.
//
// Where the program is a server, a workflow of the engine drives it in the same
// run: one trace, one fold of it, one judge. Both write to them, so both take
// turns: the tasks of the engine hold the mutex of the run, which is their
// stage, and leave it while they wait for an instant or for an answer of the
// program. The other cut, two runs that are joined when they are judged, would
// have invariants, until and breakers that see half of what happened, and events
// whose order is made up. That a request waits for a task costs it nothing that
// is measured: a task computes, and never waits while it is on the stage.
package drive
