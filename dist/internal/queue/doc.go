// Package queue is the way to the server that keeps runs: one somewhere (connect.go),
// or one inside of this process that listens on nothing (embedded.go). It creates the
// streams and buckets of a run (streams.go) and tries again while the server is away.
package queue
