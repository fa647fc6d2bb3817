// Package program finds out which changes of a program no scenario notices: it changes one place of one source file, or
// of a file that the program reads, at a time, in a copy of the directory that the program lies in, and runs the
// scenarios that start it, untouched. What was written is never changed.
//
// copy.go keeps the copies, sources.go finds the files that are changed, data.go those that are no code, unchanged.go
// tells what is not changed, suite.go says what is tried in which order, worker.go runs it and says what becomes of
// each mutant, seen.go tells in what two runs differ, text.go and json.go write the report. The changes themselves are
// those of the packages source and data.
package program
