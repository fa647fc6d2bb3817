// Package drive answers the requests of a program under test from a plan, in
// the place of a workflow that would make them. It is the one place where a
// request finds its provider, endpoint, lane and entry, where overlaps are seen
// and calls are put together, so that the ways to reach it cannot differ: a
// transport in a Go test, and servers on sockets.
//
// A [Run] is asked from any goroutine; one mutex guards it, and no wait happens
// under that. It starts no goroutine. What it answers is an [Exchange], whose
// script somebody else plays, and follows with it.
package drive
