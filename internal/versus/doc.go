// Command versus compares recorders: ours, go-vcr, aimock and WireMock record
// the same eight behaviours of one server on loopback and replay them, and a
// table says what a client saw of each. Node, Java and the npm registry are
// needed for the other two; what cannot be had is left out with a word. A second
// table has what scenario test and terraform test, where that is installed, say
// of the same claims.
//
//	go run ./internal/versus -write docs/comparison.md
package main
