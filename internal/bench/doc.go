// Command bench holds the speed of this module against its bars and goals.
//
// Every figure is a ratio of two programs, or a time of one, measured in rounds
// that alternate between them, so that a busy machine slows both. What counts
// is the CPU time that the system reports for a child, in the median of the
// rounds; wall time stands beside it. Nothing here is a test: a bar that is
// missed is reported and breaks nothing, unless -strict asks for that.
//
//	go run ./internal/bench -rounds 5 -only 'G1|G2'
//
// With -wire it measures what programs meet, beside other servers, which npm
// installs into a temporary folder; what cannot be had is left out with a word.
// SCENARIO_NODE_MODULES names a folder that has them already.
package main
