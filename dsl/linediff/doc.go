// Package linediff compares two texts line by line, as a report shows them: what
// to take out of one, and what to put in, to get the other.
package linediff
