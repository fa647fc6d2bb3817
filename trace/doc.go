// Package trace is the ordered log of one run. Everything that is said about a
// run afterwards (results, metrics, spans, reports) is computed from it.
//
// An event belongs to virtual time and to a place in an order, never to the
// wall clock, so the canonical encoding of equal runs is equal byte for byte.
package trace
