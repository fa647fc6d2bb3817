// Package job is what a submitter and its workers agree on: a run, its units, and what
// a unit came to.
package job
