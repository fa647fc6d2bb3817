// Command bench holds the speed of this module against its goals, and two builds
// of it against each other.
//
// A goal is a ratio to a floor that is measured in the same run: to a program
// that only parses the files, that links the same libraries and prints a line,
// that only switches between coroutines, that has its answer ready. So it moves less from
// machine to machine than the absolute figures beside it. Rounds
// alternate between the two, so that a busy machine slows both. What counts is
// the CPU time that the system reports for a process, in the median of the
// rounds; where it says wall, serve or speed-up, the machine has to be quiet. The
// noise is how far the median of such rounds may lie from the one measured, with
// 99 percent confidence (of at least eight rounds).
//
//	go run ./internal/bench -only 'G1|G2'
//	go run ./internal/bench -keep
//	go run ./internal/bench -compare HEAD~10
//
// Nothing here is a test: a goal that is missed is reported and breaks nothing,
// unless -strict asks for that. With -keep the table's figures are written to
// before.json, and later runs print them beside their own.
//
// With -compare the tree is held against a commit, pair by pair, until there is a
// verdict or there were sixty pairs; the exit code is 1 if a row costs more: a tenth
// for sure unless the row is too noisy, and from 5 percent on where the noise allows. A row
// that stays noisy has no verdict, and no row that can be measured is an error. With -times
// all of it is done several times, such as for a build against itself. What the
// packages take, apart from the command, is measured by package work, which is
// built with the packages of both. -plant shows that it finds something: it
// wastes time in a function of the tree, without touching the file.
//
// With -growth it measures what one of many costs: suites of files, files of scenarios,
// worlds of actors, from a hundred to 50,000 of them, in at most three -rounds, and how
// long Chromium takes to open the page of the largest suite.
//
// With -wire it measures what programs meet, beside other servers, which npm
// installs into a temporary folder; what cannot be had is left out with a word.
// SCENARIO_NODE_MODULES names a folder that has them already.
package main
