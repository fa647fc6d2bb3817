// Package lastfailed remembers which scenarios did not pass when they last ran, so
// that the next call can run these alone.
//
// What is kept is a directory for each file with a failure, named by a hash of the
// file's path: notes of the calls that saw a scenario of it fail or pass, the path, by
// which a file that was renamed is noticed, and a list of the scenarios that the file
// had. No result and no value is in it. Two calls at one time, such as shards, lose
// nothing of each other, as each has notes of its own.
package lastfailed
