// Package conformance holds this module against programs that other people
// wrote: the official libraries of the protocols it speaks, as the peer of its
// adapters and as the reader of what it renders. It is a module of its own, so
// that none of those libraries is in the graph of who uses scenario; its tests
// run over loopback, with `make conformance`.
package conformance
