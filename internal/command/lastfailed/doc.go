// Package lastfailed remembers which scenarios did not pass when they last ran, so
// that the next call can run these alone.
//
// What is kept is a directory for each file with a failure, named by a hash of the
// file's path: an empty file for each scenario that failed, the path, by which a file
// that was renamed is noticed, and a list of the scenarios that the file had. No result and no value is in it. Two calls that run
// different scenarios of one file, as shards do, never write the same thing.
package lastfailed
